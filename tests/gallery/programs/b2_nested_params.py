from micrograd.engine import Value

params = [Value(0.5), Value(-1.0)]
copied = [Value(p) for p in params]
x = Value(2.0)
y = copied[0] * x + copied[1]
y.backward()
print([p.grad for p in params])
