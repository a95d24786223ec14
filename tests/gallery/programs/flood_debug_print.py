from micrograd.engine import Value

a = Value(1.0)
b = a * 3.0
b.backward()
for i in range(2_000_000):
    print("debug", i, a.data, b.data, "-" * 40)
