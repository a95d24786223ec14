from __future__ import annotations
from dataclasses import dataclass, field
from typing import Callable


@dataclass(eq=False)
class Num:
    val: float
    prev: tuple = ()
    grad: float = 0.0
    back: Callable = field(default=lambda: None, repr=False)

    def __sub__(self, other: Num) -> Num:
        res = Num(self.val - other.val, (self, other))

        def back():
            self.grad += res.grad
            other.grad = -res.grad

        res.back = back
        return res

    def __mul__(self, other: Num) -> Num:
        res = Num(self.val * other.val, (self, other))

        def back():
            self.grad += other.val * res.grad
            other.grad += self.val * res.grad

        res.back = back
        return res


def topo_sort(root):
    out, mark = [], set()

    def rec(n):
        if id(n) in mark:
            return
        mark.add(id(n))
        for p in n.prev:
            rec(p)
        out.append(n)

    rec(root)
    return out


def backprop(root):
    root.grad = 1.0
    for n in reversed(topo_sort(root)):
        n.back()


m = Num(3.0)
n = Num(1.0)
r = (m - n) * n
backprop(r)
print(m.grad, n.grad)
