import random
from micrograd.nn import MLP

random.seed(0)
net = MLP(2, [2, 1])
X = [[0.0, 1.0], [1.0, 1.0]]
Y = [1.0, -1.0]

def step(params, lr=0.1):
    for p in params:
        p.data -= lr * p.grad

for epoch in range(3):
    net.zero_grad()
    out = [net(x) for x in X]
    loss = sum((o - y) ** 2 for o, y in zip(out, Y))
    step(net.parameters())
    print(epoch, loss.data)
