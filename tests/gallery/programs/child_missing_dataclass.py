from dataclasses import dataclass, field
from typing import Callable, List

@dataclass(eq=False)
class Variable:
    value: float
    inputs: List["Variable"] = field(default_factory=list)
    grad: float = 0.0
    grad_fn: Callable[[], None] = lambda: None

    def __mul__(self, other):
        result = Variable(self.value * other.value, [self, other])
        def grad_fn():
            self.grad += other.value * result.grad
            other.grad += self.value * result.grad
        result.grad_fn = grad_fn
        return result

    def __add__(self, other):
        result = Variable(self.value + other.value)
        result.inputs.append(self)
        def grad_fn():
            self.grad += result.grad
            other.grad += result.grad
        result.grad_fn = grad_fn
        return result

def topological(node, seen, out):
    if id(node) in seen:
        return
    seen.add(id(node))
    for i in node.inputs:
        topological(i, seen, out)
    out.append(node)

def backward(node):
    out = []
    topological(node, set(), out)
    node.grad = 1.0
    for n in reversed(out):
        n.grad_fn()

a = Variable(1.0)
b = Variable(2.0)
c = Variable(3.0)
total = a * b + b * c
backward(total)
print(a.grad, b.grad, c.grad)
