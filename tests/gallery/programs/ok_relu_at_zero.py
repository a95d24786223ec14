from micrograd.engine import Value

a = Value(2.0)
b = Value(-2.0)
s = a + b
r = s.relu()
y = r * 3.0 + a
y.backward()
print(a.grad, b.grad)
