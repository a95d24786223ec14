class Value:
    def __init__(self, data, kids=()):
        self.data = data
        self.kids = kids
        self.grad = 0.0
        self._backward = lambda: None

    def _acc(self, g):
        self.grad = self.grad + g

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other))
        out.grad = lambda: (self._acc(other.data * out.grad), other._acc(self.data * out.grad))
        return out

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
        for v in topo[::-1]:
            v._backward()

p = Value(4.0)
q = Value(0.25)
r = p * q
r.backward()
print(p.grad, q.grad)
