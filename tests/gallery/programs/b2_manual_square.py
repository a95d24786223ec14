from micrograd.engine import Value

x = Value(3.0)
sq = x * x
lin = x * 2.0
y = sq + lin
y.grad = 1.0
sq.grad = y.grad
lin.grad = y.grad
x.grad = x.data * sq.grad
x.grad += 2.0 * lin.grad
print(x.grad)
