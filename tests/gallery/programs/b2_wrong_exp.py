import math
from micrograd.engine import Value

def exp(v):
    out = Value(math.exp(v.data), (v,), 'exp')
    def _backward():
        v.grad += v.data * out.grad
    out._backward = _backward
    return out

x = Value(0.5)
y = Value(2.0)
z = exp(x * y)
z.backward()
print(x.grad, y.grad)
