from micrograd.engine import Value

w = Value(4.0)
target = 1.0
lr = 0.1
def zero():
    w.grad = 0.0
def update():
    w.data -= lr * w.grad
for i in range(4):
    loss = (w - target) ** 2
    loss.backward()
    if i % 1 == 0:
        print(i, loss.data, w.grad)
    zero()
    update()
