from micrograd.engine import Value

x = Value(1.5)
y = x * x * x
y.backward
print("dy/dx", x.grad)
