import math
import random
from micrograd.engine import Value

random.seed(4)

class Adam:
    def __init__(self, params, lr=0.05):
        self.params = params
        self.lr = lr
        self.m = [0.0] * len(params)
        self.v = [0.0] * len(params)
        self.t = 0

    def zero_grad(self):
        for p in self.params:
            p.grad = 0

    def step(self):
        self.t += 1
        for i, p in enumerate(self.params):
            self.m[i] = 0.9 * self.m[i] + 0.1 * p.grad
            self.v[i] = 0.999 * self.v[i] + 0.001 * p.grad ** 2
            mh = self.m[i] / (1 - 0.9 ** self.t)
            vh = self.v[i] / (1 - 0.999 ** self.t)
            p.data -= self.lr * mh / (math.sqrt(vh) + 1e-8)

w, b = Value(random.random()), Value(0.0)
opt = Adam([w, b])
for epoch in range(5):
    loss = Value(0.0)
    for x, y in ((1.0, 3.0), (2.0, 5.0), (3.0, 7.0)):
        loss = loss + (w * x + b - y) ** 2
    loss.backward()
    opt.step()
    print(epoch, loss.data)
