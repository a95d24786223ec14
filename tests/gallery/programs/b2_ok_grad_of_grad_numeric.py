from micrograd.engine import Value

def f(x):
    return x ** 4 - 3 * x ** 2 + x

x0 = 2.0
for i in range(4):
    x = Value(x0)
    f(x).backward()
    y = Value(x0 + 1e-4)
    f(y).backward()
    second = (y.grad - x.grad) / 1e-4
    x0 = x0 - x.grad / second
    print(i, x0)
