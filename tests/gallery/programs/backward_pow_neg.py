from micrograd.engine import Value

r = Value(0.0)
k = Value(4.0)
area = k * r ** 0.25
print(area.data)
area.backward()
print(r.grad)
