import random
from micrograd.engine import Value

class Model:
    def __init__(self):
        self.w = Value(0.5)
        self.b = Value(0.0)

    def __call__(self, x):
        return self.w * x + self.b

    def parameters(self):
        return [self.w, self.b]

model = Model()
for epoch in range(3):
    loss = (model(2.0) - 5.0) ** 2
    for p in model.parameters():
        p.grad = 0.0
    loss.backward()
    new = [Value(p.data - 0.05 * p.grad) for p in model.parameters()]
    params = new
    print(epoch, loss.data)
