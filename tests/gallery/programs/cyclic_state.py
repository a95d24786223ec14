class Node:
    def __init__(self, data, inputs=()):
        self.data = data
        self.grad = 0.0
        self.inputs = list(inputs)
        self._backward = lambda: None

    def __add__(self, other):
        out = Node(self.data + other.data, (self, other))
        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out

    def __mul__(self, other):
        out = Node(self.data * other.data, (self, other))
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out

    def backward(self):
        topo, seen = [], set()
        def visit(n):
            if n not in seen:
                seen.add(n)
                for i in n.inputs:
                    visit(i)
                topo.append(n)
        visit(self)
        self.grad = 1.0
        for n in reversed(topo):
            n._backward()

x = Node(1.0)
w = Node(0.5)
state = x * w
new_state = state + x
state.inputs.append(new_state)     # feedback connection
y = new_state * w
y.backward()
print(w.grad, x.grad)
