# One neuron: two inputs, two weights, a bias, and tanh on the sum.
from chainstep import Value

# the inputs
x1 = Value(2.0)
x2 = Value(0.0)

# what training would change
w1 = Value(-3.0)
w2 = Value(1.0)
b = Value(6.8813735870195432)  # chosen so that the gradients come out round

# forward: weigh, add up, squash
n = x1 * w1 + x2 * w2 + b
o = n.tanh()
