class Scalar:
    def __init__(self, x, requires_grad=False, deps=(), name=None):
        self.x = float(x)
        self.grad = None
        self.requires_grad = requires_grad
        self.deps = deps
        self.name = name
        self.grad_fn = None
    @staticmethod
    def wrap(v): return v if isinstance(v, Scalar) else Scalar(v)
    def _make(self, x, deps, grad_fn):
        need = any(d.requires_grad for d in deps)
        out = Scalar(x, need, tuple(d for d in deps if d.requires_grad))
        if need: out.grad_fn = grad_fn(out)
        return out
    def acc(self, g):
        if self.requires_grad:
            self.grad = g if self.grad is None else self.grad + g
    def __add__(self, o):
        o = Scalar.wrap(o)
        def fn(out):
            def run():
                self.acc(out.grad); o.acc(out.grad)
            return run
        return self._make(self.x + o.x, (self, o), fn)
    __radd__ = __add__
    def __mul__(self, o):
        o = Scalar.wrap(o)
        def fn(out):
            def run():
                self.acc(o.x * out.grad); o.acc(self.x * out.grad)
            return run
        return self._make(self.x * o.x, (self, o), fn)
    __rmul__ = __mul__
    def __neg__(self): return self * -1.0
    def __sub__(self, o): return self + (-Scalar.wrap(o))
    def __rsub__(self, o): return Scalar.wrap(o) - self
    def backward(self):
        order, seen = [], set()
        def dfs(v):
            if v in seen: return
            seen.add(v)
            for d in v.deps: dfs(d)
            order.append(v)
        dfs(self)
        self.grad = 1.0
        for v in reversed(order):
            if v.grad_fn: v.grad_fn()
    def zero_grad(self): self.grad = None
