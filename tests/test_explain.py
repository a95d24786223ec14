from __future__ import annotations

from dataclasses import replace

import pytest

from chainstep.explain import Explanation, explain
from chainstep.gates import remark
from chainstep.graph import Node
from chainstep.sentence import ordinal
from chainstep.trace import Kind, Mode, Order, Recording, Step, Trace, TraceError

A, B, C, D, E = range(5)

DIAMOND = (
    Node(A, "a", "", 2.0),
    Node(B, "b", "", 3.0),
    Node(C, "c", "+", 5.0, (A, B)),
    Node(D, "d", "*", 6.0, (A, B)),
    Node(E, "e", "*", 30.0, (C, D)),
)


def seed(node, before=0.0, after=1.0):
    return Step(Kind.SEED, node=node, target=node, before=before, after=after)


def call(node, upstream):
    return Step(Kind.CALL, node=node, upstream=upstream)


def write(node, slot, target, factors, change, accumulates=True):
    upstream, local = factors
    before, after = change
    contribution = upstream * local
    return Step(
        *(Kind.WRITE, node, slot, target, upstream, local),
        *(contribution, before, after, accumulates),
    )


def trace(mode, steps, nodes=DIAMOND, root=E, order=Order.DEPTH_FIRST, initial=None, error=None):
    held = {node.id: 0.0 for node in nodes} if initial is None else initial
    return Trace(0, mode, order, root, held, tuple(steps), {}, error)


def diamond(mode):
    """The steps of the diamond as worked out by hand, in depth-first order: e d c b a."""
    adds = mode is Mode.ACCUMULATE
    steps = [
        seed(E),
        call(E, 1.0),
        write(E, 0, C, (1.0, 6.0), (0.0, 6.0), adds),
        write(E, 1, D, (1.0, 5.0), (0.0, 5.0), adds),
        call(D, 5.0),
        write(D, 0, A, (5.0, 3.0), (0.0, 15.0), adds),
        write(D, 1, B, (5.0, 2.0), (0.0, 10.0), adds),
        call(C, 6.0),
        write(C, 0, A, (6.0, 1.0), (15.0, 21.0 if adds else 6.0), adds),
        write(C, 1, B, (6.0, 1.0), (10.0, 16.0 if adds else 6.0), adds),
        call(B, 16.0 if adds else 6.0),
        call(A, 21.0 if adds else 6.0),
    ]
    return trace(mode, steps)


def recording(*traces, nodes=DIAMOND):
    return Recording("diamond.py", nodes=nodes, traces=traces)


ADDS, LOSES = diamond(Mode.ACCUMULATE), diamond(Mode.OVERWRITE)
BOTH = recording(ADDS, LOSES)


def told(position, of=ADDS, beside=None, within=BOTH):
    return explain(within, of, position, beside)


def test_the_second_contribution_is_told_as_in_the_drawing_of_the_window():
    assert told(9, beside=LOSES) == Explanation(
        "c gives a 6.0",
        (
            "Node c runs _backward and gives a its second contribution.",
            "With += it joins the 15.0 that came through d.",
            "With = those 15.0 are lost.",
        ),
        "∂e/∂a += ∂c/∂a · ∂e/∂c",
        "21.0 = 15.0 + 1.0 × 6.0",
    )


def test_overwriting_is_told_from_its_own_side():
    told_beside = told(9, of=LOSES, beside=ADDS)
    assert told_beside.sentences[1:] == (
        "With = the 15.0 that came through d are lost.",
        "With += it joins them.",
    )
    assert told_beside.symbols == "∂e/∂a = ∂c/∂a · ∂e/∂c"
    assert told_beside.numbers == "6.0 = 1.0 × 6.0"


def test_one_mode_alone_says_what_the_other_would_do():
    assert told(9).sentences[2] == "With = those 15.0 would be lost."
    assert told(9, of=LOSES).sentences[2] == "With += it would join them."


def test_a_first_contribution_is_the_same_in_both_modes():
    first = told(6, beside=LOSES)
    assert first.sentences == (
        "Node d runs _backward and gives a its first contribution.",
        "Nothing had come before, so += and = do the same here.",
    )
    assert first.numbers == "15.0 = 0.0 + 3.0 × 5.0"


def test_an_only_contribution_is_called_so():
    assert told(3).sentences[0] == "Node e runs _backward and gives c its only contribution."


