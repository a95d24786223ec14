import random
from micrograd.engine import Value
from micrograd.nn import MLP

random.seed(21)
model = MLP(2, [4, 1])
data = [([0.5, -1.0], 1.0), ([1.5, 0.3], -1.0), ([-0.7, 0.8], 1.0)]
for k in range(4):
    model.zero_grad()
    losses = [(1 + -y * model(x)).relu() for x, y in data]
    data_loss = sum(losses) * (1.0 / len(losses))
    reg = 1e-4 * sum((p * p for p in model.parameters()))
    total = data_loss + reg
    total.backward()
    for p in model.parameters():
        p.grad = max(-1.0, min(1.0, p.grad))
    lr = 0.1 - 0.09 * k / 4
    for p in model.parameters():
        p.data -= lr * p.grad
    print(k, total.data)
