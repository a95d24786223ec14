from micrograd.engine import Value

best = Value(float('inf'))
a = Value(3.0)
gap = best - a
ratio = gap * 0.0
loss = ratio + a * a
loss.backward()
print(loss.data, a.grad)
