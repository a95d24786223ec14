from __future__ import annotations

from dataclasses import replace

import pytest
import scenes
from hypothesis import given
from recordings import recordings, repeatable

from chainstep.explain import explain
from chainstep.graph import Node
from chainstep.narration import begin, narrate
from chainstep.story import Phase, Story
from chainstep.trace import Mode, Order, Recording, Trace

A, B, C, D, E = range(5)


def diamond(order=Order.DEPTH_FIRST, sequence=None):
    recording = scenes.recording(scenes.diamond(), sequence)
    return Story(recording, replace(recording.traces[0], order=order))


def of(nodes, root=None, data=None, order=Order.DEPTH_FIRST):
    """The story of nodes without any backward step: only what comes before."""
    root = len(nodes) - 1 if root is None else root
    steps = (replace(scenes.trace(scenes.diamond()).steps[1], node=root),)
    initial = dict.fromkeys(range(len(nodes)), 0.0)
    trace = Trace(0, Mode.ACCUMULATE, order, root, initial, steps, data or {})
    return Story(Recording("p.py", nodes=tuple(nodes), traces=(trace,)), trace)


def said(story, position):
    told = narrate(story, position)
    return [told.title, *told.sentences]


# -- forward -------------------------------------------------------------------------------


def test_before_everything_stands_what_will_be_made():
    assert said(diamond(), 0) == [
        "Before the first Value is made",
        "The forward phase comes first: 5 Values will be made, each with its data.",
        "Each one also stores a _backward for later. None runs yet.",
    ]


def test_a_leaf_is_made():
    told = narrate(diamond(), 1)
    assert told.title == "a is made"
    assert told.sentences == (
        "a is made in line 3: a leaf with data 2.0.",
        "It has no children, so there is nothing for its _backward to do.",
    )
    assert (told.symbols, told.numbers) == ("a = 2.0", "")


def test_a_sum_is_made_and_its_backward_is_stored_not_run():
    told = narrate(diamond(), 3)
    assert told.title == "c is made"
    assert told.sentences == (
        "c = a + b is made in line 5: 2.0 + 3.0 = 5.0.",
        "Its _backward is stored, not run: it will pass a gradient on to a and b.",
    )
    assert (told.symbols, told.numbers) == ("c = a + b", "5.0 = 2.0 + 3.0")


def test_the_last_value_says_that_the_forward_phase_is_over():
    assert said(diamond(), 5)[1:] == [
        "e = c * d is made in line 7: 5.0 * 6.0 = 30.0.",
        "Its _backward is stored, not run: it will pass a gradient on to c and d.",
        "All Values of this pass are made. The sort comes next.",
    ]


@pytest.mark.parametrize(
    ("op", "operands", "data", "symbols", "numbers"),
    [
        ("+", (2.0, -3.0), -1.0, "y = a + b", "-1.0 = 2.0 + (-3.0)"),
        ("sub", (2.0, 3.0), -1.0, "y = a - b", "-1.0 = 2.0 - 3.0"),
        ("/", (1.0, 4.0), 0.25, "y = a / b", "0.25 = 1.0 / 4.0"),
        ("**", (2.0, 3.0), 8.0, "y = a**b", "8.0 = 2.0**3.0"),
        ("**2", (-3.0,), 9.0, "y = a**2", "9.0 = (-3.0)**2"),
        ("neg", (-3.0,), 3.0, "y = -a", "3.0 = -(-3.0)"),
        ("tanh", (0.0,), 0.0, "y = tanh(a)", "0.0 = tanh(0.0)"),
        ("relu", (-1.0,), 0.0, "y = relu(a)", "0.0 = relu(-1.0)"),
        ("mine", (1.0, 2.0), 7.0, "y = mine(a, b)", ""),
        ("", (1.0, 2.0), 7.0, "", ""),
        ("+", (1.0, 2.0), 7.0, "y = a + b", ""),
    ],
)
def test_every_operation_is_written_as_one_writes_it(op, operands, data, symbols, numbers):
    nodes = [Node(n, "ab"[n], "", value) for n, value in enumerate(operands)]
    nodes.append(Node(len(nodes), "y", op, data, tuple(range(len(nodes)))))
    told = narrate(of(nodes), len(nodes))
    assert (told.symbols, told.numbers) == (symbols, numbers)
    if not numbers:
        assert told.sentences[0].endswith("is made. Its data is 7.0.")


def test_the_data_of_operands_that_have_changed_since_are_not_made_up():
    nodes = [Node(0, "w", "", 1.0), Node(1, "y", "*", 0.81, (0, 0))]
    assert narrate(of(nodes, data={0: 0.9}), 2).numbers == "0.81 = 0.9 * 0.9"
    assert narrate(of(nodes, data={0: 5.0}), 2).numbers == ""


