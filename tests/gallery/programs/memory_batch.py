from micrograd.engine import Value

w = Value(1.0)
y = w * 2.0
y.backward()
history = []
for step in range(400):
    history.append(bytearray(8_000_000))
    history[-1][::4096] = b"x" * len(history[-1][::4096])
print(len(history))
