from micrograd.engine import Value

def my_backward(root):
    order = []
    marked = set()
    def visit(n):
        if n in marked:
            return
        marked.add(n)
        for c in n._prev:
            visit(c)
        order.append(root)
    visit(root)
    root.grad = 1.0
    for n in reversed(order):
        n._backward()

a = Value(1.5)
b = Value(2.0)
c = a * b
d = c * c
my_backward(d)
print(a.grad, b.grad)