def test_a_value_without_a_name_is_called_by_its_expression_once():
    nodes = [Node(0, "a", "", 2.0), Node(1, "a + a", "+", 4.0, (0, 0))]
    told = narrate(of(nodes), 2)
    assert told.title == "(a + a) is made"
    assert told.sentences[0] == "a + a is made: 2.0 + 2.0 = 4.0."


def test_a_constant_is_wrapped():
    nodes = [
        Node(0, "2.0", "", 2.0, constant=True, line=4),
        Node(1, "y", "**2", 4.0, (0,)),
    ]
    told = narrate(of(nodes), 1)
    assert told.sentences[0] == (
        "The number 2.0 is wrapped as a constant in line 4, to stand in the graph."
    )
    assert told.symbols == ""


def later(*roots):
    nodes = (
        Node(0, "w", "", 1.0),
        Node(1, "y", "*", 1.0, (0, 0)),
        Node(2, "z", "+", 2.0, (1, 0)),
    )
    below = {1: (0, 1), 2: (0, 1, 2)}
    call = scenes.trace(scenes.reuse()).steps[1]
    traces = tuple(
        Trace(
            *(place, Mode.ACCUMULATE, Order.DEPTH_FIRST, root, dict.fromkeys(below[root], 0.0)),
            tuple(replace(call, node=n) for n in ([2, 1, 0] if root == 2 else [1, 0])),
            {},
        )
        for place, root in enumerate(roots)
    )
    return Recording("p.py", nodes=nodes, traces=traces)


def test_a_later_pass_says_what_exists_already():
    recording = later(1, 2)
    assert said(Story(recording, recording.traces[1]), 0) == [
        "Before the first Value is made",
        "The forward phase comes first: 1 Value will be made, each with its data.",
        "Each one also stores a _backward for later. None runs yet.",
        "2 nodes of this pass exist already: an earlier pass reached them.",
    ]


def test_a_second_pass_over_the_same_graph_makes_nothing():
    recording = later(1, 1)
    assert said(Story(recording, recording.traces[1]), 0) == [
        "Before the sort",
        "All nodes exist already: an earlier pass reached them.",
        "The sort begins at the root y: build_topo(y) visits what made it.",
    ]


# -- sort ----------------------------------------------------------------------------------


def test_before_the_sort_stands_what_it_is_for_and_where_it_begins():
    told = begin(diamond(), Phase.SORT)
    assert [told.title, *told.sentences, told.symbols] == [
        "Before the sort",
        "Every node must run after all its consumers: backward needs such an order.",
        "The sort begins at the root e: build_topo(e) visits what made it.",
        "topo = []",
    ]
    story = diamond(Order.BREADTH_FIRST, [E, C, D, A, B])
    assert begin(story, Phase.SORT).sentences[1] == (
        "The sort begins at the root e, which has no consumers."
    )


def test_the_other_phases_begin_as_their_first_position_does():
    recording = scenes.recording(scenes.diamond())
    trace, beside = recording.traces
    story = Story(recording, trace)
    assert begin(story, Phase.FORWARD) == narrate(story, 0)
    assert begin(story, Phase.BACKWARD, beside) == explain(recording, trace, 0, beside)


def test_the_recursion_is_told_call_by_call():
    story = diamond()
    assert [said(story, position) for position in range(6, 15)] == [
        [
            "build_topo begins at the root e",
            "build_topo visits e: not seen before, so its children come first.",
            "Next come c and d, each by a call of build_topo.",
        ],
        [
            "build_topo visits c",
            "build_topo visits c: not seen before, so its children come first.",
            "Next come a and b, each by a call of build_topo.",
            "1 call of build_topo waits for this one; it is a child of e.",
        ],
        [
            "build_topo visits a",
            "build_topo visits a: not seen before, and it has no children.",
            "So it can be appended at once.",
            "2 calls of build_topo wait for this one; it is a child of c.",
        ],
        [
            "a is appended",
            "a is appended: it has no children that would have to come before.",
            "The list has 1 node now.",
        ],
        [
            "build_topo visits b",
            "build_topo visits b: not seen before, and it has no children.",
            "So it can be appended at once.",
            "2 calls of build_topo wait for this one; it is a child of c.",
        ],
        [
            "b is appended",
            "b is appended: it has no children that would have to come before.",
            "The list has 2 nodes now.",
        ],
        [
            "c is appended",
            "c is appended: all its children are in the list before it.",
            "The list has 3 nodes now.",
        ],
        [
            "build_topo visits d",
            "build_topo visits d: not seen before, so its children come first.",
            "Next come a and b, each by a call of build_topo.",
            "1 call of build_topo waits for this one; it is a child of e.",
        ],
        [
            "a is already visited",
            "a is already visited: nothing to do.",
            "d uses it too, and it is on the list before.",
        ],
    ]
    assert narrate(story, 12).symbols == "topo = [a, b, c]"


