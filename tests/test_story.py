from __future__ import annotations

import time
from dataclasses import replace

import scenes
from hypothesis import given
from hypothesis import strategies as st
from recordings import recordings, repeatable

from chainstep.divergence import Divergence
from chainstep.graph import Node
from chainstep.options import Options
from chainstep.program import Program
from chainstep.runner import run
from chainstep.sorting import Act, Sort
from chainstep.stepper import Stepper
from chainstep.story import Grain, Mark, Phase, Story
from chainstep.trace import Kind, Mode, Order, Recording, Step, Trace, TraceError

A, B, C, D, E = range(5)
DIAMOND = {A: (), B: (), C: (A, B), D: (A, B), E: (C, D)}


def told(recording, mode=Mode.ACCUMULATE, pass_index=0):
    return Story(recording, recording.trace(mode, pass_index))


def diamond(order=None):
    return told(scenes.recording(scenes.diamond(), order))


def printed(root, children):
    """What micrograd's recursive build_topo says when it is made to speak."""
    topo, visited, said = [], set(), []

    def build_topo(v, asker, depth):
        if v not in visited:
            said.append(("visit", v, asker, depth, tuple(topo)))
            visited.add(v)
            for child in children[v]:
                build_topo(child, v, depth + 1)
            topo.append(v)
            said.append(("append", v, asker, depth, tuple(topo)))
        else:
            said.append(("already-visited", v, asker, depth, tuple(topo)))

    build_topo(root, None, 0)
    return said


def moments(story, phase):
    start, end = story.bounds(phase)
    return [(story.moment(position), position) for position in range(start + 1, end + 1)]


def sorting(story):
    return [
        (m.act.value, m.node, m.asker, m.depth, tuple(story.listed(position)))
        for m, position in moments(story, Phase.SORT)
    ]


# -- forward -------------------------------------------------------------------------------


def test_the_diamond_is_made_in_the_order_of_its_lines_then_sorted_then_run_backward():
    story = diamond()
    assert [moment.node for moment, _ in moments(story, Phase.FORWARD)] == [A, B, C, D, E]
    assert [story.bounds(phase) for phase in Phase] == [(0, 5), (5, 17), (17, 29)]
    assert story.length == 29


def test_a_position_belongs_to_the_phase_of_the_moment_before_it():
    story = diamond()
    at = [story.phase_at(position) for position in (0, 1, 5, 6, 17, 18, 29)]
    assert at == [Phase.FORWARD] * 3 + [Phase.SORT] * 2 + [Phase.BACKWARD] * 2


def test_a_node_exists_from_the_position_after_it_was_made():
    story = diamond()
    assert [story.is_made(C, position) for position in (0, 2, 3, 29)] == [False, False, True, True]
    assert (story.place_of(A), story.place_of(E)) == (1, 5)


def test_values_are_made_in_the_order_of_their_serials_whatever_their_ids_are():
    nodes = (
        Node(0, "late", "", 1.0, serial=5),
        Node(1, "early", "", 1.0, serial=2),
        Node(2, "y", "+", 2.0, (0, 1), serial=9),
    )
    trace = Trace(0, Mode.ACCUMULATE, Order.DEPTH_FIRST, 2, dict.fromkeys(range(3), 0.0), (), {})
    assert list(Story(Recording("p.py", nodes=nodes, traces=(trace,)), trace).made) == [1, 0, 2]


def passes(*roots):
    """One pass after the other, each with the seed and nothing else."""
    nodes = (
        Node(0, "w", "", 1.0),
        Node(1, "y", "*", 1.0, (0, 0), serial=1),
        Node(2, "z", "+", 2.0, (1, 0), serial=2),
    )
    below = {1: (0, 1), 2: (0, 1, 2)}
    traces = tuple(
        Trace(n, Mode.ACCUMULATE, Order.RECURSIVE, root, dict.fromkeys(below[root], 0.0), (), {})
        for n, root in enumerate(roots)
    )
    return Recording("p.py", nodes=nodes, traces=traces)


def test_a_later_pass_makes_only_the_nodes_that_no_pass_before_it_reached():
    recording = passes(1, 2, 1)
    stories = [told(recording, pass_index=number) for number in range(3)]
    assert [list(story.made) for story in stories] == [[0, 1], [2], []]
    assert [story.existing for story in stories] == [0, 2, 2]
    assert stories[1].is_made(0, 0)
    assert stories[1].place_of(0) is None


