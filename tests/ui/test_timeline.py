"""The track with its three phases and marks, and the row of chips."""

import itertools
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt

from chainstep.breakpoints import Breakpoint, NodeName
from chainstep.graph import Node
from chainstep.story import Mark, Phase
from chainstep.trace import Kind, Mode, Order, TraceError
from chainstep.ui.course import Place
from chainstep.ui.marks import arrange
from chainstep.ui.progress import phrases
from chainstep.ui.session import View

A, B, C, D, E = range(5)
FORWARD, SORT, BACKWARD = Phase
START = 17
"""Where the diamond's backward phase begins: after five Values and twelve moments of the sort."""


@pytest.fixture
def track(window):
    return window.parts.timeline.track


@pytest.fixture
def chips(window):
    return window.parts.timeline.chips


def middle(track, phase, share):
    bar = track.bars()[phase]
    return QPoint(round(bar.left() + share * bar.width()), round(bar.center().y()))


# -- the track ----------------------------------------------------------------------------


def test_a_click_on_the_track_goes_there_and_dragging_goes_along(window, show, track, qtbot):
    show("forced")
    end = middle(track, BACKWARD, 1.0)
    qtbot.mouseClick(track, Qt.MouseButton.LeftButton, pos=end)
    assert window.session.place == Place(BACKWARD, 12)
    qtbot.mousePress(track, Qt.MouseButton.LeftButton, pos=end)
    qtbot.mouseMove(track, middle(track, BACKWARD, 0.5))
    assert window.session.place == Place(BACKWARD, 6)
    qtbot.mouseMove(track, middle(track, SORT, 0.5))
    assert window.session.place == Place(SORT, 6)
    qtbot.mouseMove(track, middle(track, FORWARD, 0.6))
    assert window.session.place == Place(FORWARD, 3)
    qtbot.mouseRelease(track, Qt.MouseButton.LeftButton)
    qtbot.mouseMove(track, end)
    assert window.session.place == Place(FORWARD, 3)


@pytest.mark.parametrize("phase", Phase)
def test_each_end_of_each_phase_can_be_clicked(window, show, track, phase, qtbot):
    show("forced")
    size = window.session.course.size(phase)
    qtbot.mouseClick(track, Qt.MouseButton.LeftButton, pos=middle(track, phase, 0.0))
    assert window.session.place == Place(phase, 0)
    qtbot.mouseClick(track, Qt.MouseButton.LeftButton, pos=middle(track, phase, 1.0))
    assert window.session.place == Place(phase, size)


def test_a_phase_in_which_nothing_happens_cannot_be_entered(
    window, track, runner, recordings, diamond, qtbot
):
    recording = recordings["forced"]
    traces = tuple(replace(trace, order=Order.RECURSIVE) for trace in recording.traces)
    runner.at_once = replace(recording, traces=traces)
    window.session.open(diamond, run=False)
    with qtbot.waitSignal(window.session.recording_changed):
        window.session.run()
    assert phrases(window.session)[SORT] == "2 No sort · recursion"
    qtbot.mouseClick(track, Qt.MouseButton.LeftButton, pos=middle(track, SORT, 0.9))
    assert window.session.phase is not SORT


def test_every_place_has_a_value_of_the_slider_and_lies_right_of_the_one_before(
    window, show, track
):
    show("forced")
    course = window.session.course
    assert (track.minimum(), track.maximum()) == (0, 5 + 12 + 12 + 2)
    places = [course.numbered(value) for value in range(track.maximum() + 1)]
    assert len(set(places)) == track.maximum() + 1
    xs = [track.x_of(place) for place in places]
    assert xs == sorted(set(xs))
    for value, place in enumerate(places):
        track.setValue(value)
        assert window.session.place == place
        assert track.place_at(track.x_of(place)) == place


def test_the_bars_lie_where_they_lie_whatever_is_on_show(window, show, track):
    before = track.bars()
    for name in ("forced", "passes", "failed", "written"):
        show(name)
        assert track.bars() == before
        for place in (Place(FORWARD, 2), Place(SORT, 1), Place(BACKWARD, 12)):
            window.session.go(place)
            assert track.bars() == before
    widths = {phase: bar.width() for phase, bar in before.items()}
    assert widths[BACKWARD] > 2 * widths[SORT]
    assert widths[FORWARD] == widths[SORT]


SAID = {
    Place(BACKWARD, 0): "3 Backward · before the first of 12 steps",
    Place(BACKWARD, 1): "3 Backward · the seed",
    Place(BACKWARD, 2): "3 Backward · call 1 of 5",
    Place(BACKWARD, 3): "3 Backward · call 1 of 5, write 1 of 2",
    Place(BACKWARD, 9): "3 Backward · call 3 of 5, write 1 of 2",
    Place(BACKWARD, 10): "3 Backward · call 3 of 5, write 2 of 2",
    Place(BACKWARD, 11): "3 Backward · call 4 of 5",
    Place(BACKWARD, 12): "3 Backward · done, 5 calls",
    Place(FORWARD, 0): "1 Forward · 0 of 5 made",
    Place(FORWARD, 3): "1 Forward · 3 of 5 made",
    Place(SORT, 0): "2 Topological sort · 0 of 5",
    Place(SORT, 6): "2 Topological sort · 2 of 5",
}


