# %%
import math
from micrograd.engine import Value

# %% [markdown]
# ## First try

# %%
a = Value(2.0)
b = Value(-3.0)
c = a * b
c.backward()
print(a.grad, b.grad)

# %%
a = Value(1.0)
b = a + a
b.backward()
print(a.grad)

# %% [markdown]
# ## A neuron

# %%
x1, x2 = Value(2.0), Value(0.0)
w1, w2 = Value(-3.0), Value(1.0)
bias = Value(6.8813735870195432)
n = x1 * w1 + x2 * w2 + bias
o = n.relu()
o.backward()
print([v.grad for v in (x1, x2, w1, w2)])
