"""Every lesson, measured as it is projected at 200%: what the step is about can be read.

The texts are taken from what is really painted, with the final transformation: the same painting,
into an SVG. A text is so many pixels high as its em, the size of its font. The cards of the step,
their badges, the arithmetic at the edge, the sentence and the formula have at least 28 of them.
"""

from __future__ import annotations

import re
from functools import reduce
from itertools import combinations
from typing import NamedTuple
from xml.etree import ElementTree as ET

import pytest
from panes import alike
from PySide6.QtCore import QBuffer, QByteArray, QPoint, QRectF
from PySide6.QtGui import QFont, QFontMetricsF, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QApplication
from recordings import THOROUGH
from test_recorder import record

from chainstep.figures import short
from chainstep.lesson import lessons, opening
from chainstep.program import examples
from chainstep.story import Phase
from chainstep.trace import Kind, Order
from chainstep.ui.abridging import abridged
from chainstep.ui.annotation import captions, has_label
from chainstep.ui.arrow import is_drawn
from chainstep.ui.caption import words_of
from chainstep.ui.course import Place
from chainstep.ui.drawing import Area, at, symbol
from chainstep.ui.focus import course_between, enlarged, ring
from chainstep.ui.lecture import LectureView
from chainstep.ui.painting import paint_ground, paint_marks
from chainstep.ui.palette import LIGHT
from chainstep.ui.session import Session, View, prepare
from chainstep.ui.telling import leading
from chainstep.ui.theme import Look

SIZES = ((1280, 720), (1920, 1080), (3840, 2160))
LESSONS = {lesson.name: lesson for lesson in lessons()}
TAUGHT = {lesson.program.text for lesson in LESSONS.values()}
EXAMPLES = {e.name: e for e in examples() if e.program.text not in TAUGHT}
"""Those that no lesson opens."""
LEAST = 28.0
SLACK = 0.01
NUMBER = re.compile(r"-?\d[\d.]*(e-?\d+)?")


class Text(NamedTuple):
    """A text that is painted: what, how many pixels its em is high, and where."""

    text: str
    size: float
    place: QRectF


def painted(size, draw) -> list[Text]:
    """Every text that `draw` paints."""
    data = QByteArray()
    buffer = QBuffer(data)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(size)
    with QPainter(generator) as painter:
        draw(painter)
    groups = ET.fromstring(bytes(data.data())).iter()
    return [
        _text(group, element)
        for group in groups
        for element in group
        if element.tag.endswith("}text") and element.text
    ]


def _text(group, element) -> Text:
    numbers = [float(n) for n in group.get("transform", "")[len("matrix(") : -1].split(",")]
    scale, left, top = numbers[0], numbers[4], numbers[5]
    font = QFont(element.get("font-family").split(",")[0])
    font.setPixelSize(round(float(element.get("font-size"))))
    font.setWeight(QFont.Weight(int(element.get("font-weight"))))
    metrics, words = QFontMetricsF(font), element.text.rstrip()
    x, base = float(element.get("x")), float(element.get("y"))
    # From the height of capital letters down to the line: what another text must not touch.
    high, wide = metrics.capHeight(), metrics.horizontalAdvance(words)
    place = QRectF(left + scale * x, top + scale * (base - high), scale * wide, scale * high)
    return Text(words, font.pixelSize() * scale, place)


@pytest.fixture(scope="module")
def recorded():
    """The recording of every lesson, made in this process and laid out."""
    kept = {}

    def recording_of(name):
        if name not in kept:
            of = LESSONS.get(name) or EXAMPLES[name]
            order = of.order if name in LESSONS else Order.DEPTH_FIRST
            kept[name] = prepare(record(of.program.text, order=order, seed=7))
        return kept[name]

    return recording_of


def adopted(prepared, view) -> Session:
    """A session with a recording."""
    session = Session(lambda *_: pytest.fail("nothing runs here"))
    session._wished_view = view
    session._adopt(prepared)
    return session


def opened(prepared, lesson, view) -> Session:
    """A session that stands where a lesson begins."""
    session = adopted(prepared, view)
    found = opening(lesson, session.whole_recording)
    session.set_pass(lesson.pass_index)
    session.go(Place(*found.place))
    session.select(found.selected)
    return session


def moments(session):
    """Where it begins, and the first write after that; all places where there is time."""
    yield
    if THOROUGH:
        for phase in session.course.phases:
            for number in range(session.course.size(phase) + 1):
                session.go(Place(phase, number))
                yield
        return
    for _ in range(40):
        session.step_into()
        step = session.panes[0].stepper.current
        if step is not None and step.kind is Kind.WRITE:
            yield
            return


