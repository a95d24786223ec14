class Tensor0:
    def __init__(self, data, kids=(), local=()):
        self.data = data
        self.grad = 0.0
        self.kids = kids
        self.local = local

    def __add__(self, o):
        o = o if isinstance(o, Tensor0) else Tensor0(o)
        return Tensor0(self.data + o.data, (self, o), (1.0, 1.0))

    def __mul__(self, o):
        o = o if isinstance(o, Tensor0) else Tensor0(o)
        return Tensor0(self.data * o.data, (self, o), (o.data, self.data))

    def backward(self):
        topo, seen = [], set()
        def go(t):
            if t not in seen:
                seen.add(t)
                for k in t.kids:
                    go(k)
                topo.append(t)
        go(self)
        self.grad = 1.0
        for t in reversed(topo):
            for k, s in zip(t.kids, t.local):
                k.grad += s * t.grad


def sgd(params, lr):
    for p in params:
        p.data -= lr * p.grad


w, b = Tensor0(0.0), Tensor0(0.0)
data = [(1.0, 2.0), (2.0, 4.5), (3.0, 6.5)]
for epoch in range(4):
    loss = Tensor0(0.0)
    for x, y in data:
        e = w * x + b + (-y)
        loss = loss + e * e
    loss.backward()
    sgd([w, b], 0.01)
    print(epoch, loss.data, w.data, b.data)
