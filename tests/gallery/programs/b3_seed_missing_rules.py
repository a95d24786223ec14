class Q:
    def __init__(self, q, kids=(), rule=None):
        self.q = q
        self.kids = kids
        self.rule = rule
        self.bar = 0.0
    def __add__(self, o):
        return Q(self.q + o.q, (self, o), lambda: (1.0, 1.0))
    def __mul__(self, o):
        return Q(self.q * o.q, (self, o), lambda: (o.q, self.q))
    def square(self):
        return Q(self.q ** 2, (self,), lambda: (2 * self.q,))

def sweep(top):
    seq = []
    def walk(z):
        if any(z is s for s in seq):
            return
        for k in z.kids:
            walk(k)
        seq.append(z)
    walk(top)
    for z in seq[::-1]:
        if z.rule:
            for k, d in zip(z.kids, z.rule()):
                k.bar += d * z.bar

m, n = Q(3.0), Q(0.5)
t = (m * n).square() + m
sweep(t)
print(m.bar, n.bar)
