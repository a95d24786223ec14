class Cell:
    def __init__(self, data, inputs=()):
        self.data = data
        self.grad = 0.0
        self.inputs = inputs
        self.step_back = None

    def __mul__(self, other):
        out = Cell(self.data * other.data, (self, other))
        def step_back():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        self.step_back = step_back    # so that it can be called later
        return out

    def backward(self):
        order = []
        def go(c):
            if c not in order:
                for i in c.inputs:
                    go(i)
                order.append(c)
        go(self)
        self.grad = 1.0
        for c in reversed(order):
            if c.step_back is not None and c.inputs:
                c.step_back()

s = Cell(1.0)
t = Cell(-3.0)
st = s * t
st.backward()
print(s.grad, t.grad)
