import sys
from micrograd.engine import Value

a = Value(2.0)
y = a * a
y.backward()
if abs(a.grad - 5.0) > 1e-6:
    print("gradient check failed")
    sys.exit(3)
print("ok")
