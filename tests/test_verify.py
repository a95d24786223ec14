"""The verdict on every gradient: right ones agree, wrong ones differ, kinks are no faults."""

from __future__ import annotations

import json
from math import isclose
from pathlib import Path

import here
import pytest

from chainstep import pytorch
from chainstep.errors import EnvironmentFault
from chainstep.options import Limits, Options
from chainstep.program import Program, load
from chainstep.reruns import Rerunner
from chainstep.runner import run
from chainstep.verify import Verdict, by_disagreement, verify, with_opinion

FAULTS = Path(__file__).parent / "faults"
EXPECTED = json.loads((FAULTS / "expected.json").read_text())
CASES = sorted((Path(__file__).parent / "cases").glob("*.py"))
OPTIONS = Options(limits=Limits(time_s=60.0))
"""What ends by itself takes as long as the machine takes; this is only a net."""
MICROGRAD = "from micrograd.engine import Value\n"


def judge(text, *, rerun=True, torch=None, runs=here.run):
    """The verdicts on a program: {(pass, name): gradient}, of the newest node of each name."""
    program = Program("program.py", text) if isinstance(text, str) else load(str(text))
    recording = runs(program, OPTIONS)
    reruns = Rerunner(program, OPTIONS, recording, runs=runs) if rerun else None
    gradients = verify(recording, reruns, torch)
    return {(each.pass_index, recording.nodes[each.node].name): each for each in gradients}


def verdicts(judged):
    return {key: gradient.verdict for key, gradient in judged.items()}


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_every_gradient_of_the_handed_cases_agrees(path):
    assert set(verdicts(judge(path, rerun=False)).values()) == {Verdict.AGREES}


@pytest.mark.parametrize(
    "name",
    [
        "overwrite_in_add", "tanh_uses_input", "recursive_no_topo", "equal_by_value",
        "data_changed_between", "backward_called_at_once", "child_forgotten", "subnode_then_root",
    ],
)  # fmt: skip
def test_the_gradients_that_differ_are_the_wrong_ones(name):
    judged = judge(FAULTS / f"{name}.py")
    last = max(index for index, _ in judged)
    for variable, right in EXPECTED[name]["right_gradients"].items():
        gradient = judged[last, variable]
        written = EXPECTED[name]["program_gradients"][variable]
        if gradient.verdict is Verdict.UNKNOWN:
            assert name == "child_forgotten"
            assert isclose(written, right)
        elif gradient.carried:  # then only what this pass added is judged
            assert isclose(gradient.expected, right, rel_tol=1e-6)
        else:
            assert (gradient.verdict is Verdict.AGREES) is isclose(written, right)
            assert gradient.expected == pytest.approx(right, rel=1e-6)


@pytest.mark.parametrize("name", ["ok_microbatches", "ok_microgpt_style", "dead_relu"])
def test_nothing_differs_where_nothing_is_wrong(name):
    assert Verdict.DIFFERS not in verdicts(judge(FAULTS / f"{name}.py")).values()


def test_the_worst_comes_first():
    judged = judge(FAULTS / "overwrite_in_add.py", rerun=False)
    worst = by_disagreement(judged.values())[0]
    assert worst is judged[0, "x"]
    assert worst.disagreement == pytest.approx(3 / 7)


def test_what_was_carried_over_counts_for_no_verdict():
    text = MICROGRAD + "w = Value(2.0)\nfor x in 3.0, 5.0:\n    y = w * x\n    y.backward()\n"
    second = judge(text, rerun=False)[1, "w"]
    assert (second.as_written, second.carried, second.verdict) == (8.0, 3.0, Verdict.AGREES)


def test_updates_between_passes_are_seen_by_the_differences():
    text = MICROGRAD + (
        "w = Value(2.0)\nfor _ in range(3):\n    y = w * w\n    w.grad = 0\n    y.backward()\n"
        "    w.data -= 0.25 * w.grad\n"
    )
    judged = judge(text)
    assert [judged[index, "w"].expected for index in range(3)] == pytest.approx([4.0, 2.0, 1.0])
    assert set(verdicts(judged).values()) == {Verdict.AGREES}