def test_the_seed_says_why_it_is_one():
    seeded = told(1)
    assert seeded.title == "Seed: the gradient of e"
    assert seeded.sentences[0] == "The root e gets the gradient 1.0 to begin with."
    assert (seeded.symbols, seeded.numbers) == ("∂e/∂e = 1", "∂e/∂e = 1.0")


def test_what_comes_from_the_root_is_multiplied_by_the_one_of_the_seed():
    assert told(3).symbols == "∂e/∂c += ∂e/∂c · 1"
    assert told(3).numbers == "6.0 = 0.0 + 6.0 × 1.0"
    steps = [seed(E, 0.0, 2.0), call(E, 2.0), write(E, 0, C, (2.0, 6.0), (0.0, 12.0))]
    other = trace(Mode.AS_WRITTEN, steps)
    assert told(3, of=other).symbols == "∂e/∂c += ∂e/∂c · ∂e/∂e"


def test_a_seed_that_is_not_one_is_called_wrong():
    wrong = trace(Mode.AS_WRITTEN, [seed(E, 0.5, 2.0), call(E, 2.0)])
    assert told(1, of=wrong).sentences[1:] == (
        "It should be 1.0: every other gradient is a multiple of this one.",
        "It replaces the 0.5 that was still there.",
    )


def test_a_call_says_whether_the_gradient_is_complete_and_gives_the_local_derivatives():
    called = told(5)
    assert called.title == "d runs _backward"
    assert called.sentences[:2] == (
        "Node d runs _backward to pass its gradient 5.0 on to a and b.",
        "Its gradient is complete: its one contribution has come.",
    )
    assert called.symbols == "∂d/∂a = b,  ∂d/∂b = a"
    assert called.numbers == "∂d/∂a = 3.0,  ∂d/∂b = 2.0"


def test_the_root_is_complete_by_its_seed():
    assert told(2).sentences[1] == "It is the root: its gradient is the seed."


def test_a_leaf_does_nothing_and_shows_the_whole_sum():
    leaf = told(11)
    assert leaf.title == "b runs _backward: nothing to do"
    assert leaf.sentences == (
        "Node b is a leaf: it has no children, so its _backward does nothing.",
        "Its gradient is complete: both contributions have come.",
    )
    assert leaf.symbols == "∂e/∂b = ∂d/∂b · ∂e/∂d + ∂c/∂b · ∂e/∂c"
    assert leaf.numbers == "16.0 = 2.0 × 5.0 + 1.0 × 6.0"


def test_a_leaf_whose_gradients_differ_says_what_the_other_mode_holds():
    adds = told(11, beside=LOSES)
    assert adds.sentences[1:] == (
        "With = its gradient is 6.0 and not 16.0.",
        "Its gradient is complete: both contributions have come.",
    )
    loses = told(11, of=LOSES, beside=ADDS)
    assert loses.sentences[1] == "With += its gradient is 16.0 and not 6.0."
    assert "a 21.0 and 6.0" in told(12, beside=LOSES).sentences[-1]


def test_an_overwritten_leaf_holds_only_the_last():
    leaf = told(11, of=LOSES)
    assert leaf.sentences[1] == "2 contributions have come, and its gradient holds only the last."
    assert leaf.symbols == "∂e/∂b = ∂c/∂b · ∂e/∂c"
    assert leaf.numbers == "6.0 = 1.0 × 6.0"


def test_a_constant_is_called_one():
    nodes = (Node(0, "2.0", "", 2.0, constant=True), *DIAMOND[1:])
    leaf = told(12, within=recording(ADDS, nodes=nodes))
    assert leaf.sentences[0].startswith("Node 2.0 is a constant")


def test_the_start_says_that_nothing_has_come_and_what_is_next():
    start = told(0)
    assert start.title == "Before the backward pass from e"
    assert start.sentences == (
        "All 5 nodes hold their data, and no gradient has come yet.",
        "Every node runs after all its consumers: the topological order, reversed.",
        "The next step seeds the root: e gets its 1.0.",
    )


def test_the_start_lists_gradients_that_are_left_from_earlier():
    held = {A: 21.0, B: 16.0, C: 6.0, D: 5.0, E: 1.0}
    again = trace(Mode.AS_WRITTEN, [seed(E)], order=Order.AS_WRITTEN, initial=held)
    assert told(0, of=again).sentences[0] == (
        "Gradients from earlier are still there: a 21.0, b 16.0, c 6.0 and 2 more."
    )


