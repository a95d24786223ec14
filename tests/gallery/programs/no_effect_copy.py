from micrograd.engine import Value

w = Value(2.0)
b = Value(-1.0)
for k in range(3):
    loss = (w * 1.5 + b - 4.0) ** 2
    w.grad = b.grad = 0.0
    loss.backward()
    weights = [w.data, b.data]
    grads = [w.grad, b.grad]
    for i in range(2):
        weights[i] -= 0.1 * grads[i]
    print(k, loss.data)
