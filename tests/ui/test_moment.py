"""What a card says at a position, and what is marked."""

import math
from dataclasses import replace

import pytest
from scenes import Scene, diamond, odd, reuse, trace, unsorted

from chainstep.graph import Edge, Graph
from chainstep.stepper import Stepper
from chainstep.trace import Kind, Mode, Order, Step, Trace
from chainstep.ui.hints import hint
from chainstep.ui.moment import Card, Losses, Moment, Tone


def at(graph: Graph, position: int, passed: Trace, differing: frozenset[int] = frozenset()):
    stepper = Stepper(passed, len(graph.nodes))
    stepper.seek(position)
    return Moment(stepper, Losses(passed), differing)


def card(graph: Graph, node_id: int, position: int, mode: Mode = Mode.ACCUMULATE) -> Card:
    return at(graph, position, trace(graph, mode)).card(graph.node(node_id))


# The diamond's pass: 1 seed, 2 e runs, 3 d, 4 c (writes of e), 5 d runs, 6 a, 7 b (writes of d),
# 8 c runs, 9 a, 10 b (writes of c), 11 b runs, 12 a runs. With e = c * d slot 0 is c.


def test_before_the_first_step_no_card_has_a_gradient() -> None:
    graph = diamond()
    for node in graph.nodes:
        shown = card(graph, node.id, 0)
        assert (shown.tone, shown.word) == (Tone.UNTOUCHED, "")
        assert shown.gradient is None
        assert shown.absent == "not yet"


def test_the_seed_is_the_target_of_its_step_and_keeps_its_word() -> None:
    graph = diamond()
    assert (card(graph, 4, 1).tone, card(graph, 4, 1).word) == (Tone.TARGET, "seed")
    later = card(graph, 4, 6)
    assert (later.tone, later.word, later.gradient) == (Tone.FINAL, "seed", 1.0)


def test_the_running_node_is_now_and_the_target_counts_its_contributions() -> None:
    graph = diamond()
    assert (card(graph, 3, 6).tone, card(graph, 3, 6).word) == (Tone.NOW, "now")
    first = card(graph, 0, 6)
    assert (first.tone, first.word, first.gradient) == (Tone.TARGET, "1 of 2", 15.0)
    second = card(graph, 0, 9)
    assert (second.tone, second.word, second.gradient) == (Tone.TARGET, "2 of 2", 21.0)


def test_a_gradient_is_partial_then_final() -> None:
    graph = diamond()
    assert (card(graph, 0, 8).tone, card(graph, 0, 8).word) == (Tone.PARTIAL, "1 of 2")
    assert (card(graph, 0, 11).tone, card(graph, 0, 11).word) == (Tone.FINAL, "final")


def test_a_node_that_runs_too_early_says_how_much_of_its_gradient_has_come() -> None:
    scene = Scene()
    a = scene.leaf("a", 2.0)
    c = scene.op("c", "+", a, a)
    d, e = scene.op("d", "*", c, a), scene.op("e", "*", c, a)
    scene.op("f", "+", d, e)
    graph = scene.graph
    passed = trace(graph, order=unsorted(graph))
    stepper = Stepper(passed, len(graph.nodes))
    early = next(n for n, s in enumerate(passed.steps) if s.kind is Kind.CALL and s.node == c)
    stepper.seek(early + 1)
    shown = Moment(stepper, Losses(passed)).card(graph.node(c))
    assert shown.tone is Tone.NOW
    assert shown.word == f"now · 1 of {stepper.state(c).total}"


def test_overwriting_strikes_out_what_it_lost_and_goes_on_showing_it() -> None:
    graph = diamond()
    now = card(graph, 0, 9, Mode.OVERWRITE)
    assert (now.gradient, now.lost, now.lost_now) == (6.0, 15.0, True)
    later = card(graph, 0, 12, Mode.OVERWRITE)
    assert (later.gradient, later.lost, later.lost_now) == (6.0, 15.0, False)
    before = card(graph, 0, 8, Mode.OVERWRITE)
    assert (before.gradient, before.lost) == (15.0, None)


def test_accumulating_loses_nothing() -> None:
    graph = diamond()
    for position in range(13):
        for node in graph.nodes:
            assert card(graph, node.id, position).lost is None


def test_overwriting_a_node_through_two_slots_loses_the_first() -> None:
    shown = card(reuse(), 0, 4, Mode.OVERWRITE)
    assert (shown.gradient, shown.lost) == (1.0, 1.0)


def test_a_zero_that_was_computed_is_a_number_and_one_that_has_not_come_is_not() -> None:
    scene = Scene()
    w, x = scene.leaf("w", 1.0), scene.leaf("x", 0.0)
    scene.op("y", "*", w, x)
    graph = scene.graph
    assert card(graph, w, 2).gradient is None
    assert card(graph, w, 5).gradient == 0.0