@pytest.mark.parametrize("view", ["own", "both"])
@pytest.mark.parametrize("name", LESSONS)
def test_what_the_step_is_about_can_be_read_from_the_last_row(qtbot, recorded, name, view):
    lesson = LESSONS[name]
    wished = View.BOTH if view == "both" else View(lesson.view)
    sizes = SIZES if view == "own" or THOROUGH else SIZES[:1]
    check(qtbot, opened(recorded(name), lesson, wished), sizes)


@pytest.mark.timeout(900 if THOROUGH else 60)
@pytest.mark.parametrize("name", EXAMPLES)
def test_so_can_it_in_every_example_that_no_lesson_opens(qtbot, recorded, name):
    sizes = SIZES if THOROUGH else SIZES[:1]
    check(qtbot, adopted(recorded(name), View.BOTH), sizes)


def check(qtbot, session, sizes):
    """Measure the panes and the sentence in windows of some sizes, at some places or at all."""
    shown = LectureView(session, Look(LIGHT, 200))
    qtbot.addWidget(shown)
    shown.viewport_.animated = False
    shown.setUpdatesEnabled(False)  # painted is only what is measured
    shown.show()
    for _ in moments(session):
        for size in sizes:
            shown.resize(*size)
            QApplication.processEvents()
            where = (size, session.phase, session.place.number)
            for canvas in shown.canvases[: len(session.panes)]:
                check_pane(session, canvas, where)
            check_sentence(session, shown.caption, where)
    session.close()


def check_pane(session, canvas, where):
    drawing, moment, kind = canvas._drawing, canvas._moment, canvas._kind
    area = canvas.visible_area()
    clear = canvas._clear_area()
    big = enlarged(drawing, moment, kind, clear)
    written = [caption.area for caption in captions(drawing, moment, kind, clear)]
    parts = {}
    for node in moment.visible.graph.nodes:
        both = drawing.card(node.id), drawing.badge(node.id)
        parts[node.id] = [part for part in big.get(node.id, both)[:2] if part is not None]
    cards = {node_id: reduce(Area.united, both) for node_id, both in parts.items()}
    texts = visible_texts(canvas, [*(each.covers for each in big.values()), *written])
    active = [node_id for node_id in moment.active() if node_id in cards]
    about = [cards[node_id] for node_id in active]
    # Nothing covers anything.
    around = [part for both in parts.values() for part in both] + rings(canvas, big)
    assert not any(label.meets(part) for label in written for part in around), where
    assert not any(one.meets(other) for one, other in combinations(written, 2)), where
    brought = {node_id for node_id, each in big.items() if each.home is not None}
    for node_id in set(active) - brought:
        others = [part for other, both in parts.items() if other != node_id for part in both]
        assert not any(own.meets(other) for own in parts[node_id] for other in others), where
    if has_label(drawing, moment):
        # The arrow is seen, its head and most of the rest, and so is the second edge of `a + a`.
        hides = hidden(written[0], course_between(drawing, moment, big))
        assert not any(hides[:3]), where
        assert sum(hides) <= len(hides) / 2, where
        for course in twins(drawing, moment.arrow):
            assert sum(hidden(written[0], course)) <= len(hides) / 4, where
    # The node that runs is whole, the one that it gives to, and what is written about them.
    ends = about if is_drawn(drawing, moment) else about[:1]
    assert all(area.holds(each) for each in (*ends, *written)), where
    for place in (*ends, *written):
        box = QRectF(canvas.rectangle(place))
        inside = [text for text in texts if box.contains(text.place.center())]
        assert inside, where
        assert all(text.size >= LEAST - SLACK for text in inside), (where, inside)
        assert all(box.contains(text.place) for text in inside), (where, inside)
        for one, other in combinations(inside, 2):
            assert not one.place.intersects(other.place), (where, one, other)
        if place in about:
            card = moment.card(moment.visible.graph.node(active[about.index(place)]))
            said = [text.text for text in inside]
            if place is about[0]:
                check_card(card, said, card.node.name in words_of(session).title, where)
            else:
                check_target(card, said, where)


def rings(canvas, big):
    """What the ring around the selected card covers, with the width of its pen."""
    moment, pen = canvas._moment, canvas._ink.focus.widthF()
    if moment.selected not in canvas._drawing.graph:
        return []
    return [ring(canvas._drawing, moment.selected, big).grown(pen / 2)]


def hidden(label, course):
    """Which of the points of a course a label lies on."""
    points = [at(course, share / 40) for share in range(41)]
    return [label.holds(Area(x, y, x, y)) for x, y in points]


def twins(drawing, arrow):
    """The courses of the other edges between the ends of an arrow."""
    slots = range(len(drawing.graph.node(arrow.consumer).children))
    courses = [drawing.route(arrow._replace(slot=n)) for n in slots if n != arrow.slot]
    return [course for course in courses if course is not None]


