class N:
    def __init__(self, v, deps=()):
        self.v = v
        self.deps = deps
        self.grad = 0.0
        self.bw = lambda: None

    def __mul__(self, o):
        r = N(self.v * o.v, (self, o))
        def bw():
            self.grad += o.v * r.grad
            o.grad += self.v * r.grad
        r.bw = bw
        return r

    def relu(self):
        r = N(max(0.0, self.v), (self,))
        def bw():
            self.grad += (r.v > 0) * r.grad
        r.grad = bw
        return r

def back(root):
    order = []
    seen = set()
    def dfs(n):
        if id(n) in seen:
            return
        seen.add(id(n))
        for d in n.deps:
            dfs(d)
        order.append(n)
    dfs(root)
    root.grad = 1.0
    for n in reversed(order):
        n.bw()

p = N(1.5)
q = N(2.0)
h = (p * q).relu()
y = h.relu()
back(y)
print(p.grad, q.grad)
