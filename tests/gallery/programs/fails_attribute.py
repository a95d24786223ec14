import random
from micrograd.nn import Neuron

random.seed(0)
n = Neuron(2)
out = n([1.0, -1.0])
out.backward()
print([p.gradient for p in n.parameters()])
