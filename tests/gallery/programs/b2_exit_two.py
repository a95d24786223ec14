from micrograd.engine import Value

w = Value(3.0)
y = w * 2.0
y.backward()
if w.grad != 3.0:
    raise SystemExit(2)
