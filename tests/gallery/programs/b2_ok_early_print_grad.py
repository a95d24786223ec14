from micrograd.engine import Value

a = Value(2.0)
b = Value(-3.0)
c = a * b
print("before:", a.grad, b.grad)
c.backward()
print("after:", a.grad, b.grad)
