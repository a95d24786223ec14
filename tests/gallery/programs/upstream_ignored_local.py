class Val:
    def __init__(self, x, frm=(), slopes=()):
        self.x, self.frm, self.slopes, self.grad = x, frm, slopes, 0.0

    def __mul__(self, o):
        return Val(self.x * o.x, (self, o), (o.x, self.x))

    def back(self):
        topo, seen = [], set()
        def rec(v):
            if v in seen: return
            seen.add(v)
            for u in v.frm: rec(u)
            topo.append(v)
        rec(self)
        self.grad = 1.0
        for v in topo[::-1]:
            for u, s in zip(v.frm, v.slopes):
                u.grad += s

f = Val(2.0)
g = Val(5.0)
h = (f * g) * f
h.back()
print(f.grad, g.grad)
