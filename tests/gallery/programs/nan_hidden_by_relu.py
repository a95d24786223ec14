from micrograd.engine import Value

def mean(values):
    total = Value(0.0)
    for v in values:
        total = total + v
    scale = float(len(values)) or float('nan')
    return total * (1.0 / scale)

w = Value(2.0)
batch = []
m = mean(batch)
out = (m + w).relu()
reg = w * w
loss = out + reg
loss.backward()
print(loss.data, w.grad)