def test_a_training_loop_makes_its_weights_once():
    text = """\
from chainstep import Value
w = Value(1.0)
for _ in range(3):
    y = 2 * w
    w.grad = 0.0
    y.backward()
    w.data -= 0.1 * w.grad
"""
    recording = run(Program("loop.py", text), Options())
    made = [told(recording, pass_index=number).made for number in range(3)]
    assert [len(nodes) for nodes in made] == [3, 2, 2]
    assert [recording.nodes[nodes[-1]].op for nodes in made] == ["*"] * 3


# -- sort ----------------------------------------------------------------------------------


def test_the_sort_of_the_diamond_is_what_the_recursion_says():
    assert sorting(diamond()) == [
        ("visit", E, None, 0, ()),
        ("visit", C, E, 1, ()),
        ("visit", A, C, 2, ()),
        ("append", A, C, 2, (A,)),
        ("visit", B, C, 2, (A,)),
        ("append", B, C, 2, (A, B)),
        ("append", C, E, 1, (A, B, C)),
        ("visit", D, E, 1, (A, B, C)),
        ("already-visited", A, D, 2, (A, B, C)),
        ("already-visited", B, D, 2, (A, B, C)),
        ("append", D, E, 1, (A, B, C, D)),
        ("append", E, None, 0, (A, B, C, D, E)),
    ]


@st.composite
def wild_graphs(draw):
    """Operand lists that may repeat themselves, lead nowhere or in circles."""
    size = draw(st.integers(1, 9))
    operands = st.lists(st.integers(0, size - 1), max_size=3).map(tuple)
    return dict(enumerate(draw(st.lists(operands, min_size=size, max_size=size))))


@repeatable(300)
@given(wild_graphs())
def test_every_sort_is_what_the_recursion_says(children):
    sort = Sort.depth_first(0, children.__getitem__)
    said = [
        (
            *(sort.act(n).value, sort.node(n), sort.asker(n), sort.depth(n)),
            tuple(sort.listed[: sort.length(n + 1)]),
        )
        for n in range(len(sort))
    ]
    assert said == printed(0, children)


@repeatable(100)
@given(wild_graphs())
def test_the_stack_of_a_sort_is_who_waits_for_whom(children):
    sort = Sort.depth_first(0, children.__getitem__)
    stack = []
    for number in range(len(sort)):
        assert sort.stack(number) == tuple(stack)
        if sort.act(number) is Act.VISIT:
            stack.append(sort.node(number))
        elif sort.act(number) is Act.APPEND:
            assert stack.pop() == sort.node(number)
    assert sort.stack(len(sort)) == tuple(stack) == ()


def test_breadth_first_a_node_is_appended_once_its_last_consumer_was():
    recording = scenes.recording(scenes.diamond(), [E, C, D, A, B])
    story = Story(recording, replace(recording.traces[0], order=Order.BREADTH_FIRST))
    assert [
        (m.act.value, m.node, m.asker, m.waiting, m.listed) for m, _ in moments(story, Phase.SORT)
    ] == [
        ("ready", E, None, 0, 0),
        ("append", E, None, 0, 1),
        ("ready", C, E, 0, 1),
        ("ready", D, E, 0, 1),
        ("append", C, None, 0, 2),
        ("waits", A, C, 1, 2),
        ("waits", B, C, 1, 2),
        ("append", D, None, 0, 3),
        ("ready", A, D, 0, 3),
        ("ready", B, D, 0, 3),
        ("append", A, None, 0, 4),
        ("append", B, None, 0, 5),
    ]
    assert story.stack(9) == ()


def with_order(order, sequence=None, error=None):
    recording = scenes.recording(scenes.diamond(), sequence)
    return Story(recording, replace(recording.traces[0], order=order, error=error))


def test_there_is_no_sort_where_nothing_was_sorted():
    story = with_order(Order.RECURSIVE, [E, C, A, B, D, A, B])
    assert story.sort is None
    assert story.phases == (Phase.FORWARD, Phase.BACKWARD)
    assert story.bounds(Phase.SORT) == (5, 5)
    assert story.listed(9) == ()
    assert story.stack(9) == ()


