from micrograd.engine import Value

w = Value(0.3)
frozen = 2.0                    # not trained
target = 1.0
pred = w * frozen
loss = (pred - target) ** 2
loss.backward()
step = 0.1 * w.grad
w.data -= step
print(w.data, loss.data)
