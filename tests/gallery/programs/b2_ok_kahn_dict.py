class Value:
    def __init__(self, data, operands=()):
        self.data = data
        self.operands = operands
        self.grad = 0.0
        self.rule = lambda g: ()

    def __add__(self, other):
        out = Value(self.data + other.data, (self, other))
        out.rule = lambda g: (g, g)
        return out

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other))
        out.rule = lambda g: (g * other.data, g * self.data)
        return out

    def backward(self):
        pending = {}
        stack, seen = [self], {self}
        while stack:
            for o in stack.pop().operands:
                pending[o] = pending.get(o, 0) + 1
                if o not in seen:
                    seen.add(o)
                    stack.append(o)
        self.grad = 1.0
        ready = [self]
        while ready:
            v = ready.pop()
            for o, g in zip(v.operands, v.rule(v.grad)):
                o.grad += g
                pending[o] -= 1
                if not pending[o]:
                    ready.append(o)

a = Value(3.0)
b = Value(2.0)
s = a + a
y = s * b * s
y.backward()
print(a.grad, b.grad)