def test_a_program_that_ran_in_sorted_order_gets_the_sort_and_another_gets_none():
    assert with_order(Order.AS_WRITTEN, [E, D, C, B, A]).sort is not None
    assert with_order(Order.AS_WRITTEN, [E, D, C]).sort is not None  # its leaves hold no _backward
    assert with_order(Order.AS_WRITTEN, [E, D]).sort is None
    # No recursion ends like that: it is breadth-first, c and d before their operands.
    assert with_order(Order.AS_WRITTEN, [E, C, D, A, B, A]).sort is None


def test_a_program_that_keeps_operands_in_sets_gets_the_sort_of_its_run():
    """Taken as d then c, and b then a: e, c, d, a, b. Kahn's order is the same here."""
    story = with_order(Order.AS_WRITTEN, [E, C, D, A, B])
    assert not story.takes_as_written
    assert (list(story.operands(E)), list(story.operands(D))) == ([D, C], [B, A])
    children = {**DIAMOND, E: (D, C), D: (B, A)}
    assert sorting(story) == printed(E, children)
    assert with_order(Order.AS_WRITTEN, [E, D, C, B, A]).takes_as_written


def test_an_order_that_no_recursion_gives_shows_no_sort():
    """a feeds c, b feeds d: c, d, a, b is breadth-first, and no depth-first list reversed."""
    scene = scenes.Scene()
    a, b = scene.leaf("a", 1.0), scene.leaf("b", 2.0)
    c, d = scene.op("c", "+", a, a), scene.op("d", "+", b, b)
    e = scene.op("e", "*", c, d)
    recording = scenes.recording(scene.graph, [e, c, d, a, b])
    trace = replace(recording.traces[0], order=Order.AS_WRITTEN)
    assert Story(recording, trace).sort is None


@repeatable(200)
@given(wild_graphs(), st.randoms(use_true_random=False))
def test_whatever_order_a_set_has_the_sort_of_a_run_is_found(children, chance):
    children = {node: tuple(c for c in found if c > node) for node, found in children.items()}
    shuffled = {
        node: chance.sample(each := sorted(set(c)), len(each)) for node, c in children.items()
    }
    said = printed(0, shuffled)
    topo = said[-1][-1]
    steps = tuple(Step(Kind.CALL, node, upstream=0.0) for node in reversed(topo))
    nodes = tuple(Node(n, str(n), "+" if c else "", 0.0, c) for n, c in children.items())
    trace = Trace(0, Mode.AS_WRITTEN, Order.AS_WRITTEN, 0, {}, steps, {})
    story = Story(Recording("p.py", nodes=nodes, traces=(trace,)), trace)
    assert story.sort is not None
    assert list(story.sort.listed) == list(topo)


def test_a_pass_of_micrograd_itself_shows_its_sort():
    text = """from micrograd.engine import Value
a, b = Value(2.0), Value(3.0)
c, d = a + b, a * b
e = c * d
f = (e + a).relu() + d * e
f.backward()
"""
    recording = run(Program("mine.py", text), Options())
    assert told(recording, Mode.AS_WRITTEN).sort is not None


def test_a_pass_that_called_nothing_shows_no_sort():
    recording = scenes.recording(scenes.diamond())
    silent = replace(recording.traces[0], order=Order.AS_WRITTEN, steps=())
    assert Story(recording, silent).sort is None
    assert Story(recording, replace(silent, error=TraceError(0, "ValueError"))).sort is None


def test_a_pass_that_broke_off_was_sorted_before():
    broken = TraceError(3, "ValueError", 7)
    assert with_order(Order.DEPTH_FIRST, [E, D], broken).sort is not None
    assert with_order(Order.AS_WRITTEN, [E, D], broken).sort is not None
    assert with_order(Order.AS_WRITTEN, [E, C], broken).sort is None


@repeatable(100)
@given(recordings())
def test_a_story_like_that_of_another_mode_is_the_one_it_would_be_without(recording):
    for trace in recording.traces:
        alone = Story(recording, trace)
        for other in recording.traces:
            beside = Story(recording, trace, Story(recording, other))
            assert [beside.moment(n) for n in range(beside.length + 1)] == [
                alone.moment(n) for n in range(alone.length + 1)
            ]
            assert (beside.existing, list(beside.made), beside.takes_as_written) == (
                *(alone.existing, list(alone.made), alone.takes_as_written),
            )


