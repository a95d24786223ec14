import numpy as np
from micrograd.engine import Value
w = [Value(v) for v in np.linspace(-1, 1, 4, dtype=np.float32)]
s = w[0] * w[1] + w[2] * w[3]
loss = (s - 1.0) ** 2
loss.backward()
print([float(v.grad) for v in w])