def visible_texts(canvas, covers):
    """The texts of a pane, without those that something painted later lies on."""
    drawing, moment, ink = canvas._drawing, canvas._moment, canvas._ink
    area, scale = canvas.visible_area(), canvas._view.scale

    def ground(painter):
        canvas._projection.apply(painter)
        paint_ground(painter, drawing, moment, ink, area, scale)

    def marks(painter):
        canvas._projection.apply(painter)
        paint_marks(painter, drawing, moment, ink, area, scale, canvas._clear_area())

    size, hidden = canvas.viewport().size(), [QRectF(canvas.rectangle(each)) for each in covers]
    below = painted(size, ground)
    free = [t for t in below if not any(each.contains(t.place.center()) for each in hidden)]
    # A badge that an edge runs into is painted again over it, at the same place.
    texts = free + painted(size, marks)
    return list({(t.text, t.place.toAlignedRect().getRect()): t for t in texts}.values())


def check_card(card, inside, said, where):
    """A card of the step says its name and both of its numbers; a name may be cut by operands."""
    assert any(shows(text, card.data) for text in inside), (where, inside)
    if card.gradient is not None:
        assert any(shows(text, card.gradient) for text in inside), (where, inside)
    forms = [*abridged(card.node.name)]
    said = said or card.node.name.endswith("]")  # of a way to an object its end is kept
    if not card.node.constant:
        assert forms[0] in inside or (said and set(forms) & set(inside)), (where, inside)
    assert not card.node.op or symbol(card.node.op) in inside, (where, inside)
    assert not [text for text in inside if "…" in text and text not in forms], (where, inside)


def check_target(card, inside, where):
    """So does the one that gets something; beside what is lost its gradient has fewer digits."""
    assert any(shows(text, card.data) for text in inside), (where, inside)
    rel = 6e-3 if card.lost is None else 0.5
    assert any(shows(text, card.gradient, rel) for text in inside), (where, inside)
    name, forms = card.node.name, [*abridged(card.node.name)]
    cut = [text.strip("…") for text in inside if text.strip("…")]
    named = {*forms} & {*inside} or any(text in name for text in cut)
    assert card.node.constant or named, (where, inside)


def shows(text, number, rel=6e-3):
    """Whether a text is a number, to three digits or so."""
    if not NUMBER.fullmatch(text.replace("−", "-")):
        return text in (short(number), "∞", "-∞")
    return float(text) == pytest.approx(number, rel=rel, abs=1e-300)


def check_sentence(session, caption, where):
    """The sentence and the formula are whole, large enough, and nothing touches anything."""
    words = words_of(session)
    texts = painted(caption.size(), lambda painter: caption.render(painter, QPoint()))
    frame = QRectF(caption.rect())
    assert all(text.size >= LEAST - SLACK for text in texts), (where, texts)
    assert all(frame.contains(text.place) for text in texts), (where, texts)
    assert not any(a.place.intersects(b.place) for a, b in combinations(texts, 2)), where
    shown = "".join(text.text for text in texts).replace(" ", "")
    led = leading(words.title) if words.formula else words.title
    wished = [f"{start}{words.formula}".replace(" ", "") for start in (led, words.title)]
    assert shown.startswith(tuple(wished)), where


def test_a_screen_with_more_pixels_shows_the_same_picture_in_finer_ones(qtbot, recorded):
    session = opened(recorded("pytorch"), LESSONS["pytorch"], View.ACCUMULATE)
    shown = LectureView(session, Look(LIGHT, 200))
    qtbot.addWidget(shown)
    shown.viewport_.animated = False
    found = []
    for size in ((1920, 1080), (3840, 2160), (1920, 1080)):
        shown.resize(*size)
        shown.show()
        QApplication.processEvents()
        found.append((shown.viewport_.scale, shown.caption.height()))
    assert found[1] == pytest.approx((2 * found[0][0], 2 * found[0][1]), rel=0.02)
    assert found[2] == found[0]
    session.close()


