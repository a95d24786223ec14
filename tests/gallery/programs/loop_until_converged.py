from micrograd.engine import Value

w = Value(0.0)
loss = (w * 2.0 - 4.0) ** 2
loss.backward()
while loss.data > -1e-9:
    w.data -= 0.05 * w.grad
    e = w.data * 2.0 - 4.0
    w.grad = 4.0 * e
print(w.data)
