import math

TAPE = []


class Num:
    def __init__(self, v):
        self.v = v
        self.grad = 0.0

    def __add__(self, other):
        out = Num(self.v + other.v)

        def pull():
            self.grad += out.grad
            other.grad += out.grad

        TAPE.append(pull)
        return out

    def __mul__(self, other):
        out = Num(self.v * other.v)

        def pull():
            self.grad += other.v * out.grad
            other.grad += self.v * out.grad

        TAPE.append(pull)
        return out

    def tanh(self):
        out = Num(math.tanh(self.v))

        def pull():
            self.grad += (1 - out.v**2) * out.grad

        TAPE.append(pull)
        return out

    def relu(self):
        out = Num(max(0.0, self.v))

        def pull():
            if out.v > 0:
                self.grad += out.grad

        TAPE.append(pull)
        return out

    def exp(self):
        out = Num(math.exp(self.v))

        def pull():
            self.grad += out.v * out.grad

        TAPE.append(pull)
        return out

    def log(self):
        out = Num(math.log(self.v))

        def pull():
            self.grad += out.grad / self.v

        TAPE.append(pull)
        return out

    def __neg__(self):
        return self * Num(-1.0)

    def __sub__(self, other):
        return self + (-other)

    def backward(self):
        self.grad = 1.0
        for pull in reversed(TAPE):
            pull()
