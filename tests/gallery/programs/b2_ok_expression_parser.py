class N:
    __slots__ = ("value", "grad", "args", "kind")

    def __init__(self, value, args=(), kind="leaf"):
        self.value = value
        self.grad = 0.0
        self.args = args
        self.kind = kind


def apply(kind, a, b):
    value = a.value + b.value if kind == "+" else a.value * b.value
    return N(value, (a, b), kind)


def parse(tokens, names):
    stack = []
    for t in tokens.split():
        if t in "+*":
            b, a = stack.pop(), stack.pop()
            stack.append(apply(t, a, b))
        else:
            stack.append(names[t])
    return stack.pop()


def backward(root):
    order, seen = [], set()
    def visit(n):
        if id(n) in seen:
            return
        seen.add(id(n))
        for a in n.args:
            visit(a)
        order.append(n)
    visit(root)
    root.grad = 1.0
    for n in reversed(order):
        if n.kind == "+":
            for a in n.args:
                a.grad += n.grad
        elif n.kind == "*":
            a, b = n.args
            a.grad += b.value * n.grad
            b.grad += a.value * n.grad


x = N(2.0)
y = N(3.0)
out = parse("x y + x * y *", {"x": x, "y": y})
backward(out)
print(x.grad, y.grad)
