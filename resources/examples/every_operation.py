# Every kind of operation in one graph, and names that are given away again.
from chainstep import Value

a = Value(-4.0)
b = Value(2.0)

c = a + b
d = a * b + b**3

# the old c and the old d stay in the graph; only their names move on
c = c + c + 1
c = c + 1 + c + (-a)
d = d + d * 2 + (b + a).relu()
d = d + 3 * d + (b - a).relu()

e = c - d
f = e**2

g = f / 2.0
g = g + 10.0 / f

h = (g * 0.01).tanh() + (b / 10).exp() + (b * b).log() - (1 - a)
