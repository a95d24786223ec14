import random
from micrograd.engine import Value
from micrograd.nn import MLP

random.seed(11)
net = MLP(2, [3, 1])
xs = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
ys = [-1.0, 1.0, 1.0, -1.0]
velocity = [0.0] * len(net.parameters())
net.zero_grad()
for step in range(4):
    loss = Value(0.0)
    for x, y in zip(xs, ys):
        loss = loss + (net(x) - y) ** 2
    loss.backward()
    total = sum(p.grad ** 2 for p in net.parameters()) ** 0.5
    for i, p in enumerate(net.parameters()):
        g = p.grad if total < 1.0 else p.grad / total
        velocity[i] = 0.9 * velocity[i] - 0.05 * g
        p.data += velocity[i]
        p.data *= 0.999
    net.zero_grad()
    print(step, loss.data)
