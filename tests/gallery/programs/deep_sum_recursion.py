from micrograd.engine import Value

w = Value(0.1)
loss = Value(0.0)
for i in range(3000):
    loss = loss + w * float(i % 7)
loss.backward()
print(w.grad)