def test_what_never_comes_is_not_promised_at_the_end() -> None:
    scene = Scene()
    a, b = scene.leaf("a", 1.0), scene.leaf("b", 1.0)
    scene.op("c", "+", a, b)
    graph = scene.graph
    whole = trace(graph)
    forgets = replace(whole, steps=tuple(s for s in whole.steps if s.target != b))
    assert at(graph, 2, forgets).card(graph.node(b)).absent == "not yet"
    assert at(graph, len(forgets.steps), forgets).card(graph.node(b)).absent == "none"


def test_a_gradient_from_before_the_pass_is_called_left_over() -> None:
    graph = diamond()
    passed = replace(trace(graph), initial={0: 5.0, 1: 0.0, 2: 0.0, 3: 0.0, 4: 0.0})
    shown = at(graph, 0, passed).card(graph.node(0))
    assert (shown.tone, shown.word, shown.gradient) == (Tone.UNTOUCHED, "left over", 5.0)


def test_where_the_pass_broke_off_its_node_has_failed() -> None:
    graph = diamond()
    whole = trace(graph, error="division by zero")
    broken = replace(whole, steps=whole.steps[:5])
    assert at(graph, 4, broken).failed is None
    moment = at(graph, 5, broken)
    assert moment.failed == 3
    shown = moment.card(graph.node(3))
    assert (shown.tone, shown.word) == (Tone.FAILED, "failed")


def test_data_that_the_program_changed_is_shown_as_it_is_now() -> None:
    graph = diamond()
    passed = replace(trace(graph), data={0: 100.0})
    assert at(graph, 0, passed).card(graph.node(0)).data == 100.0
    assert at(graph, 0, passed).card(graph.node(1)).data == 3.0


def test_the_current_write_runs_from_the_running_node_to_one_slot() -> None:
    graph = diamond()
    moment = at(graph, 9, trace(graph))
    assert moment.write == Edge(0, 2, 0)
    assert moment.active() == (2, 0)
    assert at(graph, 8, trace(graph)).write is None


@pytest.mark.parametrize(
    ("local", "upstream", "contribution", "text"),
    [
        (1.0, 6.0, 6.0, "1.0 × 6.0 = 6.0"),
        (-3.0, -0.5, 1.5, "-3.0 × (-0.5) = 1.5"),
        (None, 6.0, 6.0, "6.0"),
        (2.0, 6.0, 6.0, "6.0"),
        (2.0, math.inf, math.inf, "2.0 × inf = inf"),
        (0.0, math.inf, math.nan, "0.0 × inf = nan"),
        (3e-7, 1.0, 3e-7, "3e-7 × 1.0 = 3e-7"),
    ],
)
def test_the_arithmetic_is_local_times_upstream_where_that_explains_the_contribution(
    local: float | None, upstream: float, contribution: float, text: str
) -> None:
    step = Step(Kind.WRITE, 1, 0, 0, upstream, local, contribution, 0.0, contribution, True)
    passed = Trace(0, Mode.ACCUMULATE, Order.DEPTH_FIRST, 1, {0: 0.0, 1: 0.0}, (step,), {})
    stepper = Stepper(passed, 2)
    stepper.seek(1)
    assert " ".join(Moment(stepper, Losses(passed)).arithmetic()) == text


def test_a_hint_has_every_digit_every_name_and_the_line() -> None:
    graph = diamond()
    nodes = (replace(graph.nodes[0], data=0.1 + 0.2, aliases=("a", "w[0]")), *graph.nodes[1:])
    graph = Graph(nodes, 4)
    text = hint(graph, at(graph, 9, trace(diamond()), frozenset({0})), 0)
    assert text.splitlines() == [
        "a",
        "also w[0]",
        "leaf, line 3",
        "data = 0.30000000000000004",
        "grad = 21.0 (final)",
        "differs between += and =",
    ]


def test_a_hint_names_the_op_and_its_operands() -> None:
    graph = diamond()
    assert "* of c and d, line 7" in hint(graph, at(graph, 0, trace(graph)), 4)
    assert "grad: not yet" in hint(graph, at(graph, 0, trace(graph)), 4)


def test_a_hint_tells_what_was_lost() -> None:
    graph = diamond()
    text = hint(graph, at(graph, 9, trace(graph, Mode.OVERWRITE)), 0)
    assert "15.0 was lost" in text


def test_a_hint_calls_a_constant_a_constant() -> None:
    graph = odd()
    constant = next(node for node in graph.nodes if node.constant)
    assert "constant, line" in hint(graph, at(graph, 0, trace(graph)), constant.id)
