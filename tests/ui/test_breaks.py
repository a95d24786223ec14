"""Breakpoints and watches: set, kept, listed, reached by key, marked."""

import json

import pytest
from conftest import DIAMOND, A, B, C, D, E
from panes import picture
from PySide6.QtCore import Qt

from chainstep.breakpoints import Breakpoint, NodeName
from chainstep.condition import ConditionError
from chainstep.program import Program
from chainstep.settings import PROGRAMS
from chainstep.story import Mark, Phase
from chainstep.trace import Mode
from chainstep.ui import breaks
from chainstep.ui.kept import Keeper, key_of
from chainstep.ui.session import View


@pytest.fixture
def shown(window, show):
    """The diamond with both modes, at the start of the backward phase."""
    show("forced")
    window.session.set_view(View.ACCUMULATE)
    return window.session


@pytest.fixture
def panel(window, shown):
    window.parts.side.tabs.show_page("breakpoints")
    return window.parts.side.page("breakpoints")


@pytest.fixture
def watches(window, shown):
    window.parts.side.tabs.show_page("watches")
    return window.parts.side.page("watches")


def do(window, *ids):
    for id_ in ids:
        window.parts.actions[id_].trigger()


def rows(model, first=0):
    return [
        tuple(model.index(row, column).data() for column in range(first, model.columnCount()))
        for row in range(model.rowCount())
    ]


def focus(window, widget, qtbot):
    with qtbot.waitActive(window):
        window.activateWindow()
    widget.setFocus()


# -- setting and reaching -----------------------------------------------------------------


def test_f9_sets_a_breakpoint_at_the_selected_node_and_takes_it_away_again(shown, window, qtbot):
    shown.select(C)
    focus(window, window.parts.editor, qtbot)
    qtbot.keyClick(window.parts.editor, Qt.Key.Key_F9)
    assert [str(item) for item in shown.breakpoints.items] == ["c"]
    assert window.parts.actions["toggle_breakpoint"].isChecked()
    shown.select(D)
    assert not window.parts.actions["toggle_breakpoint"].isChecked()
    shown.select(C)
    qtbot.keyClick(window.parts.editor, Qt.Key.Key_F9)
    assert shown.breakpoints.items == ()


def test_f8_runs_to_the_next_hit_and_shift_f8_back_to_the_one_before(shown, window, qtbot):
    shown.breakpoints.toggle(C)
    focus(window, window.parts.editor, qtbot)
    shown.seek_backward(0)
    qtbot.keyClick(window.parts.editor, Qt.Key.Key_F8)
    assert (shown.backward_position, shown.primary.stepper.running) == (8, C)
    assert not window.parts.actions["run_to_breakpoint"].isEnabled()
    assert window.parts.actions["run_to_breakpoint"].statusTip() == (
        "No breakpoint hits after this step."
    )
    qtbot.keyClick(window.parts.editor, Qt.Key.Key_F8, Qt.KeyboardModifier.ShiftModifier)
    assert (shown.phase, shown.moment.node) == (Phase.SORT, C)
    qtbot.keyClick(window.parts.editor, Qt.Key.Key_F8, Qt.KeyboardModifier.ShiftModifier)
    assert (shown.phase, shown.moment.node) == (Phase.FORWARD, C)


@pytest.mark.parametrize(
    ("condition", "position"),
    [
        *(("grad > 10", 6), ("second write", 9), ("modes differ", 9)),
        *(("grad == 16 and before == 10", 10), ("isnan", None)),
    ],
)
def test_a_condition_stops_where_it_holds_first(shown, window, condition, position):
    shown.breakpoints.add(Breakpoint(condition=condition))
    shown.seek_backward(0)
    action = window.parts.actions["run_to_breakpoint"]
    assert action.isEnabled() is (position is not None)
    action.trigger()
    assert shown.backward_position == (position or 0)
    if position is None:
        assert action.statusTip() == "No breakpoint that is on hits anywhere in this pass."


def test_an_op_stops_at_every_node_of_it(shown, window):
    shown.breakpoints.add(Breakpoint(op="*"))
    shown.seek_backward(0)
    do(window, "run_to_breakpoint")
    assert shown.primary.stepper.running == E
    do(window, "run_to_breakpoint")
    assert shown.primary.stepper.running == D
    assert shown.breakpoints.marks() == {D: True, E: True}


def test_a_breakpoint_that_is_off_does_not_stop_but_is_kept(shown, window):
    shown.breakpoints.toggle(C)
    shown.breakpoints.enable(0, enabled=False)
    shown.seek_backward(0)
    assert not window.parts.actions["run_to_breakpoint"].isEnabled()
    assert shown.breakpoints.marks() == {C: False}
    shown.breakpoints.enable(0, enabled=True)
    assert window.parts.actions["run_to_breakpoint"].isEnabled()


