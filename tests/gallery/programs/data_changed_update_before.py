from micrograd.engine import Value

w = Value(1.0)
v = Value(-2.0)
for i in range(3):
    y = (w * v - 1.0) ** 2
    for p in (w, v):
        p.data -= 0.1 * p.grad
        p.grad = 0.0
    y.backward()
    print(i, w.data, v.data, y.data)
