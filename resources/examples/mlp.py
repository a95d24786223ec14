# Two layers of neurons on four points: the exclusive or.
from chainstep import Value
from chainstep.nn import MLP

points = [
    [Value(0.0), Value(0.0)],
    [Value(0.0), Value(1.0)],
    [Value(1.0), Value(0.0)],
    [Value(1.0), Value(1.0)],
]
targets = [-1.0, 1.0, 1.0, -1.0]

net = MLP(2, [3, 1])  # the seed decides the weights

# forward: one prediction and one squared error a point, then their mean
predictions = [net(point) for point in points]
losses = [(p - t) ** 2 for p, t in zip(predictions, targets)]
loss = sum(losses) / len(losses)

net.zero_grad()
loss.backward()
print("loss", round(loss.data, 4), "with", len(net.parameters()), "parameters")