@pytest.mark.parametrize("name", ["pytorch", "tanh_apart"])
def test_a_card_across_the_edge_of_the_pane_shows_no_half_word(qtbot, recorded, name):
    session = opened(recorded(name), LESSONS[name], View.ACCUMULATE)
    shown = LectureView(session, Look(LIGHT, 200))
    qtbot.addWidget(shown)
    shown.viewport_.animated = False
    shown.resize(1280, 720)
    shown.show()
    cut, whole = set(), set()
    for _ in range(12):
        session.step_into()
        QApplication.processEvents()
        canvas = shown.canvases[0]
        picture, pane = canvas.viewport().grab().toImage(), QRectF(canvas.viewport().rect())
        active = canvas._moment.active()
        covers = [
            each.covers for each in enlarged(canvas._drawing, canvas._moment, canvas._kind).values()
        ]
        for node_id in canvas._drawing.nodes_in(canvas.visible_area()):
            card = canvas._drawing.card(node_id)
            if node_id in active or any(each.meets(card.grown(20)) for each in covers):
                continue
            # Within its border and its badge, and where nothing fades.
            inner = card._replace(left=card.left + 24, right=card.right - 6).spread(0, -6)
            seen = QRectF(canvas.rectangle(inner)) & pane.adjusted(20, 20, -20, -20)
            if min(seen.width(), seen.height()) < 8:
                continue
            part = picture.copy(seen.toRect())
            colours = {part.pixel(x, y) for x in range(part.width()) for y in range(part.height())}
            if pane.contains(QRectF(canvas.rectangle(card))):
                assert len(colours) > 1, (session.place, node_id)
                whole.add(node_id)
            elif not canvas.visible_area().holds(card.grown(-9)):
                assert len(colours) == 1, (session.place, node_id)
                cut.add(node_id)
    assert cut
    assert whole
    session.close()


@pytest.fixture
def crowded(qtbot):
    """A window on a network with both modes: arrows longer than a pane."""
    session = adopted(prepare(record(EXAMPLES["mlp"].program.text, seed=7)), View.BOTH)
    shown = LectureView(session, Look(LIGHT, 200))
    qtbot.addWidget(shown)
    shown.viewport_.animated = False
    shown.setUpdatesEnabled(False)
    shown.resize(1280, 720)
    shown.show()
    yield session, shown.canvases[0]
    session.close()


def test_so_can_it_where_cards_stand_close_and_edges_are_longer_than_the_pane(crowded):
    session, canvas = crowded
    brought = 0
    for number in (37, 98, 131, 132, 134, 152, 189, 203, 204, 248):
        session.go(Place(Phase.BACKWARD, number))
        QApplication.processEvents()
        check_pane(session, canvas, number)
        drawing, moment, view = canvas._drawing, canvas._moment, canvas.visible_area()
        target = drawing.card(moment.arrow.child)
        if view.holds(target):
            continue
        # It stands at the rim, its mark points to where it is, and the arrow ends at it.
        brought += 1
        big = enlarged(drawing, moment, canvas._kind, view)
        found = big[moment.arrow.child]
        across, down = found.towards
        (x, y), (home_x, home_y) = found.area.middle, target.middle
        assert (home_x - x) * across + (home_y - y) * down > 0, number
        rim = found.covers.grown(20)
        beyond = {(-1, 0): rim.left < view.left, (1, 0): rim.right > view.right}
        beyond |= {(0, -1): rim.top < view.top, (0, 1): rim.bottom > view.bottom}
        assert beyond[across, down], number
        head = course_between(drawing, moment, big)[0]
        assert found.covers.grown(1).holds(Area(*head, *head)), number
        assert not found.covers.grown(-1).holds(Area(*head, *head)), number
    assert brought


def test_what_a_card_at_the_rim_covers_in_part_shows_no_half_words(crowded):
    session, canvas = crowded
    session.go(Place(Phase.BACKWARD, 134))
    QApplication.processEvents()
    canvas.window().setUpdatesEnabled(True)
    picture = canvas.viewport().grab().toImage()
    drawing, moment, view = canvas._drawing, canvas._moment, canvas.visible_area()
    found = enlarged(drawing, moment, canvas._kind, view)[moment.arrow.child].area
    cards = [drawing.card(node_id) for node_id in drawing.nodes_in(found)]
    lower = [card._replace(top=found.bottom + 4).grown(-9) for card in cards]
    parts = [canvas.rectangle(each) for each in lower if each.bottom > found.bottom + 20]
    assert parts
    for part in map(picture.copy, parts):
        colours = {part.pixel(x, y) for x in range(part.width()) for y in range(part.height())}
        assert len(colours) == 1
    # A step on nothing stands over it, and it says again what it does.
    session.go(Place(Phase.BACKWARD, 135))
    QApplication.processEvents()
    pictures = [canvas.viewport().grab().toImage()]
    canvas._repaint_all()
    pictures.append(canvas.viewport().grab().toImage())
    assert alike(*pictures)


@pytest.mark.parametrize("number", [134, 204])
def test_a_card_of_the_step_that_is_selected_comes_into_view_whole(crowded, number):
    session, canvas = crowded
    for end in ("child", "consumer"):
        session.go(Place(Phase.BACKWARD, number))
        QApplication.processEvents()
        session.select(getattr(canvas._moment.arrow, end))
        QApplication.processEvents()
        check_pane(session, canvas, (number, end))
        session.select(None)
