from micrograd.engine import Value
w = Value(0.5)
for step in range(3):
    loss = (w * 2.0 - 3.0) ** 2
    w.grad = 0.0
    loss.backward()
    w.data = w.data + 0.05 * w.grad
    print(loss.data)
