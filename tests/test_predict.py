from dataclasses import replace

import pytest
from conftest import C, D, recording_of
from scenes import Scene, diamond, recording, unsorted

from chainstep.predict import Ask, Examiner, Policy, Score, Tally
from chainstep.trace import Mode

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
    assert "ready as well" in judged(4, "c").why[0]


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
    assert wrong.truth == "+= and = part in a"


def test_a_count_knows_a_node_used_twice_by_the_same_consumer():
    scene = Scene()
    x = scene.leaf("x", 3.0)
    scene.op("y", "*", x, x)
    found = examiner(whole=recording(scene.graph))
    question = found.question(2)
    assert question.ask is Ask.COUNT
    assert found.judge(question, "2").right
    assert "two slots" in found.judge(question, "1").why[0]


@pytest.mark.parametrize(
    ("number", "answer", "words"),
    [(4, "q", "No node"), (2, "six", "no number"), (5, "many", "no number")],
)
def test_what_cannot_be_read_is_said_and_not_judged(number, answer, words):
    assert words in judged(number, answer)
    assert "yes or no" in judged(8, "maybe", both=True)


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
    assert tally.scores[Ask.GRADIENT] == Score(right=3, wrong=1, streak=1)
    assert tally.scores[Ask.NODE] == Score(right=1, wrong=0, streak=1)
    assert (tally.right, tally.total) == (4, 5)
    assert tally.lines() == [
        "which node runs next: 1 right, 0 wrong, 1 in a row now",
        "what the gradient becomes: 3 right, 1 wrong, 1 in a row now",
    ]


def test_questions_name_the_step_and_not_its_numbers():
    found = examiner()
    for number in range(12):
        text = found.question(number).text
        assert not any(figure in text for figure in ("21", "15", "16", "10", "6.0", "5.0"))
