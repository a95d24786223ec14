from micrograd.engine import Value
w = Value(2.0)
log = []
for k in range(3):
    loss = (w * 3.0 - 1.0) ** 2
    loss.backward()
    log.append(w.grad)
    w.data -= 0.01 * w.grad
    w.grad = 0.0
print(log)
