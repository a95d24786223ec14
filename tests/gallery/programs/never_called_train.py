from micrograd.engine import Value

w = Value(1.0)
b = Value(0.0)
for epoch in range(3):
    loss = (w * 2.0 + b - 5.0) ** 2
    w.data -= 0.1 * w.grad
    b.data -= 0.1 * b.grad
    print(epoch, loss.data)
