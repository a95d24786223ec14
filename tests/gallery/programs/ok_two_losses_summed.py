from micrograd.engine import Value

w = Value(1.5)
b = Value(0.5)
fit = (w * 2.0 + b) ** 2
penalty = w * b
fit.backward()
penalty.backward()
print(w.grad, b.grad)
