from micrograd.engine import Value

line = "0.5,1.5,2.0"
xs = [Value(field) for field in line.split(",")]
w = Value(2.0)
y = xs[0] + xs[1]
print("sum:", y.data)
y.backward()
print(xs[0].grad)