def test_hits_are_found_anew_in_each_mode(shown):
    shown.breakpoints.add(Breakpoint(condition="grad == 21"))
    shown.seek_backward(0)
    assert len(shown.breakpoints.positions) == 1
    shown.set_view(View.OVERWRITE)
    assert len(shown.breakpoints.positions) == 0
    shown.set_view(View.ACCUMULATE)
    assert len(shown.breakpoints.positions) == 1


def test_in_a_long_story_hits_are_looked_for_without_holding_up_the_window(
    shown, window, panel, qtbot, monkeypatch
):
    monkeypatch.setattr(breaks, "QUICK", 0)
    breakpoints = shown.breakpoints
    with qtbot.waitSignals([breakpoints.changed] * 2):
        breakpoints.toggle(C)
        assert breakpoints.looking
        assert breakpoints.hits is None
        assert rows(panel.list, 1) == [("c", "…")]
        refusal = window.parts.actions["run_to_breakpoint"].statusTip()
        assert refusal == "It is still being looked for where the breakpoints hit."
    assert rows(panel.list, 1) == [("c", "2 of 3")]
    assert window.parts.actions["run_to_breakpoint"].isEnabled()


def test_a_list_that_changes_while_it_is_looked_for_is_looked_for_again(shown, qtbot, monkeypatch):
    monkeypatch.setattr(breaks, "QUICK", 0)
    breakpoints = shown.breakpoints
    breakpoints.toggle(C)
    breakpoints.toggle(D)
    qtbot.waitUntil(lambda: breakpoints.hits is not None)
    assert len(breakpoints.positions) == 6


def test_the_same_breakpoint_is_not_listed_twice(shown):
    for enabled in (True, False):
        shown.breakpoints.add(Breakpoint(condition="grad > 1", enabled=enabled))
    assert len(shown.breakpoints.items) == 1


def test_the_timeline_is_marked_where_a_breakpoint_hits(shown):
    assert list(shown.marks[Mark.BREAKPOINT]) == []
    shown.breakpoints.toggle(C)
    assert list(shown.marks[Mark.BREAKPOINT]) == list(shown.breakpoints.positions)


def test_playing_rests_at_a_breakpoint_and_the_status_line_names_it(shown, window):
    shown.breakpoints.add(Breakpoint(condition="second write"))
    shown.seek_backward(7)
    player = window.parts.player
    player.play()
    player._advance()
    assert player.playing
    player._advance()
    assert not player.playing
    assert shown.backward_position == 9
    assert window.parts.status.activity.text == "breakpoint: second write"


def test_run_to_the_selected_node_goes_to_where_its_backward_begins(shown, window):
    shown.select(D)
    shown.seek_backward(0)
    do(window, "run_to_node")
    assert (shown.backward_position, shown.primary.stepper.running) == (5, D)
    action = window.parts.actions["run_to_node"]
    assert not action.isEnabled()
    assert "does not run after this step" in action.statusTip()


def test_all_breakpoints_are_removed_at_once(shown, window):
    shown.breakpoints.toggle(C)
    shown.breakpoints.toggle(D)
    do(window, "remove_breakpoints")
    assert shown.breakpoints.items == ()
    assert not window.parts.actions["remove_breakpoints"].isEnabled()


def test_a_card_with_a_breakpoint_is_marked_and_a_picture_is_not(shown, window):
    canvas = window.parts.stage.canvases[0]
    plain = canvas.viewport().grab().toImage()
    before = picture(canvas)
    shown.breakpoints.toggle(C)
    marked = canvas.viewport().grab().toImage()
    assert marked != plain
    assert picture(canvas) == before
    shown.breakpoints.enable(0, enabled=False)
    hollow = canvas.viewport().grab().toImage()
    assert hollow not in (plain, marked)
    shown.breakpoints.set(())
    assert canvas.viewport().grab().toImage() == plain


# -- the list -----------------------------------------------------------------------------


def test_the_list_says_what_each_is_and_how_often_it_hits(panel, shown):
    shown.breakpoints.toggle(C)
    shown.breakpoints.add(Breakpoint(condition="grad > 10"))
    shown.seek_backward(6)
    assert rows(panel.list, 1) == [("c", "2 of 3"), ("grad > 10 ◂ here", "1 of 3")]
    shown.breakpoints.add(Breakpoint(condition="isnan"))
    assert rows(panel.list, 1)[2] == ("isnan", "never")


