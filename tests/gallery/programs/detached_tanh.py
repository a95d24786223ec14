import math
from micrograd.engine import Value

def activate(v):
    return Value(math.tanh(v.data))

w = Value(0.5)
x = Value(1.0)
b = Value(0.1)
out = activate(w * x + b)
out.backward()
print(w.grad, x.grad, b.grad)