def test_the_sort_of_the_other_mode_is_taken_where_the_calls_came_in_the_same_order():
    recording = scenes.recording(scenes.diamond())
    one, other = recording.traces
    story = Story(recording, one)
    assert Story(recording, other, story).sort is story.sort
    written = replace(one, mode=Mode.AS_WRITTEN, order=Order.AS_WRITTEN)
    assert Story(recording, written, story).sort is story.sort
    breadth = replace(one, order=Order.BREADTH_FIRST)
    assert Story(recording, breadth, story).sort is not story.sort


# -- backward ------------------------------------------------------------------------------


def test_the_backward_phase_is_the_steps_of_the_trace():
    story = diamond()
    for number, step in enumerate(story.trace.steps):
        position = story.position_of_backward(number + 1)
        assert story.step(position) is step
        assert story.backward_position(position) == number + 1
        assert (story.moment(position).step, story.moment(position).node) == (number, step.node)
    assert [story.backward_position(position) for position in (0, 5, 17, 18, 99)] == [
        0,
        0,
        0,
        1,
        12,
    ]
    assert story.step(17) is None
    assert story.position_of_backward(99) == 29


# -- getting about -------------------------------------------------------------------------


def walk(story, position, forward=True):
    found = [position]
    while True:
        position = (story.next if forward else story.previous)(position)
        if position == found[-1]:
            return found
        found.append(position)


def test_stepping_over_stops_at_each_value_each_append_and_each_backward():
    over = walk(diamond(), 0)
    # five Values; a b c d e appended; the seed, then e d c b a
    assert over == [0, *(1, 2, 3, 4, 5), *(9, 11, 12, 16, 17), *(18, 21, 24, 27, 28, 29)]
    assert walk(diamond(), 29, forward=False) == over[::-1]


def test_stepping_into_stops_at_every_moment():
    story = diamond()
    assert [story.next(n, Grain.INTO) for n in (0, 16, 28, 29)] == [1, 17, 29, 29]
    assert [story.previous(n, Grain.INTO) for n in (29, 17, 1, 0)] == [28, 16, 0, 0]


def test_a_constant_is_made_together_with_the_value_that_needs_it():
    scene = scenes.Scene()
    a = scene.leaf("a", 2.0)
    scene.op("y", "*", scene.leaf("2.0", 2.0, constant=True), a)
    story = told(scenes.recording(scene.graph))
    assert walk(story, 0)[:3] == [0, 1, 3]


def test_breadth_first_stepping_over_goes_from_one_appended_node_to_the_next():
    start, _ = (story := with_order(Order.BREADTH_FIRST, [E, C, D, A, B])).bounds(Phase.SORT)
    stops = [position - start for position in walk(story, start) if position <= start + 12]
    assert stops == [0, 4, 7, 10, 11, 12]


def test_stepping_over_the_backward_phase_is_what_the_stepper_does():
    story = diamond()
    start, end = story.bounds(Phase.BACKWARD)
    stops = [start + stop for stop in Stepper(story.trace, 5).stops]
    for position in range(start, end + 1):
        following = min((stop for stop in stops if stop > position), default=end)
        assert story.next(position) == following
        assert story.out(position) == (end if position in stops else following)
        if position > start:
            assert story.previous(position) == max(stop for stop in stops if stop < position)


def test_stepping_out_of_the_sort_leads_to_the_end_of_the_call_that_is_running():
    story = diamond()
    assert story.stack(5 + 3) == (E, C, A)
    assert story.out(5 + 3) == 5 + 4  # a is appended
    assert story.stack(5 + 4) == (E, C)
    assert story.out(5 + 4) == 5 + 7  # c is appended
    assert story.out(5 + 9) == 5 + 11  # d, which met a for the second time
    assert story.out(5 + 7) == 17
    assert story.out(5) == 17


def test_stepping_out_of_the_forward_phase_leads_to_its_end():
    assert [diamond().out(position) for position in (0, 4)] == [5, 5]
    assert diamond().out(29) == 29


def test_the_calls_of_one_node_are_found_from_everywhere():
    story = with_order(Order.RECURSIVE, [E, C, A, B, D, A, B])
    calls = [n for n in range(story.length + 1) if (s := story.step(n)) and s.kind is Kind.CALL]
    of_a = [n for n in calls if story.step(n).node == A]
    assert len(of_a) == 2
    assert story.next_call(A, 0) == of_a[0]
    assert story.next_call(A, of_a[0]) == of_a[1]
    assert story.next_call(A, of_a[1]) is None
    assert story.next_call(99, 0) is None


