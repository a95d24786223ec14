from micrograd.engine import Value

w = Value(0.999)
h = Value(1.0)
for t in range(1200):
    h = h * w + 0.001
h.backward()
print(w.grad)
