from micrograd.engine import Value

w1 = Value(3.0)
w2 = Value(4.0)
x = Value(0.5)
h = w1 * x
y = w2 * h
# keep the weights at length 1
norm = (w1.data ** 2 + w2.data ** 2) ** 0.5
w1.data /= norm
w2.data /= norm
y.backward()
print(w1.grad, w2.grad, x.grad)
