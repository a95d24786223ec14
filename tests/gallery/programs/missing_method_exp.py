from micrograd.engine import Value

logits = [Value(0.1), Value(0.7), Value(-0.3)]
counts = [l.exp() for l in logits]
total = sum(counts)
probs = [c / total for c in counts]
probs[1].backward()
print([l.grad for l in logits])
