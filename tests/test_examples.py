from __future__ import annotations

import ast
import importlib.resources
import json
from math import isclose
from pathlib import Path

import pytest

from chainstep.options import Options
from chainstep.program import examples
from chainstep.runner import run
from chainstep.trace import Kind, Mode, Order, Status

CASES = Path(__file__).parent / "cases"
FOLDER = importlib.resources.files("chainstep.resources") / "examples"
GRADIENTS = json.loads((FOLDER / "gradients.json").read_text("utf-8"))
EXAMPLES = {example.name: example for example in examples()}
VIEWS = {
    "accumulate": Mode.ACCUMULATE,
    "overwrite": Mode.OVERWRITE,
    "both": Mode.ACCUMULATE,
    "as-written": Mode.AS_WRITTEN,
}


@pytest.fixture(scope="module")
def recorded():
    """The recording of an example, made once."""
    recordings = {}

    def record(name):
        if name not in recordings:
            recordings[name] = run(EXAMPLES[name].program, Options())
        return recordings[name]

    return record


def named(recording, name):
    return [node for node in recording.nodes if name in {node.name, *node.aliases}][-1]


def test_the_neuron_comes_first():
    assert next(iter(EXAMPLES)) == "neuron"


def test_every_handed_case_is_an_example_with_its_own_numbers():
    for path in CASES.glob("*.json"):
        assert GRADIENTS[path.stem] == json.loads(path.read_text())


@pytest.mark.parametrize("name", [path.stem for path in CASES.glob("*.py")])
def test_an_example_tells_its_case_in_its_own_words(name):
    handed = (CASES / f"{name}.py").read_text()
    ours = EXAMPLES[name].text
    assert ast.dump(ast.parse(ours)) == ast.dump(ast.parse(handed))
    assert ours.startswith("# ")
    assert ours != handed


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_runs_to_its_end_in_every_mode(recorded, name):
    recording = recorded(name)
    assert recording.outcome.status is Status.OK, recording.outcome.message
    assert all(trace.error is None for trace in recording.traces)


@pytest.mark.parametrize("name", GRADIENTS)
def test_an_example_ends_at_the_known_gradients(recorded, name):
    recording = recorded(name)
    assert len(recording.nodes) == GRADIENTS[name]["nodes"]
    for variable, numbers in GRADIENTS[name]["values"].items():
        node = named(recording, variable)
        adds, loses = recording.trace(Mode.ACCUMULATE), recording.trace(Mode.OVERWRITE)
        found = (node.data, adds.final[node.id], loses.final[node.id])
        for number, right in zip(found, numbers.values(), strict=True):
            assert isclose(number, right, rel_tol=1e-12), (variable, numbers)


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_opens_in_a_view_and_at_a_step_that_it_has(recorded, name):
    example = EXAMPLES[name]
    trace = recorded(name).trace(VIEWS[example.view], example.pass_index)
    assert trace is not None
    assert -len(trace.steps) - 1 <= example.position <= len(trace.steps)
    assert example.title
    assert len(example.title) <= 60
    assert example.look_for.endswith(".")


@pytest.mark.parametrize(("name", "giver"), [("diamond", "c"), ("reuse", "b"), ("own_value", "p")])
def test_an_example_about_a_loss_opens_right_before_it(recorded, name, giver):
    recording = recorded(name)
    trace = recording.trace(VIEWS[EXAMPLES[name].view])
    step = trace.steps[EXAMPLES[name].position]
    assert step.kind is Kind.WRITE
    assert recording.nodes[step.node].name == giver
    assert step.before not in {0.0, step.after}


def test_the_recursive_order_gives_the_wrong_gradients_that_the_example_promises():
    recording = run(EXAMPLES["why_sort"].program, Options(order=Order.RECURSIVE))
    final = recording.trace(Mode.ACCUMULATE).final
    assert [final[named(recording, name).id] for name in "ab"] == [29.0, 22.0]


def test_a_second_backward_without_zeroing_ends_where_the_example_says(recorded):
    recording = recorded("backward_twice")
    again = recording.trace(Mode.AS_WRITTEN, 1)
    assert [again.final[named(recording, name).id] for name in "abcd"] == [3.0, 3.0, 2.0, 10.0]


def test_the_students_class_loses_a_contribution_as_the_example_says(recorded):
    recording = recorded("own_value")
    x = named(recording, "x").id
    assert recording.trace(Mode.AS_WRITTEN).final[x] == 4.0
    assert recording.trace(Mode.ACCUMULATE).final[x] == 5.0


def test_every_weight_of_the_network_gets_a_contribution_from_every_point(recorded):
    recording = recorded("mlp")
    trace = recording.trace(Mode.ACCUMULATE)
    weight = next(
        node for node in recording.nodes if "net.layers[0].neurons[0].w[0]" in node.aliases
    )
    writes = [step for step in trace.steps if step.target == weight.id]
    assert len(writes) == 4
