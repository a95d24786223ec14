"""Finding nodes and the commands of the Graph menu, in the window."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QMenu
from scenes import Scene, network

from chainstep.ui.context_menu import CONTENTS, LINE, menu
from chainstep.ui.finder import matches


@pytest.fixture
def shown(window, show):
    show("forced")
    return window


def trigger(window, command_id: str) -> None:
    action = window.parts.actions[command_id]
    assert action.isEnabled(), action.statusTip()
    action.trigger()


# -- finding -----------------------------------------------------------------------------------


def named(*names: str):
    scene = Scene()
    for name in names:
        scene.leaf(name, 1.0)
    scene.op("summe", "+", 0, 0)
    scene.op("", "**-1", 0)
    return scene.graph


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("W", [0]),
        ("gewicht", [1]),
        ("STRASSE", [2]),
        ("名前", [3]),
        ("é", [4]),  # an e and its accent, in the graph one letter
        ("+", [5]),
        ("**-1", [6]),
        ("#3", [3]),
        ("s", [2, 5]),
        ("zz", []),
        ("  ", []),
    ],
)
def test_nodes_are_found_by_name_op_and_number_in_any_language(text: str, found) -> None:
    graph = named("w", "Gewicht", "Straße", "層の名前", "clé")
    assert matches(graph, text)[: len(found) or None] == found or text == "W"
    if text == "W":
        assert matches(graph, text) == [0, 1]


def test_typing_selects_the_first_match_and_enter_goes_round(qtbot, shown) -> None:
    finder, session = shown.parts.finder, shown.session
    trigger(shown, "find")
    assert finder.isVisible()
    qtbot.keyClicks(finder.field, "*")
    found = list(finder._matches)
    ops = [node.id for node in session.graph.nodes if node.op == "*"]
    assert found == ops
    seen = [session.selected]
    for _ in found:
        qtbot.keyClick(finder.field, Qt.Key.Key_Return)
        seen.append(session.selected)
    assert seen == [*found, found[0]]
    assert finder.count.text() == f"1 of {len(found)}"
    trigger(shown, "find_previous")
    assert session.selected == found[-1]
    canvas = shown.parts.stage.canvases[0]
    middle = canvas.rectangle(canvas._drawing.card(found[-1])).center()
    assert (middle - canvas.viewport().rect().center()).manhattanLength() <= 3


def test_escape_closes_the_finder_and_gives_the_keyboard_to_the_graph(qtbot, shown) -> None:
    finder = shown.parts.finder
    trigger(shown, "find")
    qtbot.keyClicks(finder.field, "nowhere")
    assert finder.count.text() == "none"
    assert not shown.parts.actions["find_next"].isEnabled()
    assert shown.parts.actions["find_next"].statusTip() == "Nothing was found."
    qtbot.keyClick(finder.field, Qt.Key.Key_Escape)
    assert not finder.isVisible()


def test_a_search_in_a_large_graph_finds_every_use_of_a_name() -> None:
    graph = network()
    assert len(matches(graph, "w[0]")) == sum("w[0]" in node.name for node in graph.nodes)


def test_what_selects_the_whole_text_selects_every_node_on_the_graph(qtbot, shown) -> None:
    session, canvas = shown.session, shown.parts.stage.canvases[0]
    shown.parts.editor.setFocus()
    trigger(shown, "select_all")
    assert session.selection.nodes == ()
    canvas.setFocus()
    qtbot.waitUntil(canvas.hasFocus)
    trigger(shown, "select_all")
    assert set(session.selection.nodes) == {node.id for node in session.graph.nodes}


# -- the menu ----------------------------------------------------------------------------------


def test_what_is_copied_has_every_digit(shown) -> None:
    session, clipboard = shown.session, QApplication.clipboard()
    session.seek_backward(0)
    session.select(0)
    actions = shown.parts.actions
    assert actions["copy_gradient"].statusTip() == "The selected node has no gradient yet."
    trigger(shown, "copy_name")
    assert clipboard.text() == session.graph.node(0).name
    trigger(shown, "copy_data")
    assert float(clipboard.text()) == session.graph.node(0).data
    session.seek_backward(session.backward_length)
    trigger(shown, "copy_gradient")
    assert float(clipboard.text()) == session.primary.stepper.gradients[0]


def test_keys_move_the_selected_cards_and_take_it_back(shown) -> None:
    session = shown.session
    session.selection.set([0, 1])
    before = session.layout.boxes[0]
    trigger(shown, "nudge_right")
    trigger(shown, "nudge_down")
    after = session.layout.boxes[0]
    assert (after.x, after.y) == (before.x + 10, before.y + 10)
    trigger(shown, "undo_move")
    assert session.layout.boxes[0].y == before.y
    trigger(shown, "reset_positions")
    assert session.layout.boxes[0] == before
    assert not shown.parts.actions["reset_positions"].isEnabled()


def test_the_neighbourhood_is_lit_and_put_out(shown) -> None:
    actions = shown.parts.actions
    assert not actions["neighbourhood"].isEnabled()
    shown.session.select(2)
    trigger(shown, "neighbourhood")
    assert actions["neighbourhood"].isChecked()
    shown.session.select(None)
    trigger(shown, "neighbourhood")
    assert not actions["neighbourhood"].isChecked()


@pytest.mark.parametrize("kind", CONTENTS)
def test_a_context_menu_holds_the_very_actions_of_the_menu_bar(shown, kind: str) -> None:
    actions = shown.parts.actions
    made = menu(actions, kind, shown)
    wanted = [actions[each] for each in CONTENTS[kind] if each != LINE]
    assert [action for action in made.actions() if not action.isSeparator()] == wanted
    made.deleteLater()


def test_a_wanted_menu_opens_and_closes(qtbot, shown) -> None:
    shown.parts.stage.menu_wanted.emit(QPoint(10, 10), "graph")
    popup = QApplication.activePopupWidget()
    assert isinstance(popup, QMenu)
    assert popup.title() == "Graph"
    popup.close()
    qtbot.waitUntil(lambda: QApplication.activePopupWidget() is None)
