from micrograd.engine import Value

w = Value(1.0)
l = (w - 3.0) ** 2
l.backward()
n = int(input("epochs? "))
for _ in range(n):
    w.data -= 0.1 * w.grad
