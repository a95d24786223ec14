from micrograd.engine import Value

a = Value(1.0)
b = a * 2.0
b.backward()
print "grad", a.grad
