from micrograd.engine import Value

x = Value(2.0)
y = Value(-1.0)
m = x * y
s = m + x
# backprop by hand
s._backward()
m._backward()
print("x", x.grad)
print("y", y.grad)
