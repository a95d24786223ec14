from math import cos, sin

class Dual:
    def __init__(self, num, sources=()):
        self.num = num
        self.sources = sources
        self.adj = 0.0
        self.pull = lambda: None

    def __mul__(self, other):
        z = Dual(self.num * other.num, (self, other))
        def pull():
            self.adj += other.num * z.adj
            other.adj += self.num * z.adj
        z.pull = pull
        return z

    def cos(self):
        z = Dual(cos(self.num), (self,))
        def pull():
            self.adj += sin(self.num) * z.adj
        z.pull = pull
        return z

def gradient(z):
    seen, order = set(), []
    def visit(n):
        if id(n) not in seen:
            seen.add(id(n))
            for s in n.sources:
                visit(s)
            order.append(n)
    visit(z)
    z.adj = 1.0
    for n in reversed(order):
        n.pull()

t = Dual(1.1)
r = Dual(2.0)
xpos = r * t.cos()
gradient(xpos)
print(t.adj, r.adj)
