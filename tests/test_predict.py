from dataclasses import replace

import pytest
from conftest import C, D, recording_of
from scenes import Scene, diamond, recording, unsorted, wrong_product

from chainstep.predict import Ask, Examiner, Policy, Score, Tally
from chainstep.trace import Mode, Order

BOTH = (Mode.ACCUMULATE, Mode.OVERWRITE)
# 0 seed, 1 e runs, 2 e→c, 3 e→d, 4 d runs, 5 d→a 15, 6 d→b 10, 7 c runs, 8 c→a 6, 9 c→b 6,
# 10 b runs, 11 a runs: worked out by hand.


def examiner(mode=Mode.ACCUMULATE, both=False, whole=None):
    whole = whole or recording_of(*BOTH)
    other = next(each for each in BOTH if each is not mode)
    return Examiner(whole, whole.trace(mode), whole.trace(other) if both else None)


def asked(found, policy):
    questions, at = [], 0
    while (question := found.next(at, 99, policy)) is not None:
        questions.append((question.step, question.ask))
        at = question.step + 1
    return questions


def test_every_step_has_its_question():
    assert asked(examiner(), Policy.EVERY) == [
        (0, Ask.GRADIENT),
        (1, Ask.NODE),
        (2, Ask.GRADIENT),
        (3, Ask.GRADIENT),
        (4, Ask.NODE),
        (5, Ask.COUNT),
        (6, Ask.COUNT),
        (7, Ask.NODE),
        (8, Ask.GRADIENT),
        (9, Ask.GRADIENT),
        (10, Ask.NODE),
        (11, Ask.NODE),
    ]


def test_with_both_modes_on_show_the_second_contribution_asks_whether_they_agree():
    found = dict(asked(examiner(both=True), Policy.EVERY))
    assert found[8] is found[9] is Ask.AGREE
    assert found[2] is Ask.GRADIENT


def test_where_it_matters_are_reuse_gates_leaves_and_what_recursion_would_do_otherwise():
    # e × is the first gate, d × is not; a and b are reused; after d, recursion would run a.
    assert asked(examiner(), Policy.MATTERS) == [
        (2, Ask.GRADIENT),
        (5, Ask.COUNT),
        (6, Ask.COUNT),
        (7, Ask.NODE),
        (8, Ask.GRADIENT),
        (9, Ask.GRADIENT),
    ]


def test_off_asks_nothing():
    assert asked(examiner(), Policy.OFF) == []


def test_a_leaf_that_is_used_once_is_asked_for_and_a_constant_is_not():
    scene = Scene()
    a, two = scene.leaf("a", 3.0), scene.leaf("2.0", 2.0, constant=True)
    scene.op("c", "*", scene.op("b", "*", a, two), two)
    whole = recording(scene.graph)
    found = [
        (whole.traces[0].steps[n].target, ask)
        for n, ask in asked(examiner(whole=whole), Policy.MATTERS)
    ]
    assert (a, Ask.GRADIENT) in found
    assert all(ask is Ask.COUNT or target != two for target, ask in found[:1])


def judged(number, answer, **how):
    found = examiner(**how)
    return found.judge(found.question(number), answer)


@pytest.mark.parametrize(
    ("number", "answer", "right"),
    [
        (4, "d", True),
        (4, "c", True),  # ready as well
        (4, "a", False),  # waits for c and d
        (4, "e", False),  # has run
        (7, "c", True),
        (7, "b", False),
        (2, "6", True),
        (2, "5", False),
        (5, "2", True),
        (5, "1", False),
        (8, "21", True),
        (8, "6", False),
        (9, "16.0", True),
        (0, "1", True),
        (0, "0", False),
    ],
)
def test_answers_are_judged_by_what_the_pass_did(number, answer, right):
    assert judged(number, answer).right is right


def test_a_wrong_answer_is_told_what_was_forgotten_and_then_the_reason():
    verdict = judged(8, "6")
    assert "other path was forgotten" in verdict.why[0]
    assert verdict.truth == "the gradient of a is 21.0"
    assert verdict.numbers == "21.0 = 15.0 + 1.0 × 6.0"
    assert any("second contribution" in words for words in verdict.why)


def test_the_same_question_about_equals_has_the_other_answer():
    assert judged(8, "6", mode=Mode.OVERWRITE).right
    assert "+= would give" in judged(8, "21", mode=Mode.OVERWRITE).why[0]


def test_a_node_that_is_not_ready_is_told_whom_it_waits_for():
    assert judged(7, "a").why[0].startswith("a is not ready: c has yet to run")
    assert judged(4, "e").why[0] == "e has run already."


