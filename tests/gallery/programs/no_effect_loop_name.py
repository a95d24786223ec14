from micrograd.nn import MLP
import random

random.seed(1)
model = MLP(2, [2, 1])
xs = [[0.0, 1.0], [1.0, 0.0]]
ys = [1.0, -1.0]
for epoch in range(3):
    loss = sum((model(x) - y) ** 2 for x, y in zip(xs, ys))
    model.zero_grad()
    loss.backward()
    for p in model.parameters():
        p = p - 0.1 * p.grad
    print(epoch, loss.data)
