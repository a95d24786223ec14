from micrograd.engine import Value

row = Value([1.0, 2.0, 3.0])
bias = Value([0.5])
z = row + bias
z.backward()
print(z.data, row.grad)
