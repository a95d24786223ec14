# Why backward() sorts first: c and d each have two consumers.
from chainstep import Value

a = Value(2.0)
b = Value(3.0)

c = a + b
d = a * b

e = c + d
f = c * d

y = e + f
