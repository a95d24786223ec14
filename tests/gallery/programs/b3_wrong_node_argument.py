class Var:
    __slots__ = ("num", "delta", "ins", "push")
    def __init__(self, num, ins=(), push=None):
        self.num, self.delta, self.ins, self.push = num, 0.0, ins, push

def push_add(me):
    for i in me.ins:
        i.delta += me.delta

def push_mul(me):
    p, q = me.ins
    p.delta += q.num * me.delta
    q.delta += q.num * me.delta

def add(p, q):
    return Var(p.num + q.num, (p, q), push_add)

def mul(p, q):
    return Var(p.num * q.num, (p, q), push_mul)

def order_of(end):
    out, seen = [], set()
    def go(v):
        if id(v) in seen:
            return
        seen.add(id(v))
        for i in v.ins:
            go(i)
        out.append(v)
    go(end)
    return out

def pull(end):
    end.delta = 1.0
    for v in reversed(order_of(end)):
        if v.push is not None:
            v.push(v)

u, v = Var(2.0), Var(-3.0)
w = mul(add(u, v), mul(u, v))
pull(w)
print(u.delta, v.delta)
