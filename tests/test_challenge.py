from dataclasses import replace

import pytest
from conftest import A, B, C, D, E, recording_of
from scenes import Scene, diamond, product, recording, unsorted, wrong_product

from chainstep.challenge import Challenge, refusal
from chainstep.trace import Kind, Mode, Step

BOTH = (Mode.ACCUMULATE, Mode.OVERWRITE)


def challenge(whole=None):
    whole = whole or recording_of(*BOTH)
    return Challenge(whole, whole.trace(Mode.ACCUMULATE))


def oracle():
    """c = a + b, d = ab, e = c + d, f = cd, y = e + f at a = 2, b = 3.

    By hand: a 25, b 19, c 7, d 6; plain recursion: a 29, b 22.
    """
    scene = Scene()
    a, b = scene.leaf("a", 2.0), scene.leaf("b", 3.0)
    c, d = scene.op("c", "+", a, b), scene.op("d", "*", a, b)
    e, f = scene.op("e", "+", c, d), scene.op("f", "*", c, d)
    scene.op("y", "+", e, f)
    return recording(scene.graph)


def played(found, *answers):
    """Every answer in turn: a name chooses, a number is a contribution. Gives the last reply."""
    for answer in answers:
        node = found.find(answer)
        reply = found.choose(node) if node is not None else found.enter(answer)
    return reply


RIGHT = ("e", "6", "5", "d", "15", "10", "c", "6", "6")


def test_who_does_everything_right_gets_the_recorded_pass():
    found = challenge()
    played(found, *RIGHT)
    assert found.finished
    assert found.score == "9 of 9 right at once"
    assert found.slips == []
    final = found.trace.final
    assert final == {A: 21.0, B: 16.0, C: 6.0, D: 5.0, E: 1.0}
    assert found.trace.hidden == 0
    recorded = recording_of(*BOTH).traces[0].steps
    leaves = [s for s in recorded if s.kind is Kind.CALL and s.node in (A, B)]
    assert [s for s in recorded if s not in leaves] == list(found.trace.steps)


def test_what_comes_next_is_known_without_going_through_all_that_was_done():
    class Counted(list):
        looks = 0

        def __iter__(self):
            Counted.looks += 1
            return super().__iter__()

    found = challenge()
    found.steps = Counted(found.steps)
    played(found, *RIGHT[:-1])
    assert (found.finished, found.can_undo, found.score) == (False, True, "8 of 8 right at once")
    assert found.question == "c runs, whose gradient is 6.0. What does it hand to b?"
    assert Counted.looks == 0


def test_another_order_that_waits_is_as_right_and_says_what_the_recorded_one_took():
    found = challenge()
    reply = played(found, "e", "6", "5", "c")
    assert reply.right
    assert "the recorded pass took d" in reply.words
    played(found, "6", "6", "d", "15", "10")
    assert found.finished
    assert found.trace.final == {A: 21.0, B: 16.0, C: 6.0, D: 5.0, E: 1.0}


def test_a_node_chosen_too_early_is_shown_by_the_numbers_it_leads_to():
    found = challenge()
    reply = played(found, "d")
    assert reply.right is False
    assert reply.words == "d is too early: e has not run, and will give it more."
    # d has 0 to hand on then. a and b would get only the 6.0 that c hands on; that one is on show
    # already, as the data of d.
    assert reply.shown == (
        "With the 0.0 that d has now it hands on a 0.0 and b 0.0.",
        "If d runs now, these end wrong: a 6.0, b 6.0.",
    )
    assert not found.can_undo


def test_recursion_is_shown_by_the_numbers_that_it_is_known_for():
    found = challenge(oracle())
    reply = played(found, "y", "1", "1", "e", "1", "1", "c")
    assert reply.right is False
    assert "f has not run" in reply.words
    # c hands on 1 of its 7: a and b lose 6 each. That b ends at 19.0 is still to be found out.
    assert reply.shown == (
        "With the 1.0 that c has now it hands on a 1.0 and b 1.0.",
        "If c runs now, these end wrong: a, b 13.0.",
        "Recursion, running it again, these end wrong: a 29.0, b 22.0.",
    )


def test_outcomes_are_those_worked_out_by_hand():
    found = challenge(oracle())
    right = found.outcome([6, 5, 4, 3, 2])
    assert [right[n] for n in range(4)] == [25.0, 19.0, 7.0, 6.0]
    scene = Scene()
    b = scene.op("b", "+", a := scene.leaf("a", 1.0), a)
    c = scene.op("c", "+", b, b)
    twice = challenge(recording(scene.graph))
    assert twice.outcome([c, b, b])[a] == 8.0
    assert twice.outcome([c, b])[a] == 4.0


