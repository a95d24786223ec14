import math


class Value:
    def __init__(self, data):
        self.data = data
        self.grad = 0.0
        self.parents = []
        self.grad_fn = None


def add(x, y):
    out = Value(x.data + y.data)
    out.parents = [x, y]

    def grad_fn():
        x.grad += out.grad
        y.grad += out.grad

    out.grad_fn = grad_fn
    return out


def mul(x, y):
    out = Value(x.data * y.data)
    out.parents = [x, y]

    def grad_fn():
        x.grad += y.data * out.grad
        y.grad += x.data * out.grad

    out.grad_fn = grad_fn
    return out


def tanh(x):
    out = Value(math.tanh(x.data))
    out.parents = [x]

    def grad_fn():
        x.grad += (1 - out.data**2) * out.grad

    out.grad_fn = grad_fn
    return out


def relu(x):
    out = Value(max(0.0, x.data))
    out.parents = [x]

    def grad_fn():
        x.grad += (out.data > 0) * out.grad

    out.grad_fn = grad_fn
    return out


def backward(root):
    order, seen = [], set()

    def visit(node):
        if node not in seen:
            seen.add(node)
            for parent in node.parents:
                visit(parent)
            order.append(node)

    visit(root)
    root.grad = 1.0
    for node in reversed(order):
        if node.grad_fn is not None:
            node.grad_fn()
