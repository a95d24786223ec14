# The neuron again, but tanh is written out as (exp(2n) - 1) / (exp(2n) + 1).
from chainstep import Value

# inputs, weights, bias: the same numbers as before
x1 = Value(2.0)
x2 = Value(0.0)
w1 = Value(-3.0)
w2 = Value(1.0)
b = Value(6.8813735870195432)

n = x1 * w1 + x2 * w2 + b

# tanh in small pieces: e is used above the line and below it
e = (2 * n).exp()
o = (e - 1) / (e + 1)
