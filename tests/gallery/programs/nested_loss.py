from micrograd.engine import Value

w = Value(3.0)
x = Value(-1.0)
loss = (w * x - 1) ** 2
loss = Value(loss)
loss.backward()
print(w.grad)