def test_the_timeline_says_where_one_is(window, show, track):
    show("forced")
    for place, words in SAID.items():
        window.session.go(place)
        marks = "2 reuse marks, 2 difference marks"
        assert track.accessibleDescription() == f"{words}, {marks}"


def test_a_skipped_phase_says_so(window, show, track):
    show("forced")
    window.session.skip(SORT, skips=True)
    assert phrases(window.session)[SORT] == "2 Topological sort · 5 · skipped"
    track.grab()


# -- marks --------------------------------------------------------------------------------


def marks(track):
    track.grab()
    return [(glyph.mark, glyph.position) for glyph in track.glyphs]


def test_reuse_and_differences_are_marked_side_by_side(window, show, track):
    show("forced")
    assert sorted(marks(track), key=lambda m: (m[1], m[0].value)) == [
        (Mark.DIVERGENCE, START + 9),
        (Mark.REUSE, START + 9),
        (Mark.DIVERGENCE, START + 10),
        (Mark.REUSE, START + 10),
    ]
    xs = [glyph.x for glyph in track.glyphs]
    assert all(b - a >= 10 for a, b in itertools.pairwise(xs))


def test_as_written_there_are_no_differences_to_mark(window, show, track):
    show("written")
    window.session.set_view(View.AS_WRITTEN)
    assert {mark for mark, _ in marks(track)} == {Mark.REUSE}


def test_a_breakpoint_is_marked_as_soon_as_it_is_set(window, show, track):
    show("forced")
    assert Mark.BREAKPOINT not in dict(marks(track))
    window.session.breakpoints.add(Breakpoint(NodeName("c", 0)))
    # c is made, put on the list, and runs
    hits = [position for mark, position in marks(track) if mark is Mark.BREAKPOINT]
    assert hits == [3, 12, START + 8]


def test_where_a_pass_broke_off_is_marked(window, track, runner, recordings, diamond, qtbot):
    recording = recordings["forced"]
    traces = tuple(
        replace(t, steps=t.steps[:7], error=TraceError(7, "ZeroDivisionError", 9))
        for t in recording.traces
    )
    runner.at_once = replace(recording, traces=traces)
    window.session.open(diamond, run=False)
    with qtbot.waitSignal(window.session.recording_changed):
        window.session.run()
    assert (Mark.ERROR, START + 7) in marks(track)
    spot = next(g for g in track.glyphs if g.mark is Mark.ERROR)
    assert track.hint(QPointF(spot.x, 4)).startswith("Error: the pass broke off. ZeroDivisionError")


def test_a_mark_says_what_it_is_for_and_a_click_on_it_goes_there(window, show, track, qtbot):
    show("forced")
    said = {}
    track.grab()
    for glyph in track.glyphs:
        said[glyph.mark, glyph.position] = track.hint(QPointF(glyph.x, 5))
    assert said[Mark.REUSE, START + 9].startswith("Reuse: a gets its second contribution.\nStep 9")
    assert said[Mark.DIVERGENCE, START + 10].startswith(
        "Difference: += and = begin to differ in b.\nStep 10"
    )
    spot = QPoint(round(track.glyphs[0].x), 5)
    qtbot.mouseClick(track, Qt.MouseButton.LeftButton, pos=spot)
    assert window.session.position == track.glyphs[0].position


def test_marks_are_reached_by_key_in_both_directions(window, show):
    show("forced")
    session = window.session
    session.breakpoints.add(Breakpoint(NodeName("c", 0)))
    session.restart()
    found = []
    while session.mark_from() is not None:
        window.parts.actions["next_mark"].trigger()
        found.append(session.position)
    assert found == [3, 12, START + 8, START + 9, START + 10]
    assert not window.parts.actions["next_mark"].isEnabled()
    back = []
    while session.mark_from(forward=False) is not None:
        window.parts.actions["previous_mark"].trigger()
        back.append(session.position)
    assert back == found[-2::-1]


def test_of_many_marks_the_weightiest_keep_their_room():
    many = {Mark.REUSE: range(1000), Mark.DIVERGENCE: [500], Mark.ERROR: [501]}
    found = arrange(many, lambda position: position * 0.5, 10.0)
    xs = [glyph.x for glyph in found]
    assert all(b - a >= 9.98 for a, b in itertools.pairwise(xs))
    assert [g.position for g in found if g.mark is Mark.ERROR] == [501]
    assert [g.position for g in found if g.mark is Mark.DIVERGENCE] == [500]
    assert len(found) > 40


