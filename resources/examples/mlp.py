# Two layers of neurons on four points: the exclusive or.
from chainstep import Value
from chainstep.nn import MLP

points = [
    ((0.0, 0.0), -1.0),
    ((0.0, 1.0), +1.0),
    ((1.0, 0.0), +1.0),
    ((1.0, 1.0), -1.0),
]

net = MLP(2, [3, 1])  # the seed decides the weights

# forward: one prediction a point, then the mean of the squared errors
loss = Value(0.0)
for inputs, target in points:
    error = net(inputs) - target
    loss = loss + error**2
loss = loss / len(points)

net.zero_grad()
loss.backward()
print("loss", round(loss.data, 4), "with", len(net.parameters()), "parameters")
