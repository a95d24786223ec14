from micrograd.engine import Value

theta = Value(0.0)
for step in range(5):
    score = Value(4.0) - (theta - 2.0) ** 2
    theta.grad = 0.0
    score.backward()
    theta.data += 0.2 * theta.grad        # up the score
    print(step, theta.data, score.data)
