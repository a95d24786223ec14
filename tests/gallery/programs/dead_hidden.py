from micrograd.engine import Value

x = Value(1.0)
u = Value(-2.0)
v = Value(1.5)
h1 = (u * x).relu()
h2 = (v * x).relu()
y = (h1 + h2) * 2.0
y.backward()
print(u.grad, v.grad)
