import sys
from micrograd.engine import Value

x = Value(1.0)
y = x * 2.0
y.backward()
numbers = [float(n) for n in sys.stdin.readline().split(",")]
print(numbers)
