class Num:
    def __init__(self, v, parents=()):
        self.v = v
        self.parents = parents       # (node, slope)
        self.grad = 0.0

    def __add__(self, o):
        return Num(self.v + o.v, ((self, 1.0), (o, 1.0)))

    def __mul__(self, o):
        return Num(self.v * o.v, ((self, o.v), (o, self.v)))

    def spread(self):
        for p, slope in self.parents:
            p.grad += slope * self.grad
            p.spread()

x = Num(1.0)
y = Num(2.0)
s = x + y
t = s * s + s
t.grad = 1.0
t.spread()
print(x.grad, y.grad)
