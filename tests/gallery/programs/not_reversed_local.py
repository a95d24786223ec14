import itertools

counter = itertools.count()


class Node:
    def __init__(self, data, parents=(), locals_=()):
        self.data = data
        self.grad = 0.0
        self.parents = parents
        self.locals_ = locals_
        self.number = next(counter)

    def __add__(self, o):
        return Node(self.data + o.data, (self, o), (1.0, 1.0))

    def __mul__(self, o):
        return Node(self.data * o.data, (self, o), (o.data, self.data))

    def backward(self):
        found = {self}
        todo = [self]
        while todo:
            for p in todo.pop().parents:
                if p not in found:
                    found.add(p)
                    todo.append(p)
        self.grad = 1.0
        for node in sorted(found, key=lambda n: n.number):
            for p, slope in zip(node.parents, node.locals_):
                p.grad += slope * node.grad


u = Node(0.5)
w = Node(2.0)
y = (u + w) * (w * u)
y.backward()
print(u.grad, w.grad)
