from micrograd.engine import Value
w = Value(0.5)
b = Value(0.0)
for step in range(4):
    loss = (w * 2.0 + b - 3.0) ** 2
    loss.backward()
    for p in (w, b):
        p.data -= 0.05 * p.grad
print(w.data)
