from micrograd.engine import Value

w = Value(0.5)
x = Value(2.0)
h = w * x
loss = (h - 3.0) ** 2
for epoch in range(3):
    w.grad = 0.0
    loss.backward()
    print(epoch, w.grad)
