class Value:
    def __init__(self, data, _prev=(), _op=''):
        self.data = data
        self._prev = _prev
        self._op = _op
        self.grad = 0.0
        self._backward = None

    def __add__(self, other):
        out = Value(self.data + other.data, (self, other), '+')
        def grad_add():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = grad_add()
        return out

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other), '*')
        def grad_mul():
            self.grad += out.grad * other.data
            other.grad += out.grad * self.data
        out._backward = grad_mul
        return out

    def backward(self):
        topo = []
        done = set()
        def dfs(n):
            done.add(n)
            for c in n._prev:
                if c not in done:
                    dfs(c)
            topo.insert(0, n)
        dfs(self)
        self.grad = 1.0
        for n in topo:
            if callable(n._backward):
                n._backward()

a, b, c = Value(1.0), Value(2.0), Value(5.0)
y = (a + b) * c
y.backward()
print([v.grad for v in (a, b, c)])
