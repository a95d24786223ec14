from micrograd.engine import Value

w = Value(0.0)
data = [(1.0, 2.0), (2.0, 3.0), (3.0, 5.0)]
lr = 0.02
for epoch in range(3):
    for x, y in data:
        w.grad = 0.0
        part = (w * x - y) ** 2
        part.backward()
    # the step uses the gradient of the whole batch
    w.data -= lr * w.grad
    print(epoch, w.data)
