from micrograd.nn import Neuron
from micrograd.engine import Value
import random

random.seed(3)
neuron = Neuron(2, nonlin=False)
xs = [[1.0, 2.0], [-1.0, 0.5]]
ts = [1.0, 0.0]
for step in range(3):
    loss = Value(0.0)
    for x, t in zip(xs, ts):
        loss = loss + (neuron(x) - t) ** 2
    loss.backward()
    neuron.zero_grad()
    for p in neuron.parameters():
        p.data -= 0.1 * p.grad
    print(step, loss.data)
