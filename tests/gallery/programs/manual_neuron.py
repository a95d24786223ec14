from micrograd.engine import Value

a = Value(2.0)
b = Value(-3.0)
c = a * b
d = c + b

d.grad = 1.0
c.grad = 1.0
a.grad = b.data * c.grad
b.grad = a.data * c.grad      # from c = a*b
print("da", a.grad, "db", b.grad)