def test_a_condition_is_typed_and_added(panel, shown, window, qtbot):
    focus(window, window.parts.editor, qtbot)
    do(window, "new_breakpoint")
    assert panel.condition.hasFocus()
    qtbot.keyClicks(panel.condition, "grad > 1")
    qtbot.keyClick(panel.condition, Qt.Key.Key_Return)
    assert [str(item) for item in shown.breakpoints.items] == ["grad > 1"]
    assert panel.condition.text() == ""


@pytest.mark.parametrize("indent", ["", "   "])
def test_a_condition_that_is_not_understood_says_why_and_marks_the_column(panel, shown, indent):
    panel.condition.setText(f"{indent}grad > q")
    panel._add()
    assert shown.breakpoints.items == ()
    try:
        Breakpoint(condition="grad > q")
    except ConditionError as error:
        said = str(error)
    assert panel.said.text() == said
    assert "column 8" in said
    assert (panel.condition.selectedText(), panel.condition.selectionStart()) == (
        "q",
        7 + len(indent),
    )
    panel.condition.textEdited.emit("")
    assert panel.said.text() != said


def test_nothing_at_all_is_no_breakpoint_and_it_is_said_what_is(panel, shown):
    panel._add()
    assert shown.breakpoints.items == ()
    assert "choose a node or an op" in panel.said.text()


def test_a_new_one_can_be_about_the_selected_node_or_an_op(panel, shown):
    shown.select(A)
    texts = [panel.about.itemText(n) for n in range(panel.about.count())]
    assert texts == ["every node", "node a", "every *", "every +"]
    panel.about.setCurrentIndex(1)
    panel.condition.setText("grad > 20")
    panel.add.click()
    panel.about.setCurrentIndex(2)
    panel.add.click()
    assert [str(item) for item in shown.breakpoints.items] == ["a if grad > 20", "every *"]


def test_the_keyboard_switches_removes_and_follows_a_breakpoint(panel, shown, window, qtbot):
    shown.breakpoints.toggle(C)
    shown.breakpoints.toggle(D)
    shown.seek_backward(0)
    focus(window, panel.table, qtbot)
    panel.table.selectRow(1)
    qtbot.keyClick(panel.table, Qt.Key.Key_Space)
    assert [item.enabled for item in shown.breakpoints.items] == [True, False]
    qtbot.keyClick(panel.table, Qt.Key.Key_Return)
    assert shown.primary.stepper.running == D
    qtbot.keyClick(panel.table, Qt.Key.Key_Return)
    assert (shown.phase, shown.moment.node) == (Phase.FORWARD, D)
    qtbot.keyClick(panel.table, Qt.Key.Key_Delete)
    assert [str(item) for item in shown.breakpoints.items] == ["c"]
    assert panel.table.currentIndex().row() == 0
    panel.remove.click()
    assert shown.breakpoints.items == ()