def test_the_end_tells_where_the_modes_differ():
    assert told(12, beside=LOSES).sentences[-1] == (
        "That was the last step. += and = end differently: a 21.0 and 6.0 and b 16.0 and 6.0."
    )
    assert told(12).sentences[-1] == "That was the last step."
    assert told(12, beside=ADDS).sentences[-1] == (
        "That was the last step; += and = agree everywhere."
    )


def test_the_end_names_the_accumulated_gradient_first_from_either_side():
    assert told(12, of=LOSES, beside=ADDS).sentences[-1] == told(12, beside=LOSES).sentences[-1]


def test_a_pass_that_broke_off_says_why_and_what_is_kept():
    error = TraceError(5, "ZeroDivisionError: 0.0 cannot be raised to a negative power", 12)
    broken = trace(Mode.ACCUMULATE, ADDS.steps[:5], error=error)
    assert told(5, of=broken) == Explanation(
        "The backward pass broke off here",
        (
            "ZeroDivisionError: 0.0 cannot be raised to a negative power (line 12).",
            "The 5 steps before it are kept: step back to see them.",
        ),
    )
    assert told(4, of=broken) == told(4)


def test_a_pass_that_broke_off_at_once_says_so_at_its_start():
    broken = trace(Mode.ACCUMULATE, [], error=TraceError(0, "RecursionError"))
    assert told(0, of=broken).title == "The backward pass broke off here"


def test_both_operands_being_one_node_is_told():
    nodes = (Node(0, "a", "", 2.0), Node(1, "b", "+", 4.0, (0, 0)))
    steps = [
        seed(1),
        call(1, 1.0),
        write(1, 0, 0, (1.0, 1.0), (0.0, 1.0)),
        write(1, 1, 0, (1.0, 1.0), (1.0, 2.0)),
    ]
    reuse = trace(Mode.ACCUMULATE, steps, nodes, 1)
    within = recording(reuse, nodes=nodes)
    assert told(4, of=reuse, within=within).sentences[1] == (
        "With += it joins the 1.0 that b gave just before."
    )
    assert told(2, of=reuse, within=within).symbols == "∂b/∂a = 1"


def test_contributions_that_differ_between_the_modes_are_both_named():
    adds = [
        write(C, 0, A, (5.0, 1.0), (0.0, 5.0)),
        write(D, 0, A, (2.0, 3.0), (5.0, 11.0)),
    ]
    loses = [adds[0], write(D, 0, A, (1.0, 3.0), (5.0, 3.0), accumulates=False)]
    one, other = trace(Mode.ACCUMULATE, adds), trace(Mode.OVERWRITE, loses)
    pair = recording(one, other)
    assert explain(pair, one, 2, other).sentences[2] == (
        "That was the last step. += and = end differently: a 11.0 and 3.0."
    )
    longer = trace(Mode.ACCUMULATE, [*adds, call(A, 11.0)])
    beside = trace(Mode.OVERWRITE, [*loses, call(A, 3.0)])
    assert explain(pair, longer, 2, beside).sentences[2] == (
        "With = it brings 3.0 instead, and the 5.0 that came through c are lost."
    )
    assert explain(pair, beside, 2, longer).sentences[2] == (
        "With += it brings 6.0 instead and joins the 5.0 that came through c."
    )


def test_the_programs_own_code_is_told_as_what_it_does():
    own = trace(Mode.AS_WRITTEN, [*LOSES.steps[:10], call(B, 6.0)], order=Order.AS_WRITTEN)
    assert told(9, of=own).sentences[1] == (
        "The code stores it with =, so the 15.0 that came through d are lost. "
        "+= would keep them and leave 21.0."
    )
    right = trace(Mode.AS_WRITTEN, [*ADDS.steps[:10], call(B, 6.0)], order=Order.AS_WRITTEN)
    assert told(9, of=right).sentences[1] == (
        "The code stores it with +=, so it joins the 15.0 that came through d."
    )


def test_a_gradient_left_from_an_earlier_pass_is_told_as_such():
    steps = [write(C, 0, A, (6.0, 1.0), (21.0, 27.0)), call(A, 27.0)]
    own = trace(Mode.AS_WRITTEN, steps, initial={A: 21.0, C: 6.0})
    assert told(1, of=own).sentences[1] == (
        "The code stores it with +=, so it joins the 21.0 that was there before."
    )
    assert told(1, of=own).numbers == "27.0 = 21.0 + 1.0 × 6.0"


