from micrograd.engine import Value

v = Value(-4.0)
s = v ** 0.5
t = s * 2
t.backward()
print(t.data, v.grad)
