class Quantity:
    def __init__(self, amount, sources=()):
        self.amount = amount
        self.sources = sources
        self.sensitivity = 0.0
        self.spread = None

    def plus(self, other):
        made = Quantity(self.amount + other.amount, (self, other))
        def spread():
            self.sensitivity += made.sensitivity
            other.sensitivity += made.sensitivity
        made.spread = spread
        return made

    def times(self, other):
        made = Quantity(self.amount * other.amount, (self, other))
        def spread():
            self.sensitivity += other.amount * made.sensitivity
            other.sensitivity += self.amount * made.sensitivity
        made.spread = spread
        return made


def differentiate(goal):
    uses = {}
    todo = [goal]
    seen = {goal}
    while todo:
        q = todo.pop()
        for s in q.sources:
            uses[s] = uses.get(s, 0) + 1
            if s not in seen:
                seen.add(s)
                todo.append(s)
    goal.sensitivity = 1.0
    ready = [goal]
    while ready:
        q = ready.pop()
        if q.spread:
            q.spread()
        for s in q.sources:
            uses[s] -= 1
            if uses[s] == 0:
                ready.append(s)


a = Quantity(2.0)
b = Quantity(-1.0)
p = a.times(b)
goal = p.plus(a).times(p)
differentiate(goal)
print(a.sensitivity, b.sensitivity)