def test_a_node_that_passes_an_old_gradient_on_again_is_told():
    steps = [write(E, 0, C, (1.0, 1.0), (1.0, 2.0)), call(C, 2.0), call(A, 0.0)]
    own = trace(Mode.AS_WRITTEN, steps, initial={C: 1.0, E: 1.0})
    assert told(2, of=own).sentences[1] == (
        "Its one contribution has come; it still holds 1.0 from before and passes that on again."
    )


def test_an_expression_stands_in_brackets_in_a_sentence():
    nodes = (*DIAMOND[:2], Node(C, "a + b", "+", 5.0, (A, B)), *DIAMOND[3:])
    assert told(9, within=recording(ADDS, nodes=nodes)).sentences[0] == (
        "Node (a + b) runs _backward and gives a its second contribution."
    )


def test_an_incomplete_gradient_is_named_when_its_node_runs_too_early():
    steps = [
        write(E, 0, C, (1.0, 6.0), (0.0, 6.0)),
        call(C, 6.0),
        write(D, 0, C, (1.0, 5.0), (6.0, 11.0)),
        call(C, 11.0),
    ]
    early = trace(Mode.ACCUMULATE, steps, order=Order.RECURSIVE)
    assert told(2, of=early).sentences[1] == (
        "Its gradient is not complete: 1 of 2 contributions have come."
    )


def test_a_backward_that_writes_nothing_is_called_so():
    silent = trace(Mode.AS_WRITTEN, [seed(E), call(E, 1.0), call(D, 0.0), call(C, 0.0)])
    assert told(2, of=silent).sentences[0] == "Node e runs _backward, and it changes no gradient."
    assert told(3, of=silent).sentences[1] == (
        "No contribution ever reaches it: e should give to it and never did."
    )


def test_all_that_a_call_keeps_back_is_told():
    silent = trace(Mode.AS_WRITTEN, [seed(E), call(E, 1.0), call(D, 0.0), call(C, 0.0)])
    assert told(2, of=silent).sentences[-1] == (
        "It should give c 6.0 × 1.0 = 6.0 and d 5.0 × 1.0 = 5.0, and never does."
    )
    half = trace(Mode.AS_WRITTEN, [*ADDS.steps[:3], call(D, 0.0)])
    assert told(2, of=half).sentences[-1] == (
        "It should also give d 5.0 × 1.0 = 5.0, and never does."
    )


def test_what_nodes_that_ran_again_gave_again_is_not_called_complete():
    steps = [
        *ADDS.steps[:10],
        call(C, 6.0),
        write(C, 0, A, (6.0, 1.0), (21.0, 27.0)),
        call(A, 27.0),
    ]
    again = trace(Mode.ACCUMULATE, steps, order=Order.RECURSIVE)
    assert told(13, of=again).sentences[1] == (
        "All 3 contributions have come, but c ran again: parts count more than once."
    )
    assert told(12, of=ADDS).sentences[1] == (
        "Its gradient is complete: both contributions have come."
    )


@pytest.mark.parametrize(
    ("op", "children", "words"),
    [
        ("**", (A,), "The exponent is a plain number: the operand gets"),
        ("-", (A,), "The negative falls as fast as its operand grows"),
        ("+", (A, B, A), "A sum grows exactly as fast as each of its terms"),
    ],
)
def test_the_rule_is_that_of_as_many_operands_as_there_are(op, children, words):
    nodes = (*DIAMOND[:2], Node(C, "c", op, 4.0, children))
    runs = trace(Mode.AS_WRITTEN, [call(C, 1.0), call(A, 0.0)], nodes, root=C)
    assert told(1, of=runs, within=recording(runs, nodes=nodes)).sentences[2].startswith(words)


def test_no_rule_of_two_operands_is_told_of_three():
    nodes = (*DIAMOND[:2], Node(C, "c", "*", 12.0, (A, B, A)))
    runs = trace(Mode.AS_WRITTEN, [call(C, 1.0)], nodes, root=C)
    within = recording(runs, nodes=nodes)
    assert not any("factor" in each for each in told(1, of=runs, within=within).sentences)
    assert remark(within, within.graph(), runs, 1).gate == ""


def test_a_local_derivative_that_is_a_node_alone_has_no_brackets():
    nodes = (*DIAMOND[:1], Node(B, "-3.0", "", -3.0, constant=True), *DIAMOND[2:])
    assert told(5, within=recording(ADDS, nodes=nodes)).symbols == "∂d/∂a = -3.0,  ∂d/∂(-3.0) = a"


