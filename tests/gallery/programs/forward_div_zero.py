from micrograd.engine import Value

a = Value(1.0)
b = Value(2.0)
c = b - 2.0
d = a / c
d.backward()
