from micrograd.engine import Value

a = Value(3.0)
b = Value(2.0)
c = (a + b) * 1.0
c.backward()
print("first", a.grad, b.grad)
c.backward()
print("again", a.grad, b.grad)