def test_a_constant_is_called_one_where_a_number_follows_its_own():
    nodes = (*DIAMOND[:1], Node(B, "3", "", 3.0, constant=True), *DIAMOND[2:])
    words = told(7, within=recording(ADDS, nodes=nodes))
    assert words.title == "d gives 10.0 to the constant 3"
    assert "gives the constant 3 its first contribution" in words.sentences[0]


def test_a_write_to_a_node_that_is_no_child_is_told():
    stray = trace(Mode.AS_WRITTEN, [write(C, None, D, (6.0, 1.0), (0.0, 6.0)), call(D, 6.0)])
    assert told(1, of=stray).sentences[1] == "d is not among the recorded children of c."


def test_zeroing_from_outside_is_told_and_forgets_what_came_before():
    zero = Step(Kind.OUTSIDE, target=A, before=15.0, after=0.0, accumulates=False, line=30)
    steps = [ADDS.steps[5], zero, write(C, 0, A, (6.0, 1.0), (0.0, 6.0)), call(A, 6.0)]
    own = trace(Mode.AS_WRITTEN, steps)
    assert told(2, of=own) == Explanation(
        "a's gradient is set from outside",
        (
            "While no _backward runs, a's gradient goes from 15.0 to 0.0 at line 30.",
            "It is zeroed: the next contribution starts from nothing.",
        ),
        "a.grad",
        "15.0 → 0.0",
    )
    assert told(4, of=own).symbols == "∂e/∂a = ∂c/∂a · ∂e/∂c"
    early = trace(Mode.AS_WRITTEN, [*steps[:2], call(A, 0.0)])
    assert told(3, of=early).sentences[1] == (
        "Its contributions have come, and then its gradient was set from outside."
    )


def test_negative_numbers_get_brackets_inside_a_formula():
    negative = trace(Mode.ACCUMULATE, [write(C, 0, A, (-6.0, -0.5), (-2.0, 1.0)), call(A, 1.0)])
    assert told(1, of=negative).numbers == "1.0 = -2.0 + (-0.5) × (-6.0)"


def test_an_unknown_local_derivative_leaves_the_bare_contribution():
    step = Step(Kind.WRITE, C, 0, A, 6.0, None, 7.0, 0.0, 7.0, accumulates=True)
    unknown = trace(Mode.AS_WRITTEN, [step, call(A, 7.0)])
    assert told(1, of=unknown).numbers == "7.0 = 0.0 + 7.0"
    assert told(1, of=unknown).symbols == "∂e/∂a += ∂c/∂a · ∂e/∂c"


def test_an_expression_stands_in_brackets_in_a_formula_and_is_shortened():
    long = "x1 * w1 + x2 * w2 + x3 * w3 + b"
    nodes = (*DIAMOND[:3], Node(D, "a * b", "*", 6.0, (A, B)), Node(E, long, "*", 30.0, (C, D)))
    words = told(6, within=recording(ADDS, nodes=nodes))
    root = "(x1 * w1 + x2 * w2 + x3 * w3…)"
    assert words.symbols == f"∂{root}/∂a += ∂(a * b)/∂a · ∂{root}/∂(a * b)"


def test_positions_beyond_the_ends_count_as_the_ends():
    assert told(-5) == told(0)
    assert told(99) == told(12)


@pytest.mark.parametrize("of", [ADDS, LOSES])
def test_no_explanation_is_longer_than_three_sentences(of):
    beside = LOSES if of is ADDS else ADDS
    for position in range(13):
        assert 1 <= len(told(position, of=of, beside=beside).sentences) <= 3


class Counted(tuple):
    """Steps that count how often one of them is looked at."""

    __slots__ = ()
    looks = 0

    def __getitem__(self, key):
        Counted.looks += 1
        return super().__getitem__(key)


def test_a_step_late_in_a_long_trace_looks_at_no_more_steps_than_an_early_one():
    count = 20_000
    steps = [seed(E), call(C, 1.0)]
    for before in range(count):
        steps.append(write(C, 0, A, (1.0, 1.0), (float(before), float(before + 1))))
        steps.append(write(D, 0, A, (1.0, 0.0), (float(before + 1), float(before + 1))))
    long = replace(trace(Mode.ACCUMULATE, []), steps=Counted(steps))
    within = recording(long)
    explain(within, long, 2)
    Counted.looks = 0
    words = explain(within, long, 2 * count + 1)
    assert Counted.looks < 20
    assert words.numbers == "20000.0 = 19999.0 + 1.0 × 1.0"
    assert words.sentences == (
        "Node c runs _backward and gives a its 39999th contribution.",
        "With += it joins the 19999.0 that came through c, d and 39995 more.",
        "With = those 19999.0 would be lost.",
    )


