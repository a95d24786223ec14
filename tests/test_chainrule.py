"""The chain rule of a node as a sum over its consumers; gates; and both as text to be pasted."""

from __future__ import annotations

from dataclasses import replace

import pytest
from conftest import NODES, A, C, E, recording_of

from chainstep.chainrule import Arrival, chain_rule
from chainstep.explain import explain
from chainstep.gates import Remark, remark
from chainstep.graph import Node
from chainstep.rendition import Form, Told, written
from chainstep.trace import Kind, Mode, Step

RECORDING = recording_of(Mode.ACCUMULATE, Mode.OVERWRITE)
GRAPH = RECORDING.graph()
ADDS, LOSES = RECORDING.traces


def rule(position, node=A, of=ADDS):
    return chain_rule(GRAPH, NODES, of, position, node)


def states(position, node=A, of=ADDS):
    return [(NODES[t.edge.consumer].name, t.arrival) for t in rule(position, node, of).terms]


def test_the_terms_stand_in_the_order_in_which_they_come():
    whole = rule(0)
    assert whole.line == "∂e/∂a = ∂d/∂a · ∂e/∂d + ∂c/∂a · ∂e/∂c"
    assert [term.position for term in whole.terms] == [6, 9]


@pytest.mark.parametrize(
    ("position", "through_d", "through_c"),
    [
        (0, Arrival.MISSING, Arrival.MISSING),
        (5, Arrival.RUNNING, Arrival.MISSING),
        (6, Arrival.RUNNING, Arrival.MISSING),
        (7, Arrival.ARRIVED, Arrival.MISSING),
        (8, Arrival.ARRIVED, Arrival.RUNNING),
        (9, Arrival.ARRIVED, Arrival.RUNNING),
        (10, Arrival.ARRIVED, Arrival.ARRIVED),
        (12, Arrival.ARRIVED, Arrival.ARRIVED),
    ],
)
def test_a_term_is_missing_then_running_then_there(position, through_d, through_c):
    assert states(position) == [("d", through_d), ("c", through_c)]


def test_a_term_that_was_replaced_is_lost():
    assert states(12, of=LOSES) == [("d", Arrival.LOST), ("c", Arrival.ARRIVED)]
    assert rule(12, of=LOSES).told == (
        "Nothing more comes for a: both contributions have come, and 1 was replaced."
    )


def test_numbers_stand_only_where_they_have_come():
    assert [term.numbers for term in rule(7).terms] == ["3.0 × 5.0 = 15.0", ""]
    assert [term.numbers for term in rule(9).terms] == ["3.0 × 5.0 = 15.0", "1.0 × 6.0 = 6.0"]


@pytest.mark.parametrize(
    ("position", "told", "waits"),
    [
        (0, "Still missing for a: d and c have not run.", True),
        (7, "Still missing for a: c has not run.", True),
        (8, "The last contribution to a is on its way.", True),
        (9, "Nothing is missing for a: both contributions have come.", False),
    ],
)
def test_it_says_who_has_not_run(position, told, waits):
    assert (rule(position).told, rule(position).waits) == (told, waits)


def test_the_root_has_its_seed():
    assert rule(3, E).line == "∂e/∂e = 1"
    assert rule(3, E).told == "e is the root: its gradient is the seed."


def test_a_consumer_that_ran_and_gave_nothing_is_named():
    steps = tuple(step for step in ADDS.steps if (step.kind, step.node) != (Kind.WRITE, C))
    silent = replace(ADDS, steps=steps)
    whole = chain_rule(GRAPH, NODES, silent, len(steps), A)
    assert whole.told == "c has run and gave nothing to a."
    assert [(term.arrival, term.position) for term in whole.terms] == [
        (Arrival.ARRIVED, 6),
        (Arrival.MISSING, None),
    ]


def test_two_uses_by_one_node_are_two_terms():
    nodes = (Node(0, "x", "", 3.0), Node(1, "y", "*", 9.0, (0, 0)))
    steps = (
        Step(Kind.SEED, 1, None, 1, before=0.0, after=1.0, accumulates=False),
        Step(Kind.CALL, 1, upstream=1.0),
        Step(Kind.WRITE, 1, 0, 0, 1.0, 3.0, 3.0, 0.0, 3.0, True),
        Step(Kind.WRITE, 1, 1, 0, 1.0, 3.0, 3.0, 3.0, 6.0, True),
    )
    square = replace(ADDS, root=1, steps=steps, initial={0: 0.0, 1: 0.0})
    recording = replace(RECORDING, nodes=nodes, traces=(square,))
    whole = chain_rule(recording.graph(), nodes, square, 3, 0)
    assert [term.arrival for term in whole.terms] == [Arrival.RUNNING, Arrival.RUNNING]
    assert [term.numbers for term in whole.terms] == ["3.0 × 1.0 = 3.0", ""]
    assert remark(recording, recording.graph(), square, 4).gate == (
        "Multiplication swaps the operands and scales the gradient by them; "
        "reuse sums: x is used twice."
    )


def test_what_a_use_brought_in_two_calls_is_added_up():
    again = Step(Kind.WRITE, C, 0, A, 7.0, 1.0, 7.0, 21.0, 28.0, True)
    twice = replace(ADDS, steps=(*ADDS.steps, again))
    through_c = chain_rule(GRAPH, NODES, twice, len(twice.steps), A).terms[1]
    assert through_c.numbers == "6.0 + 7.0 = 13.0"


