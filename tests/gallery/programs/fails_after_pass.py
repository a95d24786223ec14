from micrograd.engine import Value

params = {"w": Value(1.5), "b": Value(-0.5)}
y = params["w"] * 2.0 + params["b"]
y.backward()
for name in ("w", "b", "bias"):
    print(name, params[name].grad)
