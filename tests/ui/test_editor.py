import random

import pytest
from PySide6.QtCore import QMimeData, QRect, Qt, QUrl
from PySide6.QtGui import QTextCursor, QTextDocument
from PySide6.QtWidgets import QPlainTextDocumentLayout

from chainstep.program import Program
from chainstep.story import Phase
from chainstep.ui.highlight import Highlighter, lex
from chainstep.ui.palette import LIGHT
from chainstep.ui.session import Place, View


@pytest.fixture
def editor(window):
    return window.parts.editor


def test_what_is_typed_is_the_program_of_the_session(editor, session, qtbot):
    qtbot.keyClicks(editor, "x = 1")
    assert session.program.text == "x = 1"


@pytest.mark.parametrize(
    "text",
    ["", "\n", "a\n\n", "no newline", "tab\there\n", "no-break\u00a0space", "line\u2028separator"],
)
def test_a_text_that_is_opened_comes_back_as_it_was(editor, session, text):
    session.open(Program("p.py", text), run=False)
    assert editor.text() == text
    assert session.program.text == text


def test_opening_another_program_forgets_what_could_be_undone(editor, session, qtbot):
    qtbot.keyClicks(editor, "secret")
    session.open(Program("p.py", "x"), run=False)
    editor.undo()
    assert editor.text() == "x"


def test_what_others_change_in_the_text_can_be_undone(editor, session, qtbot):
    session.open(Program("p.py", "a = 1\nb = 2\n"), run=False)
    qtbot.keyClicks(editor, "x")
    session.set_text("a = 1\nb = 3\n")
    assert editor.text() == "a = 1\nb = 3\n"
    editor.undo()
    assert editor.text() == session.program.text == "xa = 1\nb = 2\n"
    editor.undo()
    assert editor.text() == session.program.text == "a = 1\nb = 2\n"


def test_tab_indents_to_the_next_multiple_of_four(editor, qtbot):
    qtbot.keyClick(editor, Qt.Key.Key_Tab)
    qtbot.keyClicks(editor, "ab")
    qtbot.keyClick(editor, Qt.Key.Key_Tab)
    assert editor.text() == "    ab  "


def test_return_keeps_the_indent_and_deepens_it_after_a_colon(editor, qtbot):
    qtbot.keyClicks(editor, "for i in x:")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.keyClicks(editor, "i")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert editor.text() == "for i in x:\n    i\n    "


def test_escape_gives_the_keyboard_to_the_graph(window, show, qtbot):
    show("forced")
    with qtbot.waitActive(window):
        window.activateWindow()
    window.parts.editor.setFocus()
    qtbot.keyClick(window.parts.editor, Qt.Key.Key_Escape)
    assert window.parts.stage.canvases[0].hasFocus()


def test_a_dragged_file_is_left_to_the_window_and_dragged_text_is_taken(editor, tmp_path):
    files = QMimeData()
    files.setUrls([QUrl.fromLocalFile(str(tmp_path))])
    assert not editor.canInsertFromMimeData(files)
    text = QMimeData()
    text.setText("x = 1")
    assert editor.canInsertFromMimeData(text)
    editor.insertFromMimeData(text)
    assert editor.text() == "x = 1"


# -- lit lines ----------------------------------------------------------------------------


def lit(editor):
    return {
        s.cursor.blockNumber() + 1: s.format.background().color().name()
        for s in editor.extraSelections()
    }


def test_the_lines_of_the_node_that_runs_and_of_its_target_are_lit(window, show):
    show("forced")
    window.session.seek_backward(9)  # c gives a its second contribution
    palette = window.look.palette
    assert lit(window.parts.editor) == {5: palette.now_tint, 3: palette.target_tint}


def test_before_backward_the_line_that_made_the_node_is_lit(window, show):
    show("forced")
    now = window.look.palette.now_tint
    window.session.go(Place(Phase.FORWARD, 3))  # c = a + b
    assert lit(window.parts.editor) == {5: now}
    window.session.go(Place(Phase.SORT, 8))  # build_topo visits d
    assert lit(window.parts.editor) == {6: now}
    window.session.go(Place(Phase.SORT, 0))
    assert lit(window.parts.editor) == {}


def test_nothing_is_lit_at_the_start_and_while_the_text_is_another(window, show):
    show("forced")
    assert lit(window.parts.editor) == {}
    window.session.seek_backward(9)
    window.parts.editor.insertPlainText("\n")
    assert lit(window.parts.editor) == {}


def test_the_lit_line_comes_into_sight_unless_someone_is_typing(window, show, session):
    show("forced")
    long = session.program.text.replace("d = a", "\n" * 200 + "d = a")
    session.open(Program("long.py", long), run=False)
    assert window.parts.editor.verticalScrollBar().maximum() > 100
    window.parts.editor._bring_into_sight(206)
    assert window.parts.editor.firstVisibleBlock().blockNumber() > 150


# -- errors -------------------------------------------------------------------------------


def message_of(editor):
    return editor._message.text() if editor._message.isVisible() else None


def test_an_error_stands_below_its_line_and_the_text_makes_room_for_it(window, show):
    show("failed")
    editor = window.parts.editor
    assert message_of(editor) == "NameError: q is not defined."
    block = editor.document().findBlockByNumber(5)
    box = editor.blockBoundingGeometry(block).translated(editor.contentOffset())
    line = editor.fontMetrics().lineSpacing()
    message = editor._message.geometry()
    assert message.top() >= box.top() + line
    assert message.bottom() <= box.bottom()
    below = editor.blockBoundingGeometry(block.next()).translated(editor.contentOffset())
    assert not below.toRect().intersects(QRect(message))


