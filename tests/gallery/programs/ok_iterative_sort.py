class Value:
    def __init__(self, data, parents=(), op=''):
        self._data = float(data)
        self._grad = 0.0
        self._parents = tuple(parents)
        self._op = op
        self._push = lambda: None

    @property
    def data(self):
        return self._data

    @property
    def grad(self):
        return self._grad

    @grad.setter
    def grad(self, g):
        self._grad = g

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other), '*')
        def push():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._push = push
        return out

    def __sub__(self, other):
        out = Value(self.data - other.data, (self, other), '-')
        def push():
            self.grad += out.grad
            other.grad += -out.grad
        out._push = push
        return out

    def backward(self):
        order = []
        state = {}
        stack = [self]
        while stack:
            v = stack[-1]
            if state.get(id(v)) is None:
                state[id(v)] = 'open'
                stack.extend(p for p in v._parents if id(p) not in state)
            else:
                stack.pop()
                if state[id(v)] == 'open':
                    state[id(v)] = 'done'
                    order.append(v)
        for v in order:
            v.grad = 0.0
        self.grad = 1.0
        for v in reversed(order):
            v._push()

x = Value(3)
y = Value(-0.5)
z = x * x * y - y
z.backward()
z.backward()      # zeroes first, so that this changes nothing
print(x.grad, y.grad)