def test_a_hundred_thousand_marks_are_arranged_in_no_time():
    asked = 0

    def x_of(position):
        nonlocal asked
        asked += 1
        return position * 0.01

    assert len(arrange({Mark.REUSE: range(100_000)}, x_of, 10.0)) == 100
    assert asked < 3000


# -- chips --------------------------------------------------------------------------------


def names(chips):
    chips.grab()
    return [chips._text(number) for _, number in chips._boxes]


def test_backward_the_chips_are_the_order_with_what_ran_and_what_is_now(window, show, chips):
    show("forced")
    assert names(chips) == ["e", "d", "c", "b", "a"]
    window.session.seek_backward(9)
    assert names(chips) == ["e ✓", "d ✓", "c ▸", "b", "a"]
    window.session.run_to_end()
    assert names(chips) == ["e ✓", "d ✓", "c ✓", "b ✓", "a ✓"]


def test_forward_the_chips_are_the_values_made_so_far(window, show, chips):
    show("forced")
    window.session.go(Place(FORWARD, 0))
    assert names(chips) == []
    window.session.go(Place(FORWARD, 3))
    assert names(chips) == ["a", "b", "c ▸"]
    assert chips.accessibleDescription() == "made so far: a b c, now c"


def test_in_the_sort_the_list_grows(window, show, chips):
    show("forced")
    lists = []
    for number in range(13):
        window.session.go(Place(SORT, number))
        lists.append(" ".join(names(chips)))
    assert lists == [
        *("", "", "", "", "a ▸", "a", "a b ▸"),
        *("a b c ▸", "a b c", "a b c", "a b c", "a b c d ▸", "a b c d e ▸"),
    ]


@pytest.mark.parametrize(
    ("phase", "number", "place"),
    [
        (FORWARD, 1, Place(FORWARD, 2)),
        (SORT, 1, Place(SORT, 6)),
        (BACKWARD, 2, Place(BACKWARD, 8)),
    ],
)
def test_a_click_on_a_chip_goes_to_its_moment(window, show, chips, qtbot, phase, number, place):
    show("forced")
    window.session.go(window.session.course.end(phase))
    chips.grab()
    box, _ = chips._boxes[number]
    qtbot.mouseClick(chips, Qt.MouseButton.LeftButton, pos=box.center().toPoint())
    assert window.session.place == place


def test_the_chip_of_the_running_call_stays_in_sight(window, show, session, chips):
    show("forced")
    chips.resize(300, 26)
    for position in (*range(13), *range(12, -1, -1)):
        session.seek_backward(position)
        chips.grab()
        current = max(0, session.primary.stepper.call[0] - 1)
        assert current in [number for _, number in chips._boxes]


def test_a_chip_says_why_its_node_is_ready(window, show, chips):
    show("forced")
    window.session.seek_backward(7)
    chips.grab()
    said = [chips.hint(box.center()) for box, _ in chips._boxes]
    assert said[0] == "1: e\nThe root: its gradient is the seed."
    assert said[2] == "3: c\nReady: its only consumer has run: e."
    assert said[4] == "5: a\nWaits for c: 1 of 2 consumers have run."


def test_a_node_that_runs_before_its_gradient_is_complete_is_marked_with_a_word(
    window, chips, runner, recordings, diamond, qtbot
):
    recording = recordings["forced"]
    trace = recording.trace(Mode.ACCUMULATE)
    steps = list(trace.steps)
    calls = {step.node: n for n, step in enumerate(steps) if step.kind is Kind.CALL}
    early = steps.pop(calls[C])  # c runs right after the seed, before e, its consumer
    steps.insert(1, early)
    wrong = replace(trace, order=Order.RECURSIVE, steps=tuple(steps))
    runner.at_once = replace(recording, traces=(wrong,))
    window.session.open(diamond, run=False)
    with qtbot.waitSignal(window.session.recording_changed):
        window.session.run()
    assert names(chips)[0] == "c early"
    box, _ = chips._boxes[0]
    assert "its gradient is not complete" in chips.hint(box.center())


def test_a_long_list_shows_its_end(window, chips, runner, recordings, diamond, qtbot):
    tanhs = (Node(n, f"x{n}", "tanh", 1.0, (n - 1,), serial=n) for n in range(1, 60))
    nodes = (Node(0, "x0", "", 1.0), *tanhs)
    recording = recordings["forced"]
    trace = recording.trace(Mode.ACCUMULATE)
    call = next(step for step in trace.steps if step.kind is Kind.CALL)
    steps = tuple(replace(call, node=n) for n in range(59, -1, -1))
    long = replace(trace, root=59, steps=steps, initial=dict.fromkeys(range(60), 0.0))
    runner.at_once = replace(recording, nodes=nodes, traces=(long,))
    window.session.open(diamond, run=False)
    with qtbot.waitSignal(window.session.recording_changed):
        window.session.run()
    window.session.go(window.session.course.end(SORT))
    assert names(chips)[-1] == "x59 ▸"
    window.session.go(Place(FORWARD, 30))
    assert names(chips)[-1] == "x29 ▸"
