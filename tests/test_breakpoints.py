from __future__ import annotations

import json
from dataclasses import replace

import pytest
import scenes
from hypothesis import given
from hypothesis import strategies as st
from recordings import recordings, repeatable

from chainstep.breakpoints import Breakpoint, BreakpointError, Hits, NodeName
from chainstep.condition import ConditionError
from chainstep.errors import ChainstepError
from chainstep.graph import Node
from chainstep.stepper import Stepper
from chainstep.story import Story
from chainstep.trace import Mode, Order, Recording
from chainstep.watch import watched

A, B, C, D, E = range(5)
BACKWARD = 17  # the diamond: 5 made, 12 moments of its sort


@pytest.fixture(scope="module")
def recording():
    return scenes.recording(scenes.diamond())


@pytest.fixture(scope="module")
def story(recording):
    return Story(recording, recording.traces[0])


def named(name):
    return NodeName(name, None)


def steps(*numbers):
    """Positions of the story from numbers of steps, from 1: seed, e 2-4, d 5-7, c 8-10, b, a."""
    return [BACKWARD + number for number in numbers]


# -- where they hit ------------------------------------------------------------------------


def test_a_node_hits_where_it_is_made_appended_and_begins_its_backward(story):
    assert list(Breakpoint(named("c")).hits(story)) == [3, 5 + 7, *steps(8)]
    assert list(Breakpoint(named("nowhere")).hits(story)) == []


def test_an_op_hits_at_every_node_of_it(story):
    assert list(Breakpoint(op="*").hits(story)) == [4, 5, 5 + 11, 5 + 12, *steps(2, 5)]
    assert list(Breakpoint(op="relu").hits(story)) == []


def test_a_power_of_any_exponent_is_a_power():
    nodes = (
        Node(0, "a", "", 2.0),
        Node(1, "y", "**2", 4.0, (0,), serial=1),
        Node(2, "z", "ReLU", 4.0, (1,), serial=2),
    )
    trace = replace(
        scenes.trace(scenes.reuse()), root=2, steps=(), initial=dict.fromkeys(range(3), 0.0)
    )
    story = Story(Recording("p.py", nodes=nodes, traces=(trace,)), trace)
    assert list(Breakpoint(op="**").hits(story)) == [2]
    assert list(Breakpoint(op="**2").hits(story)) == [2]
    assert list(Breakpoint(op="**3").hits(story)) == []
    assert list(Breakpoint(op="relu").hits(story)) == [3]


@pytest.mark.parametrize(
    ("condition", "hits"),
    [
        ("grad > 10", steps(6, 9, 10)),  # a gets 15, then 21; b gets 10, then 16
        ("grad >= 10 and first write", steps(6, 7)),
        ("second write", steps(9, 10)),
        ("modes differ", steps(9, 10)),
        ("contribution == 6", steps(3, 9, 10)),
        ("isnan", []),
        ("data > 5", [4, 5, *steps(1, 4)]),  # d and e made; e seeded; d written
        ('name == "a"', [1, *steps(6, 9)]),
        ("leaf", [1, 2, *steps(6, 7, 9, 10)]),
    ],
)
def test_a_condition_hits_at_every_change_after_which_it_holds(recording, story, condition, hits):
    assert list(Breakpoint(condition=condition).hits(story, recording.traces[1])) == hits


def test_without_another_mode_nothing_differs(story):
    assert list(Breakpoint(condition="modes differ").hits(story)) == []


def test_a_condition_on_a_node_holds_at_its_changes_and_its_call(story):
    hits = Breakpoint(named("a"), condition="grad > 15").hits(story)
    assert list(hits) == steps(9, 12)
    made = Breakpoint(named("d"), condition="data == 6").hits(story)
    assert list(made) == [4, 5 + 11, *steps(4, 5)]


def test_a_node_and_an_op_are_both_meant(story):
    assert list(Breakpoint(named("c"), op="*").hits(story)) == []
    assert list(Breakpoint(named("c"), op="+").hits(story)) == [3, 12, *steps(8)]


def test_in_a_recursive_order_a_node_hits_each_time_it_runs():
    recording = scenes.recording(scenes.diamond(), [E, C, A, B, D, A, B])
    trace = replace(recording.traces[0], order=Order.RECURSIVE)
    assert len(Breakpoint(named("a")).hits(Story(recording, trace))) == 3


# -- some of them together -----------------------------------------------------------------


def test_running_to_the_next_hit_and_back_stops_at_each_once(recording, story):
    hits = Hits(story, recording.traces[1])
    hits.set([Breakpoint(named("c")), Breakpoint(condition="second write")])
    assert list(hits.positions) == [3, 12, *steps(8, 9, 10)]
    assert [hits.next(position) for position in (0, 3, 12, 27)] == [3, 12, steps(8)[0], None]
    assert [hits.previous(position) for position in (99, 27, 12, 3)] == [27, 26, 3, None]


def test_one_that_is_switched_off_does_not_hit_but_is_still_counted(story):
    off = Breakpoint(named("c"), enabled=False)
    hits = Hits(story)
    hits.set([off])
    assert list(hits.positions) == []
    assert hits.at(3) == ()
    assert hits.count(off, 12) == (2, 3)


def test_what_hits_at_a_position_is_told(story):
    node, op = Breakpoint(named("c")), Breakpoint(op="+")
    hits = Hits(story)
    hits.set([node, op, Breakpoint(named("a"))])
    assert hits.at(3) == (node, op)
    assert hits.at(4) == ()
    assert list(hits.positions).count(3) == 1


