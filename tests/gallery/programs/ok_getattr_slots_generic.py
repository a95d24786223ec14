class Real:
    __slots__ = ("_v", "_g", "_from", "_how")

    def __init__(self, v, frm=(), how=None):
        self._v, self._g, self._from, self._how = float(v), 0.0, frm, how

    @staticmethod
    def of(x):
        return x if isinstance(x, Real) else Real(x)

    def __add__(self, o):
        o = Real.of(o)
        return Real(self._v + o._v, (self, o), lambda g: (g, g))

    __radd__ = __add__

    def __mul__(self, o):
        o = Real.of(o)
        return Real(self._v * o._v, (self, o), lambda g: (g * o._v, g * self._v))

    __rmul__ = __mul__

    def __neg__(self):
        return self * -1.0

    def __sub__(self, o):
        return self + (-Real.of(o))

    def __truediv__(self, o):
        o = Real.of(o)
        return Real(self._v / o._v, (self, o), lambda g: (g / o._v, -g * self._v / o._v ** 2))

    def __pow__(self, n):
        r = self
        for _ in range(n - 1):
            r = r * self
        return r

    def differentiate(self):
        order, seen = [], set()
        def walk(r):
            if id(r) in seen:
                return
            seen.add(id(r))
            for f in r._from:
                walk(f)
            order.append(r)
        walk(self)
        self._g = 1.0
        for r in order[::-1]:
            if r._how:
                for f, g in zip(r._from, r._how(r._g)):
                    f._g += g

x = Real(1.1)
y = Real(0.4)
z = 2.0 * x ** 3 - y / x + 1.0
z.differentiate()
print(x._g, y._g)
