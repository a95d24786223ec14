from micrograd.engine import Value

body = Value(1.5)
head = Value(0.2)
for step in range(3):
    h = (body * 2.0).relu()
    loss = (head * h - 1.0) ** 2
    body.grad = 0.0
    head.grad = 0.0
    loss.backward()
    head.data -= 0.02 * head.grad
    print(step, loss.data)
