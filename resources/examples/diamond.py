# Two ways lead from a to e, and two from b: each way brings a contribution.
from chainstep import Value

a = Value(2.0)
b = Value(3.0)

# a and b are both used here ...
c = a + b
# ... and here once more
d = a * b

e = c * d
