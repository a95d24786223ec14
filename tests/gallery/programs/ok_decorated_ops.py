import math

def differentiable(*derivs):
    def wrap(f):
        def op(*args):
            args = [a if isinstance(a, S) else S(a) for a in args]
            nums = [a.v for a in args]
            out = S(f(*nums))
            out.edges = [(a, d(*nums)) for a, d in zip(args, derivs)]
            return out
        return op
    return wrap

class S:
    def __init__(self, v):
        self.v = v
        self.d = 0.0
        self.edges = []

@differentiable(lambda a, b: b, lambda a, b: a)
def mul(a, b):
    return a * b

@differentiable(lambda a: math.cos(a))
def sin(a):
    return math.sin(a)

def grad_from(root):
    topo, seen = [], set()
    def visit(s):
        if s in seen:
            return
        seen.add(s)
        for child, _ in s.edges:
            visit(child)
        topo.append(s)
    visit(root)
    root.d = 1.0
    for s in reversed(topo):
        for child, slope in s.edges:
            child.d += slope * s.d

a = S(0.7)
b = S(1.3)
y = mul(sin(mul(a, b)), a)
grad_from(y)
print(a.d, b.d)
