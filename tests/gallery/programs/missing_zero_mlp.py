import random
from micrograd.engine import Value
from micrograd.nn import MLP

random.seed(7)
xs = [[2.0, 3.0], [3.0, -1.0], [0.5, 1.0]]
ys = [1.0, -1.0, -1.0]
n = MLP(2, [3, 1])

for k in range(4):
    # forward pass
    ypred = [n(x) for x in xs]
    loss = sum((yout - ygt) ** 2 for ygt, yout in zip(ys, ypred))
    # backward pass
    loss.backward()
    # update
    for p in n.parameters():
        p.data += -0.02 * p.grad
    print(k, loss.data)
