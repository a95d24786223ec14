from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recordings import NUMBERS, repeatable

from chainstep.edits import Edit, Edits, EditsError
from chainstep.graph import Node
from chainstep.options import Options
from chainstep.program import Program
from chainstep.runner import run

A = Node(0, "a", "", 2.0, serial=0)
B = Node(1, "b", "", 3.0, serial=4)


def test_an_edit_is_what_options_take():
    edits = Edits().with_number(B, -1.0).with_number(A, 5.0).with_number(B, 7.0)
    assert edits.data == ((0, 5.0), (4, 7.0))
    assert (edits.number(4), edits.number(9)) == (7.0, None)


def test_the_program_runs_with_the_other_number():
    program = Program("p.py", "from chainstep import Value\na = Value(2.0)\nb = a * a\n")
    before = run(program, Options())
    edits = Edits().with_number(before.nodes[0], 5.0)
    after = run(program, Options(data=edits.data))
    assert [node.data for node in before.nodes] == [2.0, 4.0]
    assert [node.data for node in after.nodes] == [5.0, 25.0]


def test_edits_are_undone_and_redone_in_order():
    edits = Edits().with_number(A, 5.0).with_number(B, 7.0)
    once = edits.undo()
    twice = once.undo()
    assert [each.data for each in (edits, once, twice)] == [((0, 5.0), (4, 7.0)), ((0, 5.0),), ()]
    assert twice.undo() == twice
    assert twice.redo() == once
    assert twice.redo().redo() == edits
    assert edits.redo() == edits


def test_menus_say_what_is_undone_and_redone():
    edits = Edits().with_number(A, 5.0).with_number(B, -7.25).undo()
    assert (edits.undoes, edits.redoes) == ("a = 5.0", "b = -7.25")
    assert (Edits().undoes, Edits().redoes) == ("", "")


def test_a_new_edit_forgets_what_was_undone():
    edits = Edits().with_number(A, 5.0).undo().with_number(A, 6.0)
    assert edits.undone == ()
    assert edits.undo().data == ()


def test_drawing_a_slider_is_one_edit():
    edits = Edits().with_number(B, 1.0).with_number(A, 2.5, joins=True)
    for value in (2.6, 2.7, 2.8):
        edits = edits.with_number(A, value, joins=True)
    assert [edit.label for edit in edits.done] == ["b = 1.0", "a = 2.8"]
    assert edits.undo().data == ((4, 1.0),)
    undone = edits.undo().with_number(B, 3.0, joins=True)
    assert undone.undo().data == ((4, 1.0),)


def test_setting_what_is_there_already_is_no_edit():
    edits = Edits().with_number(A, math.nan)
    assert edits.with_number(A, math.nan) is edits
    assert Edits().reset() == Edits()
    assert Edits().without_number(A) == Edits()
    assert len(Edits().with_number(A, 0.0).with_number(A, -0.0).done) == 2


def test_a_reset_can_be_undone():
    edits = Edits().with_number(A, 5.0).with_number(B, 7.0)
    assert edits.without_number(A).data == ((4, 7.0),)
    assert edits.reset().data == ()
    assert edits.reset().undo().data == edits.data
    assert edits.reset().undoes == "all as in the program"


MOVES = {
    "set": lambda edits, node, value: edits.with_number(node, value),
    "join": lambda edits, node, value: edits.with_number(node, value, joins=True),
    "unset": lambda edits, node, _: edits.without_number(node),
    "reset": lambda edits, *_: edits.reset(),
    "undo": lambda edits, *_: edits.undo(),
    "redo": lambda edits, *_: edits.redo(),
}


@repeatable(150)
@given(st.lists(st.tuples(st.sampled_from(sorted(MOVES)), NUMBERS), max_size=20))
def test_edits_come_back_from_json_and_undo_is_what_redo_takes_back(moves):
    edits = Edits()
    for number, (move, value) in enumerate(moves):
        edits = MOVES[move](edits, (A, B)[number % 2], value)
        if edits.done:
            assert repr(edits.undo().redo()) == repr(edits)
            assert repr(edits.undo().data) == repr(edits.done[-1].before)
    kept = Edits.from_data(json.loads(json.dumps(edits.to_data(), allow_nan=False)))
    assert repr(kept) == repr(edits)


GOOD = ["a = 1.0", [], [[0, 1.0]], 0]


@pytest.mark.parametrize(
    "data",
    [
        *(None, [], {}, {"done": []}, {"done": None, "undone": []}, {"done": [1], "undone": []}),
        *(
            {"done": [[*GOOD[:place], wrong, *GOOD[place + 1 :]]], "undone": []}
            for place, wrong in ((0, 1), (1, None), (2, [[0]]), (2, [[-1, 1.0]]), (3, True))
        ),
        {"done": [[*GOOD[:2], [[0, True]], 0]], "undone": []},
        {"done": [GOOD[:3]], "undone": []},
    ],
)
def test_damaged_edits_are_refused(data):
    with pytest.raises(EditsError, match="damaged"):
        Edits.from_data(data)


def test_an_edit_is_plain_data():
    edits = Edits.from_data({"done": [GOOD], "undone": []})
    assert edits.done == (Edit("a = 1.0", (), ((0, 1.0),), 0),)
