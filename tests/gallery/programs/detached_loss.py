from micrograd.engine import Value

xs = [1.0, 2.0]
ys = [2.0, 3.0]
w = Value(0.5)
preds = [w * x for x in xs]
total = 0.0
for p, y in zip(preds, ys):
    total += (p.data - y) ** 2
loss = Value(total)
loss.backward()
print("loss", loss.data, "grad", w.grad)
