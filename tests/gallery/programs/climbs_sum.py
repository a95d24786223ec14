from micrograd.engine import Value

w = Value(1.0)
b = Value(0.5)
pts = [(0.0, 1.0), (1.0, 2.0), (2.0, 3.0)]
for i in range(5):
    loss = Value(0.0)
    for x, y in pts:
        loss = loss + (w * x + b - y) ** 2
    w.grad = 0.0
    b.grad = 0.0
    loss.backward()
    for p in [w, b]:
        p.data += 0.01 * p.grad
    print(i, loss.data)
