"""What is too large, too odd, or over: refused, cut or kept, without holding up the window."""

import pytest
from PySide6.QtCore import QMimeData
from PySide6.QtWidgets import QMessageBox

from chainstep.program import Program
from chainstep.story import Phase
from chainstep.ui.course import Place
from chainstep.ui.form import Form, encoded, form_of, too_long
from chainstep.ui.output_panel import LONGEST_LINE, MOST_LINES, shown

# -- texts ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [("x = 1\n" * 300_000, "300,001 lines"), ("#" * 200_000, "a line of 200,000 characters")],
)
def test_a_text_too_long_for_the_window_is_refused_and_the_old_one_stays(
    window, tmp_path, text, words
):
    path = tmp_path / "long.py"
    path.write_text(text)
    before = window.parts.editor.text()
    window.parts.files.open_path(path)
    said = window.parts.bar.words.text()
    assert said.startswith(f"long.py is not shown: it has {words}")
    assert "chainstep trace" in said
    assert window.parts.editor.text() == before
    assert window.session.program.name != "long.py"


def test_a_long_text_is_not_pasted_and_that_is_said(window):
    data = QMimeData()
    data.setText("x\n" * 10_000)
    window.parts.editor.insertFromMimeData(data)
    assert window.parts.editor.text() == ""
    assert "Not pasted: the text would have 10,002 lines" in window.parts.status.keys.text


def test_an_ordinary_text_is_not_too_long():
    assert too_long("x = 1\n" * 4_000) == ""


@pytest.mark.parametrize(
    "sign", ["\u2028", "\u2029", "\ufdd0", "\ufdd1", "\ufdd2", "\u00a0", "\ufffc"]
)
def test_every_sign_of_a_text_stays_as_it_is(window, sign):
    text = f"a = '{sign}'  # {sign}\u2028\u2029\nb = 2"
    window.parts.files.show(Program("a.py", text), run=False)
    assert window.parts.editor.text() == text
    assert window.session.program.text == text
    assert not window.isWindowModified()
    window.parts.editor.insertPlainText("c")
    assert window.session.program.text == f"c{text}"


# -- files ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "written"),
    [
        (b"a\r\nb\nc\rd", "a\nb\nc\nd", b"a\r\nb\nc\rd"),
        (b"a\r\nb\nc\n", "a\nB\nc\n", b"a\r\nB\r\nc\n"),
        (b"a\nb\r\nc\nd\r\n", "x\na\nb\nc\ny\nd\n", b"x\na\nb\r\nc\ny\nd\r\n"),
        (b"a\nb\r\nc", "a", b"a"),
        (b"a\nb\r\n", "", b""),
        (b"a\nb\r\n", "a\nb\nc\n", b"a\nb\r\nc\n"),
    ],
)
def test_lines_that_stay_keep_what_ends_them(old, new, written):
    form = form_of(old, "a.py")
    assert form.exact
    assert encoded(new, form) == written


def test_a_file_in_utf_8_or_latin_1_is_exact():
    assert form_of("é".encode(), "a.py") == Form()
    assert form_of("# coding: latin-1\né".encode("latin-1"), "a.py").exact


@pytest.mark.parametrize(
    "data", [b"# coding: utf-7\n'+AGE-'\n", b"# coding: unicode_escape\nx = '\\x61'\n"]
)
def test_a_file_that_cannot_be_written_back_asks_before_it_is_saved(window, tmp_path, data):
    path = tmp_path / "odd.py"
    path.write_bytes(data)
    window.parts.files.open_path(path)
    window.parts.actions["save"].trigger()
    box = next(b for b in window.findChildren(QMessageBox) if b.isVisible())
    assert "cannot be written back byte for byte" in box.text()
    box.button(QMessageBox.StandardButton.Cancel).click()
    assert path.read_bytes() == data


# -- output ---------------------------------------------------------------------------------


def test_a_line_of_a_million_characters_is_shown_in_part():
    lines = shown("x" * 1_000_000 + "\nlast").split("\n")
    assert max(map(len, lines)) <= LONGEST_LINE
    assert lines[-1] == "last"
    assert any("are left out here" in line for line in lines)


def test_of_very_many_lines_the_first_and_the_last_are_shown():
    lines = shown("\n".join(str(n) for n in range(10_000))).split("\n")
    assert len(lines) == MOST_LINES + 1
    assert (lines[0], lines[-1]) == ("0", "9999")
    assert lines[MOST_LINES // 2] == "… 6,000 lines are left out here …"


def test_the_output_says_that_the_program_runs_while_it_does(window, runner, diamond, recordings):
    window.session.open(diamond, run=True)
    assert window.parts.output.text.placeholderText() == "The program runs."
    window.session.stop()


# -- what is said ---------------------------------------------------------------------------


def test_what_was_refused_is_forgotten_when_something_happens(window, show):
    show("forced")
    status = window.parts.status
    window.session.run_to_end()
    status.tip("This is the last step.")
    window.session.back_into()
    assert "last step" not in status.keys.text
    status.tip("The program is still running.")
    window.session.run()
    assert "still running" not in status.keys.text


def test_the_tips_of_the_tabs_name_the_keys_that_were_chosen(window):
    bar = window.parts.side.tabs.bar
    assert "Ctrl+Shift+1" in bar.tabToolTip(0)
    window.parts.actions.set_keys({"panel_values": (("Ctrl+J",), ())})
    assert "Ctrl+J" in bar.tabToolTip(0)
    assert "Ctrl+Shift+1" not in bar.tabToolTip(0)


def test_the_timeline_says_what_its_marks_mean(window, show):
    show("forced")
    track = window.parts.timeline.track
    track.grab()
    assert {glyph.mark for glyph in track.glyphs} == set(track.legend())
    assert track.legend()


@pytest.mark.parametrize("name", ["failed", "half"])
def test_the_place_outlives_a_run_that_failed(session, show, runner, recordings, qtbot, name):
    show("forced")
    session.seek_backward(7)
    for each in (name, "forced"):
        runner.at_once = recordings[each]
        with qtbot.waitSignal(session.recording_changed):
            session.run(keeps_position=True)
    assert session.place == Place(Phase.BACKWARD, 7)
