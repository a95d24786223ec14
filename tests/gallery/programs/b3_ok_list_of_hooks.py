class V:
    def __init__(self, data, kids=()):
        self.data, self.kids, self.grad, self.hooks = data, kids, 0.0, []
    def __mul__(self, o):
        out = V(self.data * o.data, (self, o))
        out.hooks.append(lambda: self.give(o.data * out.grad))
        out.hooks.append(lambda: o.give(self.data * out.grad))
        return out
    def give(self, amount):
        self.grad += amount
x = V(1.5)
y = V(4.0)
z = x * y
r = z * z
r.grad = 1.0
for node in (r, z):
    for hook in node.hooks:
        hook()
print(x.grad, y.grad)
