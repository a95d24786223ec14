import math

TAPE = []


class Var:
    def __init__(self, x):
        self.x = x
        self.g = 0.0

    def __add__(self, o):
        r = Var(self.x + o.x)
        TAPE.append((r, [(self, 1.0), (o, 1.0)]))
        return r

    def __mul__(self, o):
        r = Var(self.x * o.x)
        TAPE.append((r, [(self, o.x), (o, self.x)]))
        return r


def backward(out):
    out.g = 1.0
    for node, inputs in reversed(TAPE):
        for inp, d in inputs:
            inp.g = d * node.g


u = Var(0.5)
v = Var(2.0)
f = u * v + u
backward(f)
print(u.g, v.g)
