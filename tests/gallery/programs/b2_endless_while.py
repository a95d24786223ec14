from micrograd.engine import Value

w = Value(3.0)
patience = 0
while patience < 5:
    loss = (w - 1.0) ** 2
    w.grad = 0.0
    if loss.data > 1e9:
        patience += 1
print("stopped early")
