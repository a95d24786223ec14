import os
from micrograd.engine import Value

a = Value(2.0)
y = a * a + a
y.backward()
print(a.grad, flush=True)
os._exit(1)