def test_a_seed_of_ones_own_scales_what_is_expected():
    text = MICROGRAD + "x = Value(3.0)\ny = x * x\ny.grad = 0.5\ny._backward()\n"
    gradient = judge(text, rerun=False)[0, "x"]
    assert (gradient.as_written, gradient.verdict) == (3.0, Verdict.AGREES)


@pytest.mark.parametrize("slope", ["0.0", "0.5", "1.0"])
def test_a_gradient_chosen_at_a_kink_is_no_fault(slope):
    text = MICROGRAD + (
        "x = Value(0.0)\nr = x.relu()\n"
        f"def back():\n    x.grad += {slope} * r.grad\nr._backward = back\nr.backward()\n"
    )
    gradient = judge(text, rerun=False)[0, "x"]
    assert gradient.verdict is (Verdict.AGREES if slope == "0.5" else Verdict.KINK)
    assert gradient.kink == 1


def test_a_gradient_that_no_choice_at_the_kink_explains_differs():
    text = MICROGRAD + (
        "x = Value(0.0)\nr = x.relu()\n"
        "def back():\n    x.grad += 3 * r.grad\nr._backward = back\nr.backward()\n"
    )
    assert judge(text, rerun=False)[0, "x"].verdict is Verdict.DIFFERS


@pytest.mark.parametrize(
    ("program", "unknown"),
    [
        ("a = Value(3.0)\nb = Value(1e-9)\nd = a * b**-1\n", 0),
        ("a = Value(-2.0)\nb = Value(1e-9)\nd = (a * b).relu() * a + b**-1\n", 1),
        ("d = Value(0.3)\nfor _ in range(40):\n    d = d * d * 2 - 1\n", 100),
        ("b = Value(1e6)\nd = (b * b - b * 999999).tanh()\n", 0),
    ],
    ids=["next to a pole", "next to a kink", "chaos", "saturation"],
)
def test_no_right_gradient_of_a_smooth_function_differs_or_is_at_a_kink(program, unknown):
    recording = here.run(
        Program("program.py", f"from chainstep import Value\n{program}d.backward()\n"), OPTIONS
    )
    judged = [each.verdict for each in verify(recording)]
    assert not {Verdict.DIFFERS, Verdict.KINK}.intersection(judged)
    assert unknown <= judged.count(Verdict.UNKNOWN) <= 1.5 * unknown


def test_a_wrong_gradient_next_to_a_pole_differs():
    text = MICROGRAD + (
        "x = Value(1e-9)\nr = x**-1\n"
        "def back():\n    x.grad += r.data**2 * r.grad\nr._backward = back\nr.backward()\n"
    )
    gradient = judge(text, rerun=False)[0, "x"]
    assert gradient.verdict is Verdict.DIFFERS
    assert gradient.expected == pytest.approx(-1e18, rel=1e-6)


OWN_OPERATION = """
import math
from chainstep import Value

def softplus(v):
    out = Value(math.log1p(math.exp(v.data)), (v,), "softplus")
    def back():
        v.grad += SLOPE * out.grad
    out._backward = back
    return out

a = Value(0.5)
b = a * 2.0
y = softplus(b)
y.backward()
"""


def test_an_operation_that_no_table_knows_is_judged_by_running_again(monkeypatch):
    monkeypatch.setattr(
        "chainstep.reruns.MOST_S", 600.0
    )  # a busy machine takes long for all the runs
    right = "1 / (1 + math.exp(-v.data))"
    judged = judge(OWN_OPERATION.replace("SLOPE", right))
    assert {judged[0, name].verdict for name in "aby"} == {Verdict.AGREES}
    wrong = judge(OWN_OPERATION.replace("SLOPE", "math.exp(-v.data)"), runs=run)
    assert wrong[0, "a"].verdict is Verdict.DIFFERS
    assert wrong[0, "a"].expected == pytest.approx(2 / (1 + 2.718281828459045**-1.0), rel=1e-8)
    assert wrong[0, "b"].verdict is Verdict.DIFFERS


