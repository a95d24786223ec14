# A sum and a squashing function: the smallest chain there is.
from chainstep import Value

a = Value(1.0)
b = Value(2.0)

n = a + b      # a sum hands its gradient on unchanged, to both
L = n.tanh()   # far from 0 tanh is almost flat, so little gets through
