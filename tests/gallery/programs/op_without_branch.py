class T:
    def __init__(self, data, creators=None, creation_op=None):
        self.data = data
        self.creators = creators or []
        self.creation_op = creation_op
        self.grad = 0.0

    def __add__(self, o):
        return T(self.data + o.data, [self, o], 'add')

    def __sub__(self, o):
        return T(self.data - o.data, [self, o], 'sub')

    def __mul__(self, o):
        return T(self.data * o.data, [self, o], 'mul')

    def chain(self):
        if self.creation_op == 'add':
            self.creators[0].grad += self.grad
            self.creators[1].grad += self.grad
        if self.creation_op == 'mul':
            self.creators[0].grad += self.grad * self.creators[1].data
            self.creators[1].grad += self.grad * self.creators[0].data

    def backward(self):
        topo = []
        def walk(t):
            if t in topo:
                return
            for c in t.creators:
                walk(c)
            topo.append(t)
        walk(self)
        self.grad = 1.0
        for t in reversed(topo):
            t.chain()

a = T(5.0)
b = T(2.0)
y = (a - b) * b
y.backward()
print(a.grad, b.grad)
