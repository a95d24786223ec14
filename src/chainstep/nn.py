"""Neurons, layers and multi-layer perceptrons made of Values, with micrograd's names.

With the same seed of `random` a network here has the same weights as micrograd's.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from chainstep.engine import Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Module:
    """Whatever has parameters to train."""

    def zero_grad(self) -> None:
        """Forget all gradients, as is needed before every backward pass but the first."""
        for p in self.parameters():
            p.grad = 0.0

    def parameters(self) -> list[Value]:
        """The Values to train: every weight and bias."""
        return []


class Neuron(Module):
    """A weighted sum of `nin` inputs plus a bias, cut off below 0 by relu where `nonlin`."""

    def __init__(self, nin: int, nonlin: bool = True) -> None:
        self.w = [Value(random.uniform(-1, 1)) for _ in range(nin)]  # noqa: S311  no secrets
        self.b = Value(0)
        self.nonlin = nonlin

    def __call__(self, x: Iterable[Value | float]) -> Value:
        """The activation for the inputs `x`; inputs beyond the weights are ignored."""
        act = sum((wi * xi for wi, xi in zip(self.w, x, strict=False)), self.b)
        return act.relu() if self.nonlin else act

    def parameters(self) -> list[Value]:
        """The weights in the order of the inputs, then the bias."""
        return [*self.w, self.b]

    def __repr__(self) -> str:
        return f"{'ReLU' if self.nonlin else 'Linear'}Neuron({len(self.w)})"


class Layer(Module):
    """`nout` neurons that all see the same `nin` inputs."""

    def __init__(self, nin: int, nout: int, nonlin: bool = True) -> None:
        self.neurons = [Neuron(nin, nonlin) for _ in range(nout)]

    def __call__(self, x: Value | Iterable[Value | float]) -> Value | list[Value]:
        """The activations of all neurons; of a single neuron not the list but its one Value."""
        x = [x] if isinstance(x, Value) else x  # what a layer of one neuron before it gave
        out = [n(x) for n in self.neurons]
        return out[0] if len(out) == 1 else out

    def parameters(self) -> list[Value]:
        """The parameters of each neuron in turn."""
        return [p for n in self.neurons for p in n.parameters()]

    def __repr__(self) -> str:
        return f"Layer of [{', '.join(str(n) for n in self.neurons)}]"


class MLP(Module):
    """Layers one after another: `nin` inputs, then as many neurons a layer as `nouts` says.

    The last layer is linear, all others have a relu. It gives one Value where the last layer
    has one neuron, else a list of them.
    """

    def __init__(self, nin: int, nouts: Sequence[int]) -> None:
        sz = [nin, *nouts]
        self.layers = [
            Layer(sz[i], sz[i + 1], nonlin=i != len(nouts) - 1) for i in range(len(nouts))
        ]

    def __call__(self, x: Value | Iterable[Value | float]) -> Value | list[Value]:
        """What the last layer gives when each layer has worked on what the one before gave."""
        for layer in self.layers:
            x = layer(x)
        return x  # type: ignore[return-value]  # a layer's answer: there is one at the least

    def parameters(self) -> list[Value]:
        """The parameters of each layer in turn, from the inputs on."""
        return [p for layer in self.layers for p in layer.parameters()]

    def __repr__(self) -> str:
        return f"MLP of [{', '.join(str(layer) for layer in self.layers)}]"
