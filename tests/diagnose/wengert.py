import math
tape = []
class Var:
    def __init__(self, idx, val): self.index, self.value = idx, val; self.grad = 0.0
    def __add__(self, o): return push(self.value + o.value, [(self, 1.0), (o, 1.0)])
    def __mul__(self, o): return push(self.value * o.value, [(self, o.value), (o, self.value)])
    def sin(self): return push(math.sin(self.value), [(self, math.cos(self.value))])
def push(val, deps):
    v = Var(len(tape), val)
    tape.append((v, deps))
    return v
def var(x): return push(x, [])
def grad(out):
    for v, _ in tape: v.grad = 0.0
    out.grad = 1.0
    for v, deps in reversed(tape):
        for d, w in deps:
            d.grad += w * v.grad