def test_without_running_again_such_a_gradient_is_unknown():
    judged = judge(OWN_OPERATION.replace("SLOPE", "0.0"), rerun=False)
    assert judged[0, "a"].verdict is Verdict.UNKNOWN


def test_what_the_graph_does_not_hold_is_found_by_running_again():
    text = MICROGRAD + "x = Value(3.0)\ny = x * x.data\ny.backward()\n"
    gradient = judge(text)[0, "x"]
    assert gradient.expected == pytest.approx(6.0, rel=1e-6)
    assert gradient.verdict is Verdict.DIFFERS


def test_a_leaf_that_was_cut_off_is_found_by_running_again():
    text = MICROGRAD + "x = Value(3.0)\nh = Value(x.data)\ny = h * 2.0\ny.backward()\n"
    judged = judge(text)
    assert judged[0, "x"].verdict is Verdict.DIFFERS
    assert judged[0, "h"].verdict is Verdict.AGREES


def test_a_pass_that_broke_off_is_not_judged():
    judged = judge(FAULTS / "root_of_zero.py", rerun=False)
    assert set(verdicts(judged).values()) == {Verdict.UNKNOWN}


def test_a_program_without_backward_is_judged_by_the_forced_pass():
    gradient = judge(MICROGRAD + "x = Value(3.0)\ny = x * x\n", rerun=False)[0, "x"]
    assert gradient.as_written is None
    assert (gradient.accumulate, gradient.verdict) == (6.0, Verdict.AGREES)


def test_pytorch_confirms_and_refutes():
    pytest.importorskip("torch")
    judged = judge(FAULTS / "tanh_uses_input.py", rerun=False, torch=pytorch.gradients)
    for name, right in EXPECTED["tanh_uses_input"]["right_gradients"].items():
        assert isclose(judged[0, name].torch, right, rel_tol=1e-12)


def test_pytorch_does_every_operation_of_the_table():
    pytest.importorskip("torch")
    path = next(path for path in CASES if path.stem == "every_operation")
    for gradient in judge(path, rerun=False, torch=pytorch.gradients).values():
        assert gradient.torch == pytest.approx(gradient.accumulate, rel=1e-12)


def test_pytorch_says_nothing_of_what_it_cannot_rebuild():
    pytest.importorskip("torch")
    text = OWN_OPERATION.replace("SLOPE", "0.0")
    judged = judge(text, rerun=False, torch=pytorch.gradients)
    assert judged[0, "a"].torch is None
    assert judged[0, "y"].torch == 1.0


def test_a_pytorch_that_does_not_load_is_told_with_what_to_do(monkeypatch):
    def refuse(_name):
        raise ImportError("no such library")

    monkeypatch.setattr(pytorch.importlib, "import_module", refuse)
    with pytest.raises(EnvironmentFault, match="pip install torch"):
        judge(MICROGRAD + "x = Value(3.0)\ny = x * x\n", rerun=False, torch=pytorch.gradients)


def test_where_there_is_no_finite_slope_it_is_said():
    judged = judge(f"{MICROGRAD}x = Value(0.0)\ny = x**0.5\n", rerun=False)
    assert not judged[0, "x"].differentiable
    assert judged[0, "y"].differentiable


def test_pytorch_can_be_asked_after_the_rest():
    pytest.importorskip("torch")
    recording = here.run(load(str(FAULTS / "overwrite_in_add.py")), OPTIONS)
    asked = with_opinion(recording, verify(recording), pytorch.gradients)
    assert {recording.nodes[each.node].name: each.torch for each in asked} == {
        "x": -7.0, "k": 3.0, "twice": -4.0, "scaled": 1.0, "y": 1.0,
    }  # fmt: skip
    assert {each.verdict for each in asked} == {Verdict.AGREES, Verdict.DIFFERS}
