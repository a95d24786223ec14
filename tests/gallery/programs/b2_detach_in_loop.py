from micrograd.engine import Value

w = Value(0.5)
h = Value(1.0)
for t in range(3):
    h = Value(h.data) * w
h.backward()
print(w.grad)
