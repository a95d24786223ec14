class Knot:
    def __init__(self, val, how=None, *inp):
        self.val = val
        self.how = how
        self.inp = inp
        self.grad = 0.0

    def __add__(self, other):
        return Knot(self.val + other.val, "plus", self, other)

    def __mul__(self, other):
        return Knot(self.val * other.val, "times", self, other)

    def pull(self):
        match self.how:
            case "plus":
                for i in self.inp:
                    i.grad += self.grad
            case "times":
                u, v = self.inp
                u.grad = v.val * self.grad
                v.grad = u.val * self.grad

def back_from(root):
    done, order = set(), []
    def go(k):
        if k in done:
            return
        done.add(k)
        for i in k.inp:
            go(i)
        order.append(k)
    go(root)
    root.grad = 1.0
    for k in reversed(order):
        k.pull()

a, b = Knot(2.0), Knot(3.0)
p = a * b
y = a + p
back_from(y)
print(a.grad, b.grad)