def test_a_click_on_the_diamond_switches_it(panel, shown, qtbot):
    shown.breakpoints.toggle(C)
    spot = panel.table.visualRect(panel.list.index(0, 0)).center()
    qtbot.mouseClick(panel.table.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert not shown.breakpoints.items[0].enabled
    heard = panel.list.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert heard == "off"


def test_every_cell_answers_every_role(panel, watches, shown):
    shown.breakpoints.toggle(C)
    shown.breakpoints.toggle_watch(A)
    for model in (panel.list, watches.watches):
        for position in (0, 8, 12):
            shown.seek_backward(position)
            for row in range(model.rowCount()):
                for column in range(model.columnCount()):
                    for role in Qt.ItemDataRole:
                        model.index(row, column).data(role)


# -- watches ------------------------------------------------------------------------------


def test_a_watch_shows_both_gradients_whatever_view_is_on(watches, shown, window):
    shown.select(A)
    do(window, "watch")
    assert window.parts.actions["watch"].isChecked()
    shown.run_to_end()
    for view in (View.ACCUMULATE, View.OVERWRITE, View.BOTH):
        shown.set_view(view)
        assert rows(watches.watches) == [("a ≠", "2.0", "21.0", "6.0")]
    shown.seek_backward(0)
    assert rows(watches.watches) == [("a", "2.0", "–", "–")]
    do(window, "watch")
    assert rows(watches.watches) == []


def test_a_name_is_typed_to_watch_it(watches, shown, window, qtbot):
    focus(window, watches.name, qtbot)
    qtbot.keyClicks(watches.name, "d")
    qtbot.keyClick(watches.name, Qt.Key.Key_Return)
    assert [name.name for name in shown.breakpoints.watches] == ["d"]
    qtbot.keyClicks(watches.name, "zz")
    qtbot.keyClick(watches.name, Qt.Key.Key_Return)
    assert watches.said.text() == "There is no node named zz in this pass."
    assert watches.name.text() == "zz"


def test_delete_takes_a_watch_away_and_a_click_selects_its_node(watches, shown, window, qtbot):
    shown.breakpoints.toggle_watch(A)
    shown.breakpoints.toggle_watch(B)
    spot = watches.table.visualRect(watches.watches.index(1, 0)).center()
    qtbot.mouseClick(watches.table.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert shown.selected == B
    focus(window, watches.table, qtbot)
    qtbot.keyClick(watches.table, Qt.Key.Key_Delete)
    assert [name.name for name in shown.breakpoints.watches] == ["a"]
    watches.remove.click()
    assert shown.breakpoints.watches == ()
    assert "Shift+F9" in watches.said.text()


def test_a_watch_whose_node_is_not_there_says_so(watches, shown):
    shown.breakpoints.set(watches=[NodeName("loss", 3)])
    assert rows(watches.watches) == [("loss (not in this pass)", "", "", "")]


def test_without_a_recording_a_watch_cannot_be_added_and_says_why(window):
    window.parts.side.tabs.show_page("watches")
    page = window.parts.side.page("watches")
    page.name.setText("a")
    page._add()
    assert "press F5" in page.said.text()


# -- kept with the program ----------------------------------------------------------------


def opened(session, tmp_path, name):
    path = tmp_path / name
    path.write_text(DIAMOND)
    session.open(Program(name, DIAMOND, path), run=False)


def test_they_are_kept_with_the_file_and_come_back_with_it(window, session, tmp_path):
    opened(session, tmp_path, "one.py")
    session.breakpoints.set([Breakpoint(NodeName("c", 2)), Breakpoint(condition="grad > 1")])
    session.breakpoints.set(watches=[NodeName("a", 0)])
    session.breakpoints.enable(0, enabled=False)
    opened(session, tmp_path, "two.py")
    assert session.breakpoints.items == session.breakpoints.watches == ()
    opened(session, tmp_path, "one.py")
    assert [(str(i), i.enabled) for i in session.breakpoints.items] == [
        ("c", False),
        ("grad > 1", True),
    ]
    assert session.breakpoints.watches == (NodeName("a", 0),)


def test_they_are_kept_with_an_example_too(window, session):
    do(window, "example_diamond")
    session.breakpoints.set([Breakpoint(op="*")])
    do(window, "example_neuron")
    assert session.breakpoints.items == ()
    do(window, "example_diamond")
    assert [str(item) for item in session.breakpoints.items] == ["every *"]


def test_a_program_that_is_saved_takes_them_to_its_file(window, session, settings, tmp_path):
    session.set_text("x = 1\n")
    session.breakpoints.set([Breakpoint(op="+")])
    assert key_of(session) == ""
    path = tmp_path / "new.py"
    session.rename(Program("new.py", "x = 1\n", path))
    assert [str(item) for item in session.breakpoints.items] == ["every +"]
    assert json.loads(settings.kept_with(f"file:{path}"))["breakpoints"][0]["op"] == "+"


def test_removing_the_last_forgets_the_program(window, session, settings, tmp_path):
    opened(session, tmp_path, "one.py")
    session.breakpoints.set([Breakpoint(op="+")])
    session.breakpoints.set(())
    assert settings.kept_with(key_of(session)) == ""


def test_only_the_programs_used_last_are_remembered(settings):
    for number in range(PROGRAMS + 5):
        settings.keep_with(f"file:/{number}", "{}")
    assert settings.kept_with("file:/4") == ""
    assert settings.kept_with("file:/5") == "{}"
    settings.keep_with("file:/5", "[]")
    settings.keep_with("file:/new", "{}")
    assert settings.kept_with("file:/5") == "[]"
    assert settings.kept_with("file:/6") == ""


HALF = """{"breakpoints": [
    {"node": null, "op": "", "condition": "grad >", "enabled": true},
    {"node": null, "op": "*", "condition": "", "enabled": true}
]}"""


@pytest.mark.parametrize(
    ("text", "count"),
    [
        *(("", 0), ("{", 0), ("[1]", 0), ("3", 0), ("[" * 9999, 0)),
        *(('{"breakpoints": 3}', 0), ('{"breakpoints": [3, null, {"node": 1}]}', 0)),
        (HALF, 1),
    ],
)
def test_what_was_kept_and_makes_no_sense_is_left_out(session, text, count):
    session.breakpoints.take_text(text)
    assert len(session.breakpoints.items) == count
    assert session.breakpoints.watches == ()


def test_a_breakpoint_finds_its_node_again_after_a_run_with_other_ids(
    shown, session, runner, recordings, qtbot
):
    shown.breakpoints.toggle(C)
    with qtbot.waitSignal(session.recording_changed):
        session.run()
    assert session.breakpoints.stops_at(C)
    assert session.story.trace.mode is Mode.ACCUMULATE
    assert Keeper(session, None)._key == ""