@pytest.mark.parametrize(
    ("count", "word"), [(1, "first"), (10, "tenth"), (11, "11th"), (13, "13th"), (102, "102nd")]
)
def test_ordinals_are_words_up_to_ten(count, word):
    assert ordinal(count) == word


# -- what the code should have done -----------------------------------------------------------


def test_a_write_with_a_wrong_local_derivative_says_what_it_should_have_brought():
    # d = a * b with b = 3.0: a should get 3.0 × 5.0, and the code hands it a × 5.0.
    wrong = trace(Mode.AS_WRITTEN, [write(D, 0, A, (5.0, 2.0), (0.0, 10.0)), call(A, 10.0)])
    assert told(1, of=wrong).sentences[1] == (
        "That is wrong: it brings 10.0, and * should bring 3.0 × 5.0 = 15.0."
    )
    assert "wrong" not in " ".join(told(6).sentences)


def test_a_call_that_leaves_an_operand_out_says_what_is_due_to_it():
    steps = [call(D, 5.0), write(D, 0, A, (5.0, 3.0), (0.0, 15.0)), call(B, 0.0)]
    half = trace(Mode.AS_WRITTEN, steps)
    assert told(1, of=half).sentences[2] == (
        "It should also give b 2.0 × 5.0 = 10.0, and never does."
    )
    assert "never does" not in " ".join(told(5).sentences)


def test_a_gradient_that_lacks_what_a_consumer_kept_back_is_not_called_complete():
    # c = a + b gives to a alone: what had come to b through d is all it ever gets.
    steps = [call(D, 5.0), write(D, 0, A, (5.0, 3.0), (0.0, 15.0))]
    steps += [write(D, 1, B, (5.0, 2.0), (0.0, 10.0)), call(C, 6.0)]
    steps += [write(C, 0, A, (6.0, 1.0), (15.0, 21.0)), call(B, 10.0), call(A, 21.0)]
    half = trace(Mode.AS_WRITTEN, steps)
    assert told(6, of=half).sentences[1] == (
        "Its gradient is not complete: c should give to it too, and never did."
    )
    assert (
        told(7, of=half).sentences[1] == "Its gradient is complete: both contributions have come."
    )


def test_a_gradient_that_got_something_wrong_is_not_called_complete():
    steps = [call(D, 5.0), write(D, 0, A, (5.0, 2.0), (0.0, 10.0)), call(C, 6.0)]
    steps += [write(C, 0, A, (6.0, 1.0), (10.0, 16.0)), call(A, 16.0)]
    wrong = trace(Mode.AS_WRITTEN, steps)
    assert told(5, of=wrong).sentences[1] == (
        "Both contributions have come, and what d gave is wrong."
    )


def test_a_call_that_an_error_cut_short_is_not_blamed_for_what_did_not_come():
    steps = [call(D, 5.0), write(D, 0, A, (5.0, 3.0), (0.0, 15.0))]
    cut = trace(Mode.AS_WRITTEN, steps, error=TraceError(2, "ValueError"))
    assert "never does" not in " ".join(told(1, of=cut).sentences)


def test_either_slope_at_a_kink_is_right():
    nodes = (Node(0, "a", "", 0.0), Node(1, "b", "relu", 0.0, (0,)))
    kink = trace(Mode.AS_WRITTEN, [write(1, 0, 0, (1.0, 1.0), (0.0, 1.0)), call(0, 1.0)], nodes, 1)
    assert "wrong" not in " ".join(told(1, of=kink, within=recording(kink, nodes=nodes)).sentences)


def test_an_op_that_computes_something_else_than_its_name_says_is_not_judged():
    nodes = (Node(0, "a", "", 2.0), Node(1, "b", "tanh", 7.0, (0,)))
    own = trace(Mode.AS_WRITTEN, [write(1, 0, 0, (1.0, 3.5), (0.0, 3.5)), call(0, 3.5)], nodes, 1)
    assert "wrong" not in " ".join(told(1, of=own, within=recording(own, nodes=nodes)).sentences)
