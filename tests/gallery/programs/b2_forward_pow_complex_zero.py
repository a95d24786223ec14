from micrograd.engine import Value

xs = [Value(0.0), Value(0.0)]
norm2 = xs[0] * xs[0] + xs[1] * xs[1]
inv = norm2 ** -0.5
print(inv.data)
