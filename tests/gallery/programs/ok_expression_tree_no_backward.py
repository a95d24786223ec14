from micrograd.engine import Value

a = Value(1.0)
b = Value(2.0)
expr = (a + b) * (a - b) / 2
print(expr.data)
