# Leaves stand in the order too. Their _backward runs and does nothing.
from chainstep import Value

a = Value(2.0)
b = Value(3.0)
c = Value(2.0)  # as large as a, and still a node of its own

d = a + b
e = c + d
