import random
from micrograd.nn import Neuron

random.seed(9)
neuron = Neuron(3, nonlin=False)
xs = [[1.0, 0.0, 2.0], [0.0, 1.0, -1.0]]
ys = [1.0, -1.0]
rate = 0.02
for _ in range(4):
    loss = sum((neuron(x) - y) ** 2 for x, y in zip(xs, ys))
    neuron.zero_grad()
    loss.backward()
    for p in neuron.parameters():
        p.data = p.data + rate * p.grad
    print(loss.data)
