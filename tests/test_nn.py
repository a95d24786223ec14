"""Networks of Values, held against micrograd's own."""

from __future__ import annotations

import random

import micrograd.nn
import pytest

from chainstep import Value
from chainstep.graph import topological
from chainstep.nn import MLP, Layer, Module, Neuron

POINTS = [(2.0, 3.0), (-1.0, 0.5), (0.25, -2.0), (1.0, 1.0)]


def seeded(kind, *arguments, **options):
    random.seed(7)
    return kind(*arguments, **options)


def test_the_same_seed_gives_the_weights_of_micrograd():
    ours = seeded(MLP, 2, [3, 1])
    theirs = seeded(micrograd.nn.MLP, 2, [3, 1])
    assert [p.data for p in ours.parameters()] == [p.data for p in theirs.parameters()]


def test_a_loss_has_the_gradients_of_micrograd():
    networks = seeded(MLP, 2, [4, 4, 1]), seeded(micrograd.nn.MLP, 2, [4, 4, 1])
    gradients = []
    for network in networks:
        loss = sum((network(x) - 1) ** 2 for x in POINTS)
        loss.backward()
        gradients.append([p.grad for p in network.parameters()])
    assert gradients[0] == pytest.approx(gradients[1], rel=1e-12)


def test_representations_are_those_of_micrograd():
    assert repr(MLP(2, [2, 1])) == repr(micrograd.nn.MLP(2, [2, 1]))


def test_zero_grad_forgets_the_gradients_of_all_parameters():
    network = MLP(2, [2, 1])
    network((1.0, 2.0)).backward()
    assert any(p.grad for p in network.parameters())
    network.zero_grad()
    assert [p.grad for p in network.parameters()] == [0.0] * 9


def test_a_module_has_no_parameters_of_its_own():
    assert Module().parameters() == []


def test_a_neuron_adds_weighted_inputs_to_its_bias_in_order():
    neuron = Neuron(2, nonlin=False)
    out = neuron((2.0, 3.0))
    first = out._prev[0]
    assert first._prev[0] is neuron.b
    assert first._prev[1]._prev[0] is neuron.w[0]
    assert len(topological(out, lambda v: v._prev)) == 9


def test_relu_cuts_a_neuron_off_unless_it_is_linear():
    for nonlin, expected in ((True, 0.0), (False, -6.0)):
        neuron = Neuron(1, nonlin=nonlin)
        neuron.w[0].data = -2.0
        assert neuron([3.0]).data == expected


def test_only_the_last_layer_of_a_network_is_linear():
    network = MLP(2, [3, 3, 1])
    assert [layer.neurons[0].nonlin for layer in network.layers] == [True, True, False]


def test_a_layer_gives_a_list_and_a_layer_of_one_neuron_its_value():
    assert [type(v) for v in Layer(2, 3)((1.0, 2.0))] == [Value] * 3
    assert type(Layer(2, 1)((1.0, 2.0))) is Value


def test_a_layer_of_one_neuron_can_stand_in_the_middle():
    network = MLP(2, [1, 2, 1])
    network((1.0, 2.0)).backward()
    assert len(network.parameters()) == 3 + 4 + 3


def test_inputs_may_be_values_that_get_their_gradients():
    x = Value(2.0)
    neuron = Neuron(1, nonlin=False)
    neuron([x]).backward()
    assert x.grad == neuron.w[0].data
