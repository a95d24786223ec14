class Scalar:
    def __init__(self, value, parents=(), name=''):
        self.value = value
        self.grad = 0
        self.parents = list(parents)
        self.name = name
        self.backprop = lambda: None

    def __add__(self, rhs):
        res = Scalar(self.value + rhs.value, [self, rhs])
        def backprop():
            self.grad += res.grad
            rhs.grad += res.grad
        res.backprop = backprop
        return res

    def __mul__(self, rhs):
        res = Scalar(self.value * rhs.value, [self, rhs])
        def backprop():
            self.grad = rhs.value * res.grad
            rhs.grad = self.value * res.grad
        res.backprop = backprop
        return res

    def run_backward(self):
        order = []
        seen = set()
        def walk(s):
            if id(s) not in seen:
                seen.add(id(s))
                for p in s.parents:
                    walk(p)
                order.append(s)
        walk(self)
        self.grad = 1
        for s in order[::-1]:
            s.backprop()

x = Scalar(1.5, name='x')
y = Scalar(-2.0, name='y')
z = Scalar(0.5, name='z')
out = x * y + x * z
out.run_backward()
print(x.grad, y.grad, z.grad)
