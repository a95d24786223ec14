from micrograd.engine import Value
ps = [Value(1.0), Value(2.0)]
for step in range(3):
    loss = (ps[0] * ps[1] - 5.0) ** 2
    for p in ps:
        p.grad = 0.0
    loss.backward()
    nums = [p.data for p in ps]
    slopes = [p.grad for p in ps]
    for k in range(2):
        nums[k] -= 0.01 * slopes[k]
    print(loss.data)