# -- marks ---------------------------------------------------------------------------------


def test_reuse_is_marked_at_every_contribution_but_the_first_to_each_gradient():
    story = diamond()
    # seed, e: c d, d: a b, c: a b: the last two writes come second
    assert list(story.reuses) == [17 + 9, 17 + 10]
    reuse = told(scenes.recording(scenes.reuse()))
    assert [reuse.step(position).slot for position in reuse.reuses] == [1]


def test_marks_are_positions_of_the_story():
    recording = scenes.recording(scenes.diamond())
    story = told(recording)
    divergence = Divergence(*recording.traces)
    marks = story.marks(divergence, breakpoints=[3])
    assert marks[Mark.DIVERGENCE] == [17 + 9, 17 + 10]
    assert list(marks[Mark.REUSE]) == [17 + 9, 17 + 10]
    assert marks[Mark.BREAKPOINT] == [3]
    assert marks[Mark.ERROR] == ()
    assert story.marks()[Mark.DIVERGENCE] == []


def test_an_error_is_marked_where_the_pass_broke_off():
    trace = scenes.trace(scenes.diamond(), error="ValueError")
    story = Story(Recording("p.py", nodes=scenes.diamond().nodes, traces=(trace,)), trace)
    assert story.errors == (29,)


# -- all of it -----------------------------------------------------------------------------


@repeatable(150)
@given(recordings())
def test_every_recording_that_opens_can_be_told(recording):
    for trace in recording.traces:
        story = Story(recording, trace)
        for phase in Phase:
            start, end = story.bounds(phase)
            assert 0 <= start <= end <= story.length
        for position in range(-1, story.length + 2):
            assert isinstance(story.phase_at(position), Phase)
            moment = story.moment(position)
            assert (moment is None) is (position <= 0 or story.length == 0)
            assert len(story.listed(position)) == story.list_length(position)
            within = max(0, min(position, story.length))
            for grain in Grain:
                assert story.previous(position, grain) <= within <= story.next(position, grain)
            assert within <= story.out(position) <= story.length
        assert walk(story, 0) == walk(story, story.length, forward=False)[::-1]
        assert sorted(story.marks()[Mark.REUSE]) == list(story.reuses)


def test_twenty_thousand_nodes_and_a_hundred_thousand_steps_are_told_without_delay():
    size = 20_000
    nodes = tuple(
        Node(n, f"v{n}", "+" if n > 1 else "", 1.0, (n - 1, n - 2) if n > 1 else (), serial=n)
        for n in range(size)
    )
    steps = [Step(Kind.SEED, size - 1, target=size - 1, before=0.0, after=1.0, accumulates=False)]
    for node in [*nodes[:1:-1], nodes[0], nodes[1]]:  # 1 is visited before 0
        steps.append(Step(Kind.CALL, node.id, upstream=1.0))
        for slot, child in enumerate(node.children * 2):
            steps.append(Step(Kind.WRITE, node.id, slot % 2, child, 1.0, 1.0, 1.0, 0.0, 1.0, True))
    initial = dict.fromkeys(range(size), 0.0)
    trace = Trace(0, Mode.ACCUMULATE, Order.DEPTH_FIRST, size - 1, initial, tuple(steps), {})
    recording = Recording("big.py", nodes=nodes, traces=(trace,))
    began = time.thread_time()
    story = Story(recording, trace)
    built = time.thread_time() - began
    assert story.bounds(Phase.BACKWARD)[0] == size + 2 * size + 2 * (size - 2) - (size - 1)
    assert built < 2.0  # about 0.2 s; the rest is for a busy machine
    began = time.thread_time()
    for position in range(0, story.length, 97):
        story.moment(position)
        story.next(position)
        story.list_length(position)
    assert (time.thread_time() - began) / (story.length // 97) < 0.001


def test_a_pass_without_steps_has_a_story_too():
    nodes = (Node(0, "a", "", 1.0),)
    trace = Trace(0, Mode.AS_WRITTEN, Order.AS_WRITTEN, 0, {}, (), {})
    story = Story(Recording("p.py", nodes=nodes, traces=(trace,)), trace)
    assert story.phases == (Phase.FORWARD,)
    assert story.length == 1
    assert story.next(0) == story.out(0) == 1
    assert story.previous(0) == 0
