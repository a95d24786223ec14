class Value(object):
    def __init__(self, data, children=(), op='', label=''):
        self.data = data
        self.grad = 0.0
        self.children = children
        self.op = op
        self.label = label
        self.backward_fn = None

    def __repr__(self):
        return "Value(data=%s, grad=%s)" % (self.data, self.grad)

    def __sub__(self, other):
        out = Value(self.data - other.data, (self, other), '-')
        def fn(g):
            self.grad += g
            other.grad += g
        out.backward_fn = fn
        return out

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other), '*')
        def fn(g):
            self.grad += g * other.data
            other.grad += g * self.data
        out.backward_fn = fn
        return out

    def backward(self):
        topo = []
        visited = set()
        def build(v):
            if v not in visited:
                visited.add(v)
                for c in v.children:
                    build(c)
                topo.append(v)
        build(self)
        self.grad = 1.0
        for v in reversed(topo):
            if v.backward_fn:
                v.backward_fn(v.grad)

pred = Value(2.5, label='pred')
target = Value(1.0, label='target')
diff = pred - target
loss = diff * diff
loss.backward()
print(pred, target)