def test_an_error_moves_along_when_the_text_scrolls(window, show, session, runner, qtbot):
    show("failed")
    session.open(Program("long.py", session.program.text + "\n" * 200), run=False)
    with qtbot.waitSignal(session.recording_changed):
        session.run()
    top = window.parts.editor._message.y()
    window.parts.editor.verticalScrollBar().setValue(3)
    assert window.parts.editor._message.y() < top


def test_the_error_goes_when_the_text_changes(window, show, qtbot):
    show("failed")
    window.parts.editor.insertPlainText("#")
    assert message_of(window.parts.editor) is None
    assert window.parts.editor._lines.below == -1


def test_an_error_beyond_the_text_or_without_a_line_is_left_to_the_strip(
    window, show, session, runner, recordings, qtbot
):
    session.open(Program("p.py", "x\n"), run=False)
    runner.at_once = recordings["failed"]  # speaks of line 6
    with qtbot.waitSignal(session.recording_changed):
        session.run()
    assert message_of(window.parts.editor) is None
    assert "line 6" in window.parts.stage.strip.accessibleName()


# -- colours ------------------------------------------------------------------------------


def test_the_lexer_names_what_is_coloured():
    lines = lex('def f(x):\n    return x + 1.5  # "why"\n')
    assert lines[0].spans == [(0, 3, "keyword"), (4, 1, "name")]
    assert lines[1].spans == [(4, 6, "keyword"), (15, 3, "number"), (20, 7, "comment")]


def test_a_string_over_several_lines_stays_with_its_lines():
    lines = lex("x = '''a\nbc'''\ny = 1\n")
    assert [sum(length for _, length, _ in line.spans) for line in lines] == [4, 5, 1, 0]
    assert [line.inside for line in lines] == [False, True, False, False]


def test_spans_count_as_qt_does_also_beyond_the_basic_plane():
    first = lex('s = "\U0001f600"; n = 7\n')[0]
    assert first.spans[-1] == (14, 1, "number")


@pytest.mark.parametrize("text", ["", "\n", "(((", "'''", "\x00", "def", "\ud800"])
def test_anything_can_be_lexed(text):
    assert len(lex(text)) == text.count("\n") + 1


PIECES = ("x = 1\n", "\n", "'''", '"""', "# c", "def f():\n", "    return 2.5\n", "'a'", "b", "\\")


@pytest.mark.parametrize("seed", range(6))
def test_after_any_edits_the_colours_are_those_of_the_whole_text(qapp, seed):
    rng = random.Random(seed)
    document = QTextDocument()
    document.setDocumentLayout(QPlainTextDocumentLayout(document))
    highlighter = Highlighter(document, LIGHT)
    for _ in range(60):
        cursor = QTextCursor(document)
        cursor.setPosition(rng.randrange(document.characterCount()))
        if rng.random() < 0.3:
            cursor.setPosition(
                rng.randrange(document.characterCount()), QTextCursor.MoveMode.KeepAnchor
            )
        cursor.insertText("".join(rng.choices(PIECES, k=rng.randrange(4))))
        if rng.random() < 0.7:
            highlighter._lex()
    highlighter._lex()
    text = document.toPlainText()
    expected = [[tuple(span) for span in line.spans] for line in lex(text)]
    # Pygments sees a few things, such as what follows `def` on the next line, only in a whole
    # text; the pieces hold none of them.
    assert [[tuple(span) for span in line.spans] for line in highlighter._lines] == expected


def test_a_very_long_text_stays_plain(window, session):
    session.open(Program("p.py", "x = 1\n" * 20_000), run=False)
    window.parts.editor._highlighter._lex()
    assert window.parts.editor._highlighter._lines == []


def test_the_text_is_coloured_in_the_colours_of_the_palette(window, session, qtbot):
    session.open(Program("p.py", "import x\n"), run=False)
    block = window.parts.editor.document().firstBlock()
    qtbot.waitUntil(lambda: bool(block.layout().formats()))
    (form,) = block.layout().formats()
    assert (form.start, form.length) == (0, 6)
    assert form.format.foreground().color().name() == window.look.palette.keyword


def test_an_opened_multi_line_string_recolours_the_lines_below(window, session, qtbot):
    session.open(Program("p.py", "\nimport x\n"), run=False)
    second = window.parts.editor.document().findBlockByNumber(1)
    string = window.look.palette.string
    qtbot.waitUntil(lambda: bool(second.layout().formats()))
    window.parts.editor.moveCursor(QTextCursor.MoveOperation.Start)
    window.parts.editor.insertPlainText("'''")

    def is_string():
        formats = second.layout().formats()
        return bool(formats) and formats[0].format.foreground().color().name() == string

    qtbot.waitUntil(is_string)


def test_line_numbers_are_painted_beside_their_lines(window, session):
    session.open(Program("p.py", "x\n" * 120), run=False)
    narrow = window.parts.editor.margin_width()
    session.open(Program("p.py", "x\n" * 12000), run=False)
    assert window.parts.editor.margin_width() > narrow
    window.grab()
    assert window.parts.editor.viewportMargins().left() == window.parts.editor.margin_width()


@pytest.mark.parametrize("view", View)
def test_a_step_in_any_view_lights_lines_without_complaint(window, show, view):
    show("written")
    window.session.set_view(view)
    for position in range(13):
        window.session.seek_backward(position)
        assert len(lit(window.parts.editor)) <= 2
