xs = [1.0, 2.0, 3.0]
ys = [2.0, 4.0, 6.0]
w = 0.0
for _ in range(10):
    g = sum(2 * (w * x - y) * x for x, y in zip(xs, ys))
    w -= 0.01 * g
print(w)