def test_without_breakpoints_nothing_hits(story):
    hits = Hits(story)
    assert hits.next(0) is None
    hits.set([Breakpoint(named("c"))])
    hits.set([])
    assert hits.previous(99) is None


# -- names ---------------------------------------------------------------------------------


def twins():
    nodes = (
        Node(0, "w", "", 1.0, serial=4, aliases=("n.w[0]",)),
        Node(1, "y", "*", 1.0, (0, 0), serial=5),
        Node(2, "y", "+", 2.0, (1, 0), serial=8),
    )
    initial = dict.fromkeys(range(3), 0.0)
    trace = replace(scenes.trace(scenes.reuse()), root=2, steps=(), initial=initial)
    return Story(Recording("p.py", nodes=nodes, traces=(trace,)), trace)


def test_of_nodes_with_one_name_the_serial_tells_and_else_the_newest_is_meant():
    story = twins()
    assert NodeName("y", 5).find(story) == 1
    assert NodeName("y", 8).find(story) == 2
    assert NodeName("y", 77).find(story) == 2
    assert NodeName("y").find(story) == 2
    assert NodeName("n.w[0]").find(story) == 0
    assert NodeName("z", 5).find(story) is None


def test_a_node_is_kept_by_its_name_and_serial():
    assert NodeName.of(twins().recording.nodes[1]) == NodeName("y", 5)


# -- keeping them --------------------------------------------------------------------------

KEPT = [
    Breakpoint(NodeName("c", 3)),
    Breakpoint(NodeName("c"), condition="grad > 1", enabled=False),
    Breakpoint(op="*"),
    Breakpoint(condition="modes differ"),
]


@pytest.mark.parametrize("kept", KEPT, ids=str)
def test_a_breakpoint_comes_back_from_json(kept):
    assert Breakpoint.from_data(json.loads(json.dumps(kept.to_data()))) == kept


def test_a_breakpoint_says_what_it_is_about():
    assert [str(each) for each in KEPT] == ["c", "c if grad > 1", "every *", "modes differ"]
    assert str(Breakpoint(op="+", condition="grad > 1")) == "every + if grad > 1"


GOOD = KEPT[1].to_data()


@pytest.mark.parametrize(
    "data",
    [
        *(None, [], "c", {}, {"node": None}, {**GOOD, "more": 1}),
        *({**GOOD, key: value} for key, value in (("op", 1), ("enabled", 1), ("node", "c"))),
        {**GOOD, "node": {"name": "c"}},
        {**GOOD, "node": {"name": "c", "serial": True}},
        {**GOOD, "node": {"name": 1, "serial": 1}},
        {"node": None, "op": "", "condition": "", "enabled": True},
    ],
)
def test_what_is_no_kept_breakpoint_is_refused(data):
    with pytest.raises(BreakpointError):
        Breakpoint.from_data(data)


def test_a_kept_condition_that_is_not_understood_is_refused():
    with pytest.raises(ConditionError):
        Breakpoint.from_data({**GOOD, "condition": "grad ="})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from([*GOOD, "name", "serial"]), inner, max_size=4)
    ),
    max_leaves=8,
)


@repeatable(200)
@given(JSON)
def test_any_data_is_taken_or_refused(data):
    try:
        kept = Breakpoint.from_data(data)
    except ChainstepError:
        return
    assert Breakpoint.from_data(kept.to_data()) == kept


# -- watches -------------------------------------------------------------------------------


def test_the_watch_list_shows_both_gradients(recording, story):
    steppers = {trace.mode: Stepper(trace, 5) for trace in recording.traces}
    for stepper in steppers.values():
        stepper.seek(9)
    a, gone = watched([named("a"), named("gone")], story, steppers)
    assert (a.node, a.data) == (A, 2.0)
    assert a.gradients == {Mode.ACCUMULATE: 21.0, Mode.OVERWRITE: 6.0}
    assert [state.final for state in a.states.values()] == [True, True]
    assert (gone.node, gone.data, gone.gradients) == (None, None, {})


# -- all of it -----------------------------------------------------------------------------


@repeatable(80)
@given(recordings(), st.sampled_from(["grad > 1", "data < 0", "modes differ", "second write"]))
def test_every_breakpoint_can_be_looked_for_in_every_recording_that_opens(recording, condition):
    for trace in recording.traces:
        story = Story(recording, trace)
        name = NodeName.of(recording.nodes[0])
        for each in (
            Breakpoint(name),
            Breakpoint(op="+"),
            Breakpoint(condition=condition),
            Breakpoint(name, condition=condition),
        ):
            hits = list(each.hits(story, recording.traces[0]))
            assert hits == sorted(set(hits))
            assert all(0 < hit <= story.length for hit in hits)


@repeatable(80)
@given(recordings())
def test_a_gradient_condition_agrees_with_the_stepper(recording):
    for trace in recording.traces:
        story = Story(recording, trace)
        stepper = Stepper(trace, len(recording.nodes))
        expected = []
        for number, step in enumerate(trace.steps, start=1):
            stepper.seek(number)
            if step.target is not None and stepper.gradients[step.target] > 0.5:
                expected.append(story.position_of_backward(number))
        assert list(Breakpoint(condition="grad > 0.5").hits(story)) == expected
