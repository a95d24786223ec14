from micrograd.engine import Value

w = Value(-1.0)
x = Value(2.0)
v = Value(0.5)
h = (w * x).relu()
y = h * v + x
y.backward()
print(w.grad, x.grad)
