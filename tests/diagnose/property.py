class Num:
    def __init__(self, value, parents=()):
        self._value = value
        self._grad = 0.0
        self.parents = parents
        self.pull = None
    @property
    def value(self): return self._value
    @value.setter
    def value(self, v): self._value = float(v)
    @property
    def grad(self): return self._grad
    @grad.setter
    def grad(self, g): self._grad = g
    def __add__(self, o):
        r = Num(self._value + o._value, (self, o))
        def pull():
            self._grad += r._grad
            o._grad += r._grad
        r.pull = pull
        return r
    def __mul__(self, o):
        r = Num(self._value * o._value, (self, o))
        def pull():
            self._grad += o._value * r._grad
            o._grad += self._value * r._grad
        r.pull = pull
        return r
    def backward(self):
        done, order = set(), []
        def go(n):
            if id(n) in done: return
            done.add(id(n))
            for p in n.parents: go(p)
            order.append(n)
        go(self)
        self.grad = 1.0
        for n in reversed(order):
            if n.pull: n.pull()
