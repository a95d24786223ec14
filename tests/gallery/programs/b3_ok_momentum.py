from micrograd.engine import Value
w, v = Value(3.0), 0.0
for k in range(5):
    w.grad = 0.0
    loss = (w - 1.0) ** 2
    loss.backward()
    v = 0.9 * v + w.grad
    w.data -= 0.05 * v
    print(k, loss.data)