def test_another_node_that_is_ready_is_right_and_told_which_one_this_pass_takes_first():
    verdict = judged(4, "c")
    assert verdict.right
    assert verdict.instead == "c is right too: it is ready. This pass takes d first"


def test_where_nothing_was_sorted_only_the_node_that_ran_is_right():
    whole = recording(diamond(), unsorted(diamond()))
    found = Examiner(whole, whole.traces[0])
    # e, c, a, b, d, a, b: after c recursion runs a at once.
    calls = [n for n, step in enumerate(whole.traces[0].steps) if step.kind.value == "call"]
    question = found.question(calls[2])
    assert found.judge(question, "a").right
    verdict = found.judge(question, "d")
    assert not verdict.right
    assert "does not wait" in verdict.why[0]


def test_whether_the_modes_agree_is_judged_on_the_numbers():
    assert judged(8, "no", both=True).right
    wrong = judged(8, "Yes", both=True)
    assert not wrong.right
    assert "throws that away" in wrong.why[0]
    assert wrong.truth == "+= and = differ in a"


def test_a_count_knows_a_node_used_twice_by_the_same_consumer():
    scene = Scene()
    x = scene.leaf("x", 3.0)
    scene.op("y", "*", x, x)
    found = examiner(whole=recording(scene.graph))
    question = found.question(2)
    assert question.ask is Ask.COUNT
    assert found.judge(question, "2").right
    assert "two slots" in found.judge(question, "1").why[0]
    assert found.reveal(question).why == ("They come from y (twice).",)


def test_a_node_is_meant_by_its_expression_however_it_is_spaced_or_bracketed():
    scene = Scene()
    x = scene.leaf("x", 3.0)
    scene.op("y", "*", scene.op("x + x", "+", x, x), x)
    found = examiner(whole=recording(scene.graph))
    question = found.question(4)
    assert question.ask is Ask.NODE
    assert all(found.judge(question, each).right for each in ("x + x", "x+x", "(x + x)"))


@pytest.mark.parametrize(
    ("number", "answer", "words"),
    [(4, "q", "No node"), (2, "six", "no number"), (5, "many", "no number")],
)
def test_what_cannot_be_read_is_said_and_not_judged(number, answer, words):
    assert words in judged(number, answer)
    assert "yes or no" in judged(8, "maybe", both=True)


@pytest.mark.parametrize("number", [4, 2])
def test_of_an_answer_without_end_only_the_beginning_is_said_again(number):
    assert "xxxxx…'" in judged(number, "x" * 10_000)
    assert len(judged(number, "x" * 10_000)) < 150


def test_nodes_of_one_name_all_count_as_that_name():
    whole = recording_of(*BOTH)
    nodes = tuple(replace(n, name="v") if n.id in (C, D) else n for n in whole.nodes)
    assert judged(7, "v", whole=replace(whole, nodes=nodes)).right


def test_a_reveal_tells_the_truth_and_judges_nobody():
    found = examiner()
    verdict = found.reveal(found.question(8))
    assert verdict.right is None
    assert verdict.truth == "the gradient of a is 21.0"
    tally = Tally()
    tally.add(verdict)
    assert tally.total == 0


def test_the_tally_counts_by_kind_and_a_wrong_answer_ends_a_streak():
    found, tally = examiner(), Tally()
    for number, answer in ((2, "6"), (3, "5"), (8, "6"), (9, "16"), (4, "d")):
        tally.add(found.judge(found.question(number), answer))
    assert tally.scores[Ask.GRADIENT] == Score(right=3, wrong=1)
    assert tally.scores[Ask.NODE] == Score(right=1, wrong=0)
    # 16 and d, whatever their kinds.
    assert tally.streak == 2
    assert (tally.right, tally.total) == (4, 5)
    assert tally.lines() == [
        "which node runs next: 1 right, 0 wrong",
        "what the gradient becomes: 3 right, 1 wrong",
    ]


# -- code that is wrong -----------------------------------------------------------------


def faulty(mode=Mode.ACCUMULATE, assigns=False):
    """The diamond, where c = a + b hands b 5 times what it should: b has 10 of d, then 30 for 6.

    As written with `=` if it assigns: there b is left with what came last.
    """
    whole = recording_of(*BOTH)
    steps = list(whole.trace(Mode.ACCUMULATE).steps)
    after = 30.0 if assigns else 40.0
    steps[9] = replace(
        steps[9], local=5.0, contribution=30.0, after=after, accumulates=not assigns, line=22
    )
    one = replace(whole.trace(Mode.ACCUMULATE), mode=mode, steps=tuple(steps))
    return replace(whole, traces=(one,))


def judged_faulty(answer, **how):
    whole = faulty(**how)
    found = Examiner(whole, whole.traces[0])
    return found.judge(found.question(9), answer)


