from __future__ import annotations

import time

import pytest
import scenes
from hypothesis import given
from recordings import recordings, repeatable

from chainstep.graph import Node
from chainstep.readiness import Progress, Readiness
from chainstep.trace import Kind, Mode, Order, Recording, Step, Trace

A, B, C, D, E = range(5)


def diamond(order=None):
    recording = scenes.recording(scenes.diamond(), order)
    return Readiness(recording, recording.traces[0])


def whys(readiness, position=99):
    return [readiness.why(number, position) for number in range(len(readiness))]


def test_in_a_sorted_order_every_node_is_ready():
    readiness = diamond()
    assert list(readiness.early) == []
    assert whys(readiness) == [
        "The root: its gradient is the seed.",
        "Ready: its only consumer has run: e.",
        "Ready: its only consumer has run: e.",
        "Ready: all 2 consumers have run: c and d.",
        "Ready: all 2 consumers have run: c and d.",
    ]


def test_a_turn_says_where_it_is():
    turn = diamond().turn(2, 8)  # seed, e 2-4, d 5-7, c 8-10
    assert (turn.number, turn.node, turn.position, turn.early, turn.again) == (2, C, 8, False, 0)


def test_what_ran_what_runs_and_what_comes():
    readiness = diamond()

    def progress(position):
        return [readiness.turn(number, position).progress.value for number in range(5)]

    assert progress(0) == progress(1) == ["next", *["to come"] * 4]
    assert progress(2) == progress(4) == ["running", "next", *["to come"] * 3]
    assert progress(5) == ["ran", "running", "next", "to come", "to come"]
    assert progress(12) == ["ran"] * 4 + ["running"]
    assert [readiness.cursor(position) for position in (0, 1, 2, 4, 5, 12)] == [0, 0, 0, 0, 1, 4]


def test_a_node_that_is_to_come_says_whom_it_waits_for():
    readiness = diamond()
    assert readiness.why(3, 1) == "Waits for c and d: 0 of 2 consumers have run."
    assert readiness.why(3, 5) == "Waits for c: 1 of 2 consumers have run."
    assert readiness.why(4, 8) == "Ready: all 2 consumers have run: c and d."
    assert readiness.why(2, 1) == "Waits for e: 0 of 1 consumer has run."


def test_in_a_recursive_order_a_node_runs_before_its_gradient_is_complete():
    readiness = diamond([E, C, A, B, D, A, B])
    assert list(readiness.early) == [2, 3]
    assert whys(readiness)[2] == "Runs before d has run: its gradient is not complete."
    assert whys(readiness)[5] == (
        "Ready: all 2 consumers have run: c and d. "
        "It runs for the second time and passes its gradient on again."
    )
    assert [readiness.turn(number, 99).again for number in range(7)] == [0, 0, 0, 0, 0, 1, 1]


def test_a_consumer_that_will_run_again_is_waited_for_until_its_last_time():
    """b = a + a; c = b + b, by recursion over operand lists: c, b, a, a, b, a, a."""
    scene = scenes.Scene()
    a = scene.leaf("a", 1.0)
    b = scene.op("b", "+", a, a)
    c = scene.op("c", "+", b, b)
    recording = scenes.recording(scene.graph, [c, b, a, a, b, a, a])
    readiness = Readiness(recording, recording.traces[0])
    assert list(readiness.early) == [2, 3]
    assert whys(readiness)[2] == (
        "Runs before b has run for the last time: its gradient is not complete."
    )
    assert whys(readiness)[4] == (
        "Ready: its only consumer has run: c. "
        "It runs for the second time and passes its gradient on again."
    )


def test_a_students_sort_that_forgets_a_node_leaves_others_incomplete():
    readiness = diamond([E, C, A, B])
    assert list(readiness.early) == [2, 3]
    assert whys(readiness)[2] == "Its gradient is not complete: d never runs."


def test_a_sort_the_wrong_way_round_runs_everything_too_early():
    readiness = diamond([A, B, C, D, E])
    assert list(readiness.early) == [0, 1, 2, 3]
    assert whys(readiness)[0] == "Runs before c and d have run: its gradient is not complete."


def test_a_node_used_twice_by_one_consumer_waits_for_that_one():
    recording = scenes.recording(scenes.reuse())
    readiness = Readiness(recording, recording.traces[0])
    assert list(readiness.consumers(0)) == [1]
    assert whys(readiness)[1] == "Ready: its only consumer has run: b."


def test_a_node_beside_the_graph_is_used_by_nobody():
    nodes = (Node(0, "a", "", 1.0), Node(1, "stray", "", 1.0))
    steps = (Step(Kind.CALL, 0, upstream=1.0), Step(Kind.CALL, 1, upstream=0.0))
    trace = Trace(0, Mode.AS_WRITTEN, Order.AS_WRITTEN, 0, {0: 0.0, 1: 0.0}, steps, {})
    readiness = Readiness(Recording("p.py", nodes=nodes, traces=(trace,)), trace)
    assert whys(readiness)[1] == "No node of this pass uses it: its gradient stays as it was."


@pytest.mark.parametrize("order", [None, [E, D, C, B, A]])
def test_a_pass_that_broke_off_lists_what_ran(order):
    trace = scenes.trace(scenes.diamond(), order=order, error="ValueError")
    recording = Recording("p.py", nodes=scenes.diamond().nodes, traces=(trace,))
    assert len(Readiness(recording, trace)) == 5


@repeatable(100)
@given(recordings())
def test_every_order_of_every_recording_that_opens_can_be_told(recording):
    for trace in recording.traces:
        readiness = Readiness(recording, trace)
        assert len(readiness) == len(trace.sequence)
        for position in range(len(trace.steps) + 1):
            turns = [readiness.turn(number, position) for number in range(len(readiness))]
            assert [turn.node for turn in turns] == list(trace.sequence)
            assert all(turn.why for turn in turns)
            assert [turn.progress for turn in turns].count(Progress.RUNNING) <= 1
            assert 0 <= readiness.cursor(position) <= len(readiness)
            early = [turn.number for turn in turns if turn.early]
            assert early == list(readiness.early)


def test_a_large_order_is_indexed_without_delay():
    graph = scenes.network(samples=60)
    recording = scenes.recording(graph)
    began = time.thread_time()
    readiness = Readiness(recording, recording.traces[0])
    assert time.thread_time() - began < 1.0
    assert list(readiness.early) == []