def test_a_node_that_ran_is_not_run_again_and_shown_why():
    found = challenge()
    reply = played(found, "e", "6", "5", "e")
    assert reply.right is False
    # c and d would have twice as much.
    assert len(reply.shown) == 1
    assert reply.shown[0].startswith("Then, these end wrong: a 42.0, b 32.0, ")


def test_a_leaf_does_nothing_and_counts_for_nothing():
    found = challenge()
    reply = played(found, "a")
    assert reply.right is None
    assert "does nothing" in reply.words
    assert found.asked == 0


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("3", "local derivative alone"),
        ("5", "gradient of d: times"),
        ("-15", "sign"),
        ("8", "multiplies"),
        ("10", "does not hand that"),
        ("77", "does not hand that"),
    ],
)
def test_a_wrong_contribution_shows_which_mistake_it_is(answer, words):
    reply = played(challenge(), "e", "6", "5", "d", answer)
    assert reply.right is False
    assert words in reply.words


def test_what_another_slot_gets_is_told_only_once_it_is_known():
    found = challenge()
    played(found, "e", "6", "5", "d")
    assert "b" not in found.enter("10").words.split()
    assert found.enter("b 10").right
    assert "what b gets" in found.enter("10").words


def test_nodes_to_choose_from_are_those_that_somebody_who_ran_uses():
    found = challenge()
    # The root alone is no choice.
    assert found.candidates == []
    played(found, "e")
    assert found.candidates == []
    played(found, "6", "5")
    assert found.candidates == ["c", "d"]
    played(found, "d", "15", "10")
    assert found.candidates == ["a", "b", "c"]


def test_a_slip_before_what_is_taken_back_counts_once_and_nothing_is_less_than_none():
    found = challenge()
    played(found, "d", "e", "7", "6")
    assert (found.asked, len(found.slips)) == (2, 2)
    found.undo()
    assert found.score == "0 of 2 right at once"
    found.show()
    found.show()
    found.undo()
    assert found.score == "0 of 4 right at once"
    played(found, *RIGHT)
    assert found.score == "9 of 13 right at once"


def test_the_gradient_afterwards_is_not_the_contribution():
    reply = played(challenge(), "e", "6", "5", "d", "15", "10", "c", "21")
    assert "afterwards" in reply.words


@pytest.mark.parametrize(
    "answer",
    [
        *("15", "15.0", "3 × 5", "30/2", "10 + 5", "a 15", "a = 15", "a=15", "a: 3 × 5"),
        *("a += 15", "a.grad += 3.0 * 5.0", "local 3", "a local 3"),
    ],
)
def test_a_contribution_may_be_written_in_several_ways(answer):
    reply = played(challenge(), "e", "6", "5", "d", answer)
    assert reply.right
    assert reply.words == "d hands a 15.0: 3.0 × 5.0."


def test_targets_may_be_taken_in_any_order():
    found = challenge()
    played(found, "e", "6", "5", "d")
    assert found.enter("b 10").right
    assert found.enter("a 15").right
    assert found.enter("a 15").words == "First choose the node that runs."


def test_a_target_that_is_no_operand_is_wrong():
    found = challenge()
    played(found, "e", "6", "5", "d")
    assert "nothing to hand to c" in found.enter("c 15").words


def test_what_cannot_be_read_and_what_is_not_its_turn_counts_for_nothing():
    found = challenge()
    assert found.enter("6").right is None
    played(found, "e")
    assert found.enter("six").right is None
    assert "still runs" in found.choose(D).words
    assert found.slips == []


@pytest.mark.parametrize("answer", ["0.5 V", "what is 5", "q 15", "15?", "1,000"])
def test_a_slip_of_the_keys_is_no_wrong_answer(answer):
    found = challenge()
    played(found, "e", "6", "5", "d")
    reply = found.enter(answer)
    assert reply.right is None
    assert repr(answer) in reply.words
    assert found.slips == []


def test_nodes_without_a_name_are_called_as_they_are_shown_and_constants_by_their_number():
    scene = Scene()
    a, three = scene.leaf("a", 2.0), scene.leaf("3", 3.0)
    total = scene.op("a + 3", "+", a, three)
    scene.op("y", "*", total, three)
    found = challenge(recording(scene.graph))
    played(found, "y")
    assert found.enter("(a+3) 3").right
    assert found.enter("3 -5").words == "The sign is wrong."
    assert found.enter("3 5").right
    assert found.find("(a + 3)") == found.find("a+3") == total


