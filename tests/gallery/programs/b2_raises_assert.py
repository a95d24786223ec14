from micrograd.engine import Value

a = Value(1.0)
b = Value(2.0)
c = a * b + b
c.backward()
assert b.grad == 1.0, "b should have gradient 1"
