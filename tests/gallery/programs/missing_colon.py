from micrograd.engine import Value

a = Value(2.0)
b = Value(3.0)
for i in range(3)
    a = a * b
a.backward()
