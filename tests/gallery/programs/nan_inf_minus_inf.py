from micrograd.engine import Value

big = Value(1e200)
a = big * big
b = big * big
d = a - b
e = d + 1.0
e.backward()
print(e.data, big.grad)
