import math

def f(x, w, b):
    return math.tanh(w * x + b)

x, w, b = 0.5, 2.0, -1.0
y = f(x, w, b)
dy_dw = (1 - y ** 2) * x
h = 1e-6
print(dy_dw, (f(x, w + h, b) - f(x, w, b)) / h)