def test_what_is_right_by_mathematics_is_right_and_told_what_the_class_does_instead():
    verdict = judged_faulty("16")
    assert verdict.right
    assert verdict.instead == (
        "16.0 is right: + should add 6.0; this class adds 30.0, in line 22, and leaves 40.0"
    )
    assert verdict.why[0] == "The pass goes on with 40.0."


def test_who_foresees_what_wrong_code_does_is_right_and_told_what_it_should_do():
    verdict = judged_faulty("40")
    assert verdict.right
    assert verdict.instead == ""
    assert verdict.why[0] == (
        "That is what this class gives, in line 22; + should give 1.0 × 6.0 = 6.0."
    )


@pytest.mark.parametrize("answer", ["10", "6", "30", "5", "15", "-40", "7"])
def test_where_code_is_wrong_no_reason_is_guessed_for_another_number(answer):
    verdict = judged_faulty(answer)
    assert verdict.right is False
    assert verdict.why[0] == "+ should give 1.0 × 6.0 = 6.0; this class gives 30.0, in line 22."
    assert not any("forgotten" in words or "sign" in words for words in verdict.why)


def test_nobody_is_told_twice_that_code_is_wrong():
    whole = faulty()
    found = Examiner(whole, whole.traces[0])
    verdict = found.reveal(found.question(9))
    assert verdict.truth == "the gradient of b is 40.0"
    assert sum("should" in words for words in verdict.why) == 1


def test_what_a_program_stores_with_equals_may_be_foreseen_or_be_right_by_mathematics():
    wanted = {"30": "", "16": "16.0 is right: += keeps the 10.0", "6": "6.0 is what + should give"}
    for answer, instead in wanted.items():
        verdict = judged_faulty(answer, mode=Mode.AS_WRITTEN, assigns=True)
        assert verdict.right
        assert verdict.instead.startswith(instead)
        assert bool(verdict.instead) is bool(instead)
    # What += would make of the wrong 30.
    assert not judged_faulty("40", mode=Mode.AS_WRITTEN, assigns=True).right


def test_a_first_contribution_alone_is_told_as_the_brief_sentence():
    whole = wrong_product()
    found = Examiner(whole, whole.traces[0])
    verdict = found.judge(found.question(3), "1")
    assert verdict.right
    assert verdict.instead == "1.0 is what * should give; this class gives -6.0, in line 22"


def test_a_seed_that_is_not_one_may_be_foreseen_or_corrected():
    whole = recording_of(*BOTH)
    one = replace(
        whole.traces[0],
        mode=Mode.AS_WRITTEN,
        steps=(replace(whole.traces[0].steps[0], after=2.0), *whole.traces[0].steps[1:]),
    )
    found = Examiner(replace(whole, traces=(one,)), one)
    assert found.judge(found.question(0), "2").instead == ""
    assert found.judge(found.question(0), "1").instead == (
        "1.0 is what the root e should get; this program gives it 2.0"
    )
    assert not found.judge(found.question(0), "3").right


def test_a_reveal_says_no_more_than_what_is_known_after_the_step():
    found = examiner()
    verdict = found.reveal(found.question(2))
    assert verdict.why[0] == "Node e runs _backward and gives c its first contribution."
    assert not any("only" in words for words in verdict.why)


def test_a_program_of_its_own_order_is_asked_for_what_is_ready():
    whole = recording(diamond(), unsorted(diamond()))
    one = replace(whole.traces[0], mode=Mode.AS_WRITTEN, order=Order.AS_WRITTEN)
    found = Examiner(replace(whole, traces=(one,)), one)
    calls = [n for n, step in enumerate(one.steps) if step.kind.value == "call"]
    verdict = found.judge(found.question(calls[2]), "d")
    assert verdict.right
    assert verdict.instead == (
        "d is ready, so it is right. This program takes a, which is not ready"
    )


def test_a_count_by_uses_is_right_where_the_pass_brings_another():
    whole = recording_of(*BOTH)
    one = whole.traces[0]
    again = replace(one.steps[8], before=21.0, after=27.0)
    one = replace(one, steps=(*one.steps[:9], again, *one.steps[9:]))
    found = Examiner(replace(whole, traces=(one,)), one)
    assert found.judge(found.question(5), "3").instead == ""
    verdict = found.judge(found.question(5), "2")
    assert verdict.right
    assert verdict.instead == "2 is what a should get, one for each use; here it gets 3"


def test_questions_name_the_step_and_not_its_numbers():
    found = examiner()
    for number in range(12):
        text = found.question(number).text
        assert not any(figure in text for figure in ("21", "15", "16", "10", "6.0", "5.0"))
