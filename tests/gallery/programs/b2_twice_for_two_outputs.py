from micrograd.engine import Value

a = Value(2.0)
b = Value(5.0)
c = a * b
loss = c * c
for p in (a, b):
    loss.backward()
    print(p.grad)
