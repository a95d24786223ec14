import math
class V:
    def __init__(self, d, ch=(), op=None):
        self.d, self.grad, self.ch, self.op = d, 0.0, ch, op
    def __add__(s, o): return V(s.d + o.d, (s, o), 'add')
    def __mul__(s, o): return V(s.d * o.d, (s, o), 'mul')
    def sin(s): return V(math.sin(s.d), (s,), 'sin')
    def backward(self):
        topo, seen = [], set()
        stack = [(self, False)]
        while stack:
            v, ready = stack.pop()
            if ready: topo.append(v); continue
            if v in seen: continue
            seen.add(v)
            stack.append((v, True))
            for c in v.ch: stack.append((c, False))
        for v in topo: v.grad = 0.0
        self.grad = 1.0
        for v in reversed(topo):
            if v.op == 'add':
                for c in v.ch: c.grad += v.grad
            elif v.op == 'mul':
                a, b = v.ch
                a.grad += v.grad * b.d
                b.grad += v.grad * a.d
            elif v.op == 'sin':
                v.ch[0].grad += v.grad * math.cos(v.ch[0].d)
