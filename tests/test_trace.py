from __future__ import annotations

import dataclasses
import pickle

import pytest

from chainstep import errors
from chainstep.errors import ChainstepError, RecordingError
from chainstep.graph import Node
from chainstep.options import Limits, Options
from chainstep.trace import RECORDED, Kind, Mode, Order, Outcome, Recording, Status, Step, Trace

# a, b, c = a * b, d = a + b
NODES = (
    Node(0, "a", "", 2.0),
    Node(1, "b", "", 3.0),
    Node(2, "c", "*", 6.0, (0, 1)),
    Node(3, "d", "+", 5.0, (0, 1)),
)
STEPS = (
    Step(Kind.SEED, 2, None, 2, None, None, 1.0, 0.0, 1.0, accumulates=False),
    Step(Kind.CALL, 2, upstream=1.0),
    Step(Kind.WRITE, 2, 0, 0, 1.0, 3.0, 3.0, 0.0, 3.0, accumulates=True),
    Step(Kind.WRITE, 2, 1, 1, 1.0, 2.0, 2.0, 0.0, 2.0, accumulates=True),
    Step(Kind.CALL, 0, upstream=3.0),
    Step(Kind.CALL, 1, upstream=2.0),
    Step(Kind.OUTSIDE, target=0, before=3.0, after=0.0, accumulates=False),
)


def trace(pass_index=0, mode=Mode.ACCUMULATE, root=2, initial=(0, 1, 2), steps=STEPS):
    held = dict.fromkeys(initial, 0.0)
    return Trace(pass_index, mode, Order.DEPTH_FIRST, root, held, tuple(steps), {})


def test_the_sequence_is_the_order_of_the_calls():
    assert trace().sequence == (2, 0, 1)
    assert trace(steps=()).sequence == ()


def test_the_final_gradients_are_the_last_ones_written_and_the_initial_ones_stay():
    found = trace()
    assert found.final == {0: 0.0, 1: 2.0, 2: 1.0}
    assert found.initial == {0: 0.0, 1: 0.0, 2: 0.0}
    assert trace(steps=()).final == {0: 0.0, 1: 0.0, 2: 0.0}


def test_a_recording_finds_its_traces_by_pass_and_mode():
    forced = [trace(0, mode) for mode in (Mode.ACCUMULATE, Mode.OVERWRITE)]
    second = trace(1, Mode.AS_WRITTEN)
    recording = Recording("p.py", nodes=NODES, traces=(*forced, second))
    assert recording.passes == 2
    assert recording.trace(Mode.OVERWRITE) is forced[1]
    assert recording.trace(Mode.AS_WRITTEN, 1) is second
    assert recording.trace(Mode.AS_WRITTEN, 0) is None
    assert recording.trace(Mode.ACCUMULATE, 2) is None


def test_a_recording_without_traces_has_no_passes():
    assert Recording("p.py").passes == 0


def test_the_graph_of_a_pass_is_what_its_root_reaches():
    graph = Recording("p.py", nodes=NODES, traces=(trace(),)).graph()
    assert [node.id for node in graph.nodes] == [0, 1, 2]
    assert graph.root == 2


def test_the_graph_of_a_pass_holds_what_the_pass_wrote_besides():
    graph = Recording("p.py", nodes=NODES, traces=(trace(initial=(0, 1, 2, 3)),)).graph()
    assert 3 in graph


def test_the_graph_of_a_pass_holds_what_the_program_called_by_hand_besides():
    steps = (*STEPS, Step(Kind.CALL, 3, upstream=0.0))
    graph = Recording("p.py", nodes=NODES, traces=(trace(steps=steps),)).graph()
    assert [node.id for node in graph.nodes] == [0, 1, 2, 3]
    assert graph.root == 2


def test_the_graph_of_a_pass_holds_the_roots_of_all_its_traces():
    other = trace(mode=Mode.OVERWRITE, root=3, initial=(), steps=())
    graph = Recording("p.py", nodes=NODES, traces=(trace(), other)).graph()
    assert 3 in graph


def test_each_pass_has_its_own_graph():
    traces = (trace(), trace(1, root=3, initial=(0, 1, 3), steps=()))
    recording = Recording("p.py", nodes=NODES, traces=traces)
    assert [node.id for node in recording.graph(1).nodes] == [0, 1, 3]
    assert recording.graph(1).root == 3


def test_a_pass_that_was_not_recorded_is_an_error_that_says_how_many_there_are():
    with pytest.raises(RecordingError, match=r"p\.py has no backward pass 3: it has 1\."):
        Recording("p.py", nodes=NODES, traces=(trace(),)).graph(2)


def test_the_words_that_scripts_read_are_the_ones_of_the_contract():
    assert [kind.value for kind in Kind] == ["seed", "call", "write", "outside"]
    assert [mode.value for mode in RECORDED] == ["accumulate", "overwrite", "as-written"]
    orders = ["depth-first", "breadth-first", "recursive", "as-written"]
    assert [order.value for order in Order] == orders
    statuses = "ok exception no-graph timeout memory output too-large crashed stopped"
    assert [status.value for status in Status] == statuses.split()


@pytest.mark.parametrize(
    "data",
    [
        Recording("p.py", nodes=NODES, traces=(trace(),)),
        Outcome(Status.OK),
        Options(order=Order.RECURSIVE, limits=Limits(nodes=5)),
    ],
    ids=lambda data: type(data).__name__,
)
def test_what_crosses_threads_and_processes_is_plain_data_that_nobody_changes(data):
    assert pickle.loads(pickle.dumps(data)) == data
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(data, dataclasses.fields(data)[0].name, None)


def test_a_run_has_limits_without_being_told():
    limits = Options().limits
    assert limits == Limits()
    assert all(getattr(limits, field.name) > 0 for field in dataclasses.fields(limits))
    assert Options().order is Order.DEPTH_FIRST


def test_one_except_clause_catches_every_error_raised_on_purpose():
    found = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    assert len(found) >= 4
    assert all(issubclass(kind, ChainstepError) for kind in found)
