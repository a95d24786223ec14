from micrograd.engine import Value

w1 = Value(0.2)
w2 = Value(-0.1)
bias = Value(0.0)
samples = [((1.0, 0.0), 1.0), ((0.0, 1.0), -1.0), ((1.0, 1.0), 0.5)]
for it in range(5):
    loss = Value(0.0)
    for (x1, x2), t in samples:
        loss = loss + (w1 * x1 + w2 * x2 + bias - t) ** 2
    w1.grad = 0.0
    w2.grad = 0.0
    loss.backward()
    for p in (w1, w2, bias):
        p.data -= 0.05 * p.grad
    print(it, loss.data)
