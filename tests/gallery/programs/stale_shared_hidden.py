from micrograd.engine import Value

w = Value(0.5)
x = Value(2.0)
h = w * x
loss1 = h * h
loss2 = h * 3.0

loss1.backward()
print("loss1:", w.grad)
w.grad = 0.0
x.grad = 0.0
loss2.backward()
print("loss2:", w.grad)
