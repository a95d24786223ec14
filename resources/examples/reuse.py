# The same node in both places of one sum.
from chainstep import Value

a = Value(2.0)
b = a + a  # two edges lead from a to b, and both count
