from micrograd.engine import Value

x = [Value(1.0), Value(2.0)]
w = [Value(0.5), Value(-0.5)]
out = x[0] * w[0] + x[1] * w[1]
x[1].data = 0.0
out.backward()
print([v.grad for v in w])
