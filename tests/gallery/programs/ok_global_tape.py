import math

class Tape:
    def __init__(self):
        self.entries = []

    def record(self, output, pulls):
        self.entries.append((output, pulls))

tape = Tape()

class Var:
    def __init__(self, value):
        self.value = value
        self.grad = 0.0

    def __mul__(self, other):
        out = Var(self.value * other.value)
        tape.record(out, [(self, other.value), (other, self.value)])
        return out

    def __add__(self, other):
        out = Var(self.value + other.value)
        tape.record(out, [(self, 1.0), (other, 1.0)])
        return out

def exp(v):
    out = Var(math.exp(v.value))
    tape.record(out, [(v, out.value)])
    return out

def backward(root):
    root.grad = 1.0
    for output, pulls in reversed(tape.entries):
        for inp, slope in pulls:
            inp.grad += slope * output.grad
    tape.entries.clear()

u = Var(0.5)
v = Var(2.0)
y = exp(u * v) + u
backward(y)
print(u.grad, v.grad)
