from micrograd.engine import Value
w = Value(0.5)
def reset(ps):
    for p in ps:
        p.grad = 0.0
for step in range(3):
    loss = (w * 2.0 - 3.0) ** 2
    loss.backward()
    print(w.grad)
    reset([w])
    w.data -= 0.05 * w.grad
