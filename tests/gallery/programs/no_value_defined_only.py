class Value:
    def __init__(self, data, children=()):
        self.data = data
        self.grad = 0.0
        self.children = children
        self._backward = lambda: None

    def __add__(self, other):
        out = Value(self.data + other.data, (self, other))
        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out


def main():
    a = Value(1.0)
    b = Value(2.0)
    c = a + b
    print(c.data)


if __name__ == "main":
    main()
