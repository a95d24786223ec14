class Num:
    everything = []

    def __init__(self, val, src=()):
        self.val = val
        self.grad = 0.0
        self.src = src
        self.bw = None
        Num.everything.append(self)

    def __add__(self, o):
        r = Num(self.val + o.val, (self, o))
        def bw():
            self.grad += r.grad
            o.grad += r.grad
        r.bw = bw
        return r

    def __mul__(self, o):
        r = Num(self.val * o.val, (self, o))
        def bw():
            self.grad += o.val * r.grad
            o.grad += self.val * r.grad
        r.bw = bw
        return r

    def backward(self):
        # creation order is a topological order
        self.grad = 1.0
        for n in reversed(Num.everything):
            if n.bw is not None and n.grad != 0.0:
                n.bw()
        Num.everything = [n for n in Num.everything if not n.src]


w = Num(0.2)
b = Num(0.0)
minus = Num(-1.0)
for epoch in range(3):
    for x, y in ((1.0, 1.0), (2.0, 3.0)):
        diff = w * Num(x) + b + minus * Num(y)
        (diff * diff).backward()
    w.val -= 0.05 * w.grad
    b.val -= 0.05 * b.grad
    w.grad = b.grad = 0.0
    print(epoch, w.val, b.val)
