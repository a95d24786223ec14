class Value:
    def __init__(self, data, parents=()):
        self.data = data
        self.grad = 0.0
        self.parents = parents
        self.bwd = lambda: None

    def __add__(self, o):
        r = Value(self.data + o.data, (self, o))
        def bwd():
            self.grad += r.grad
            o.grad += r.grad
        r.bwd = bwd
        return r

    def __mul__(self, o):
        r = Value(self.data * o.data, (self, o))
        def bwd():
            self.grad += o.data * r.grad
            o.grad += self.data * r.grad
        r.bwd = bwd
        return r

    def backward(self):
        ordered = []
        stack = [(self, False)]
        seen = set()
        while stack:
            node, expanded = stack.pop()
            if expanded:
                ordered.append(self)
                continue
            if node in seen:
                continue
            seen.add(node)
            stack.append((node, True))
            for p in node.parents:
                stack.append((p, False))
        self.grad = 1.0
        for node in reversed(ordered):
            node.bwd()

x = Value(1.0)
y = Value(2.0)
z = (x + y) * y
z.backward()
print(x.grad, y.grad)