def test_where_nodes_run_again_it_says_that_more_comes_and_then_who_ran_again():
    # c runs once more after the pass, and gives to a again.
    again = (
        Step(Kind.CALL, C, upstream=6.0),
        Step(*(Kind.WRITE, C, 0, A, 6.0, 1.0, 6.0, 21.0, 27.0, True)),
    )
    twice = replace(ADDS, steps=(*ADDS.steps, *again))
    before = chain_rule(GRAPH, NODES, twice, len(ADDS.steps), A)
    assert before.waits
    assert before.told == "More comes for a: 2 of 3 contributions have come."
    after = chain_rule(GRAPH, NODES, twice, len(twice.steps), A)
    assert after.told == "Nothing more comes for a: it has got 3, as c ran again."


def test_nothing_is_told_of_terms_that_are_hidden_as_yet():
    known = ADDS.until(7)
    whole = chain_rule(GRAPH, NODES, known, 7, A)
    assert whole.line == "∂e/∂a = ∂d/∂a · ∂e/∂d + …"
    assert [term.numbers for term in whole.terms] == ["3.0 × 5.0 = 15.0"]
    assert whole.told == "What else comes for a is hidden as yet."
    assert remark(RECORDING, GRAPH, ADDS.until(6), 6) == Remark(
        "Multiplication swaps the operands and scales the gradient by them."
    )


def test_what_a_call_has_not_given_is_no_fault_while_it_is_hidden():
    words = " ".join(explain(RECORDING, ADDS.until(5), 5).sentences)
    assert "It should" not in words
    assert "runs _backward" in words


# -- gates ----------------------------------------------------------------------------------


def at(position, of=ADDS):
    return remark(RECORDING, GRAPH, of, position)


def test_each_step_is_told_in_gate_words():
    assert at(0) == at(1) == Remark()
    assert at(5) == Remark("Multiplication swaps the operands and scales the gradient by them.")
    assert at(9) == Remark(
        "Addition copies the gradient; reuse sums: a is used twice.",
        "Nothing is missing for a: both contributions have come.",
    )
    assert at(6).missing == "Still missing for a: c has not run."
    assert at(12) == Remark("A leaf keeps its gradient.")


def test_gate_words_are_not_said_of_code_that_does_something_else():
    # c = a + b hands a 1.0 times its 6.0, and here twice that.
    steps = (*ADDS.steps[:8], replace(ADDS.steps[8], contribution=12.0, local=2.0, after=27.0))
    assert at(9, replace(ADDS, steps=steps)).gate == (
        "Addition copies the gradient; this code does something else; reuse sums: a is used twice."
    )


def test_a_node_that_runs_too_early_says_who_is_missing():
    early = replace(ADDS, steps=(ADDS.steps[0], Step(Kind.CALL, C, upstream=0.0)))
    assert at(2, early).missing == "Still missing for c: e has not run."


@pytest.mark.parametrize(("number", "word"), [(2.0, "open"), (-2.0, "closed"), (0.0, "closed")])
def test_a_relu_says_whether_it_is_open(number, word):
    nodes = (Node(0, "x", "", number), Node(1, "y", "relu", max(number, 0.0), (0,)))
    steps = (Step(Kind.CALL, 1, upstream=1.0),)
    one = replace(ADDS, root=1, steps=steps, initial={0: 0.0, 1: 0.0})
    recording = replace(RECORDING, nodes=nodes, traces=(one,))
    assert remark(recording, recording.graph(), one, 1).gate == (
        f"Relu gates the gradient: this one is {word}."
    )


# -- to be pasted ---------------------------------------------------------------------------


def told(position, node=None):
    step = explain(RECORDING, ADDS, position)
    return Told(step, at(position), None if node is None else rule(position, node), "a")


def test_as_text_every_formula_is_on_a_line_of_its_own():
    lines = written(told(9), Form.TEXT).splitlines()
    assert lines[0] == "c gives a 6.0"
    assert "∂e/∂a += ∂c/∂a · ∂e/∂c" in lines
    assert "21.0 = 15.0 + 1.0 × 6.0" in lines
    assert lines[-1].startswith("Addition copies the gradient")


def test_the_chain_rule_is_copied_too_where_a_node_is_selected():
    lines = written(told(7, A), Form.TEXT).splitlines()
    assert lines[-4:] == [
        "∂e/∂a = ∂d/∂a · ∂e/∂d + ∂c/∂a · ∂e/∂c",
        "✓ has come, step 6: ∂d/∂a · ∂e/∂d = 3.0 × 5.0 = 15.0",
        "○ still missing: ∂c/∂a · ∂e/∂c",
        "Still missing for a: c has not run.",
    ]


def test_as_latex_formulas_stand_in_mathematics_and_words_are_escaped():
    latex = written(told(9, A), Form.LATEX)
    assert r"Node c runs \_backward and gives a its second contribution." in latex
    assert r"\[ 21.0 = 15.0 + 1.0 \times 6.0 \]" in latex
    assert latex.count(r"\item") == 2
    assert latex.count("{") == latex.count("}")
    assert "∂" not in latex


def test_as_markdown_formulas_stand_between_dollars():
    markdown = written(told(9, A), Form.MARKDOWN)
    assert markdown.startswith("**c gives a 6.0**\n\n")
    assert "$$21.0 = 15.0 + 1.0 \\times 6.0$$" in markdown
    assert r"Node c runs \_backward" in markdown
    assert "- ▸ comes now, step 9: $" in markdown
