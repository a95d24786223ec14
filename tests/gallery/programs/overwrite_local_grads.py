class V:
    __slots__ = ('data', 'grad', 'kids', 'local')

    def __init__(self, data, kids=(), local=()):
        self.data = data
        self.grad = 0.0
        self.kids = kids
        self.local = local

    def __add__(self, o):
        return V(self.data + o.data, (self, o), (1.0, 1.0))

    def __mul__(self, o):
        return V(self.data * o.data, (self, o), (o.data, self.data))

    def backward(self):
        topo, seen = [], set()
        def dfs(v):
            if v not in seen:
                seen.add(v)
                for k in v.kids:
                    dfs(k)
                topo.append(v)
        dfs(self)
        self.grad = 1.0
        for v in reversed(topo):
            for k, d in zip(v.kids, v.local):
                k.grad = d * v.grad


p = V(2.0)
q = V(-1.0)
t = p * q + p + p
t.backward()
print(p.grad, q.grad)
