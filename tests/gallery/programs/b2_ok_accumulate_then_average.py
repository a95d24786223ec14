from micrograd.engine import Value

w = Value(0.0)
b = Value(0.0)
samples = [(1.0, 3.0), (2.0, 5.0), (3.0, 7.0)]
for epoch in range(3):
    for x, y in samples:
        loss = (w * x + b - y) ** 2
        loss.backward()
    for p in (w, b):
        p.grad /= len(samples)
        p.data -= 0.05 * p.grad
        p.grad = 0.0
    print(epoch, w.data, b.data)
