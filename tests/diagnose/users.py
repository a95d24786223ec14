class Node:
    def __init__(self, val, args=(), back=None):
        self.val = val
        self.grad = 0.0
        self.args = args
        self.back = back
        self.users = 0
        for a in args: a.users += 1
    def __add__(self, other):
        out = Node(self.val + other.val, (self, other))
        def back():
            self.grad += out.grad
            other.grad += out.grad
        out.back = back
        return out
    def __mul__(self, other):
        out = Node(self.val * other.val, (self, other))
        def back():
            self.grad += out.grad * other.val
            other.grad += out.grad * self.val
        out.back = back
        return out
    def backward(self):
        self.grad = 1.0
        queue = [self]
        left = {}
        while queue:
            n = queue.pop()
            if n.back: n.back()
            for a in n.args:
                left[a] = left.get(a, a.users) - 1
                if left[a] == 0: queue.append(a)
