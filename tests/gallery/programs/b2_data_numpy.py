import numpy as np
from micrograd.engine import Value

x = Value(np.array([1.0, 2.0]))
w = Value(np.array([0.5, -0.5]))
y = x * w
y.backward()
print(x.grad, w.grad)
