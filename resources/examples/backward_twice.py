# backward() is called twice on one graph, and nothing is zeroed in between.
from chainstep import Value

a = Value(3.0)
b = Value(2.0)
c = a + b
d = Value(1.0)
e = c * d

e.backward()
print("after one backward():", a.grad, b.grad, c.grad, d.grad)

e.backward()  # c still holds its old gradient, and sends that on again
print("after the second one:", a.grad, b.grad, c.grad, d.grad)