def test_the_last_append_says_that_backward_runs_the_list_from_its_end():
    assert said(diamond(), 17)[1:] == [
        "e is appended: all its children are in the list before it.",
        "The list has 5 nodes now.",
        "The list is complete. Backward runs it from its end: e, d, c and 2 more.",
    ]


def test_operands_that_a_program_keeps_in_a_set_come_in_the_order_of_its_run():
    story = diamond(Order.AS_WRITTEN, [E, C, D, A, B])
    assert said(story, 6)[2:] == [
        "Next come d and c, each by a call of build_topo.",
        "The program keeps operands in an order of its own, such as that of a set: it may change.",
    ]
    assert said(story, 7)[0] == "build_topo visits d"


def test_of_a_long_list_the_formula_shows_the_end():
    recording = scenes.recording(scenes.network())
    story = Story(recording, recording.traces[0])
    told = narrate(story, story.bounds(Phase.SORT)[1])
    assert told.symbols.startswith("topo = […, ")
    assert told.symbols.endswith(", loss]")


def test_an_operand_used_twice_is_already_visited_the_second_time():
    recording = scenes.recording(scenes.reuse())
    story = Story(recording, recording.traces[0])
    start = story.bounds(Phase.SORT)[0]
    assert said(story, start + 1)[2] == "Next comes a, by a call of build_topo."
    assert said(story, start + 4) == [
        "a is already visited",
        "a is already visited: nothing to do.",
        "b uses it too, and it is on the list before.",
    ]


def test_a_circle_is_named_where_the_recursion_meets_it():
    nodes = [Node(0, "a", "+", 1.0, (1, 1)), Node(1, "b", "+", 1.0, (0, 0))]
    recording = of(nodes).recording
    steps = tuple(replace(scenes.trace(scenes.reuse()).steps[1], node=node) for node in (1, 0))
    story = Story(recording, replace(recording.traces[0], steps=steps))
    start = story.bounds(Phase.SORT)[0]
    # b, a, b again, b again, a appended, a again, b appended
    assert said(story, start + 3)[1:] == [
        "b is already visited: nothing to do.",
        "Its own visit is not over: b is made from itself, in a circle.",
    ]
    assert said(story, start + 5)[1] == ("a is appended before b, one of its children: a circle.")


def test_breadth_first_a_node_waits_until_its_last_consumer_has_come():
    story = diamond(Order.BREADTH_FIRST, [E, C, D, A, B])
    assert said(story, 6)[1:] == ["e is the root: nothing has to come before it."]
    assert said(story, 7)[1:] == [
        "e is appended: it is the root, which nothing here consumes.",
        "The list has 1 node now. Its children are told: c and d.",
    ]
    assert said(story, 8)[1:] == [
        "c is ready: e was the last of its consumers to come.",
        "It waits in line to be appended.",
    ]
    assert said(story, 11) == [
        "a waits",
        "c, which uses a, is appended; 1 use of a is still to come.",
    ]
    assert said(story, 17)[1:] == [
        "b is appended: all its consumers are in the list before it.",
        "The list has 5 nodes now.",
        "The list is complete. Backward runs it from its start: e, c, d and 2 more.",
    ]


def test_without_a_sort_the_end_of_the_forward_phase_says_so():
    assert said(diamond(Order.RECURSIVE, [E, C, A, B, D, A, B]), 5)[3] == (
        "All Values of this pass are made. Nothing is sorted in this order: backward comes next."
    )
    assert said(diamond(Order.AS_WRITTEN, [E, C, A, B, D, A, B]), 5)[3] == (
        "All Values of this pass are made. "
        "The program did not run them in a sorted order that is known: backward comes next."
    )


# -- all of it -----------------------------------------------------------------------------


def test_the_backward_phase_is_told_as_the_steps_are():
    recording = scenes.recording(scenes.diamond())
    trace, beside = recording.traces
    story = Story(recording, trace)
    for position in range(1, len(trace.steps) + 1):
        told = narrate(story, 17 + position, beside)
        assert told == explain(recording, trace, position, beside)


@repeatable(150)
@given(recordings())
def test_every_moment_of_every_recording_that_opens_can_be_told(recording):
    for trace in recording.traces:
        story = Story(recording, trace)
        for position in range(story.length + 1):
            told = narrate(story, position)
            assert told.title
            assert 1 <= len(told.sentences) <= 3