def test_undo_takes_the_choice_back_and_keeps_what_slipped():
    found = challenge()
    played(found, "e", "6", "5", "d", "3")
    found.undo()
    assert found.running is None
    assert [s.kind for s in found.steps] == [Kind.SEED, Kind.CALL, Kind.WRITE, Kind.WRITE]
    played(found, "c", "6", "6", "d", "15", "10")
    assert found.finished
    assert len(found.slips) == 1
    assert found.score == "9 of 10 right at once"
    assert found.trace.final[A] == 21.0


def test_a_slip_counts_as_asked_from_the_first_wrong_answer_on():
    found = challenge()
    scores = [found.score]
    for answer in ("e", "7", "8", "6", "5"):
        played(found, answer)
        scores.append(found.score)
    wanted = ("1 of 1", "1 of 2", "1 of 2", "1 of 2", "2 of 3")
    assert scores == ["", *(f"{each} right at once" for each in wanted)]


def test_what_was_shown_and_a_slip_after_it_count_one_each():
    found = challenge()
    found.show()
    assert found.score == "0 of 1 right at once"
    played(found, "77")
    assert found.score == "0 of 2 right at once"
    played(found, "6", "5")
    assert found.score == "1 of 3 right at once"


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (
            "1",
            (
                "1.0 is what * should give; this class gives -6.0, in line 22. "
                "The pass goes on with -6.0."
            ),
        ),
        (
            "-6",
            (
                "q hands p -6.0: -6.0 × 1.0. "
                "That is what this class gives, in line 22; * should give 1.0 × 1.0 = 1.0."
            ),
        ),
    ],
)
def test_of_wrong_code_both_what_it_should_do_and_what_it_does_are_right(answer, words):
    found = challenge(wrong_product())
    reply = played(found, "q", "-6", answer)
    assert reply.right
    assert reply.words == words
    assert found.slips == []
    # The pass goes on with what the code really did.
    assert found.trace.final == {0: -6.0, 1: -6.0, 2: 1.0}


def test_of_wrong_code_a_local_derivative_may_be_right_in_both_ways():
    for answer in ("local 1", "local -6"):
        assert played(challenge(wrong_product()), "q", "-6", answer).right


def test_of_wrong_code_no_reason_is_guessed():
    reply = played(challenge(wrong_product()), "q", "-6", "6")
    assert reply.right is False
    assert reply.words == "q does not hand that to p."


def test_what_a_class_never_hands_on_is_no_slip_of_who_would_do_it():
    whole = recording(product(2.0, -6.0))
    one = whole.traces[0]
    one = replace(one, steps=(*one.steps[:3], *one.steps[4:]))
    found = challenge(replace(whole, traces=(one,)))
    reply = played(found, "q", "p 2")
    assert reply.right is None
    assert reply.words == "2.0 is what * should give to p; this class gives it nothing."
    assert found.slips == []


def test_several_wrong_answers_to_one_thing_are_one_slip():
    found = challenge()
    played(found, "d", "c", "e", "6", "5")
    assert len(found.slips) == 1
    assert found.score == "2 of 3 right at once"


def test_what_is_shown_is_right_and_not_to_ones_credit():
    found = challenge()
    while not found.finished:
        assert found.show().right is None
    assert found.trace.final == {A: 21.0, B: 16.0, C: 6.0, D: 5.0, E: 1.0}
    assert found.score == "0 of 9 right at once"
    assert found.slips[0].words == "e was shown"


def test_until_the_end_steps_are_hidden():
    found = challenge()
    for answer in RIGHT[:-1]:
        played(found, answer)
        assert found.trace.hidden > 0
    played(found, RIGHT[-1])
    assert found.trace.hidden == 0


def test_a_node_used_twice_is_handed_two_contributions():
    scene = Scene()
    x = scene.leaf("x", 3.0)
    scene.op("y", "*", x, x)
    found = challenge(recording(scene.graph))
    played(found, "y", "3")
    assert found.running is not None
    played(found, "3")
    assert found.trace.final[x] == 6.0


def test_what_cannot_be_held_against_anything_is_refused():
    whole = recording_of(*BOTH)
    assert refusal(whole, whole.trace(Mode.ACCUMULATE)) == ""
    assert "no pass" in refusal(whole, None)
    zeroed = Step(Kind.OUTSIDE, target=A, before=21.0, after=0.0)
    one = whole.traces[0]
    assert refusal(whole, replace(one, steps=(*one.steps, zeroed))) == ""
    amid = replace(one, steps=(*one.steps[:5], zeroed, *one.steps[5:]))
    assert "from outside" in refusal(whole, amid)
    early = recording(diamond(), unsorted(diamond()))
    assert "too early" in refusal(early, early.traces[0])
