from micrograd.engine import Value

w_num, b_num = 0.0, 0.0
data = [(1.0, 2.0), (2.0, 3.5)]
for step in range(4):
    w = Value(w_num)
    b = Value(b_num)
    loss = Value(0.0)
    for x, y in data:
        d = w * x + b - y
        loss = loss + d * d
    loss.backward()
    w_num = w_num - 0.05 * w.grad
    b_num = b_num - 0.05 * b.grad
    print(step, loss.data)
