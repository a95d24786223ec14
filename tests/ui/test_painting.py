"""What reaches the pixels: legible, inside its card, distinguishable without colour."""

import math
import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest
from drawn import polyline
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QFontInfo, QImage, QPainter
from scenes import diamond, network, odd, reuse, trace

from chainstep.graph import Graph, Node
from chainstep.layout import layered
from chainstep.stepper import Stepper
from chainstep.trace import Mode, Trace
from chainstep.ui import fonts
from chainstep.ui.annotation import label
from chainstep.ui.arrow import arrow_course, is_drawn
from chainstep.ui.cards import BESIDE_BADGE, GAP, RIGHT, _pair, paint_card, pill_beside, pill_word
from chainstep.ui.drawing import Area, Drawing
from chainstep.ui.focus import ring
from chainstep.ui.ink import Ink, forms
from chainstep.ui.moment import Card, Losses, Moment, Tone
from chainstep.ui.painting import kind_for, paint, paint_ground, paint_marks
from chainstep.ui.palette import DARK, LIGHT
from chainstep.ui.pictures import image

pytestmark = pytest.mark.usefixtures("qapp")

NUMBERS = (
    *(0.0, -0.0, 3e-7, -1.2345e-308, math.nan, math.inf, -math.inf, 1e308, -123456.789),
    *(-999999.4, 0.70710678, -0.35355339, 21.0, -1.4999999999999993, 123456.789),
)


@pytest.fixture(scope="module")
def ink(qapp) -> Ink:
    return Ink(LIGHT)


def at(graph: Graph, position: int, mode: Mode = Mode.ACCUMULATE, **marks) -> Moment:
    passed = trace(graph, mode)
    stepper = Stepper(passed, len(graph.nodes))
    stepper.seek(position)
    return Moment(stepper, Losses(passed), **marks)


def pixels(picture: QImage) -> np.ndarray:
    picture = picture.convertToFormat(QImage.Format.Format_RGB32)
    flat = np.frombuffer(picture.constBits(), np.uint8)
    return flat.reshape(picture.height(), -1, 4)[:, : picture.width(), 2::-1].astype(int)


def painted(card: Card, ink: Ink, *, kind: str = "usual", badge: bool = False) -> np.ndarray:
    """A card on a ground with room around it, 3 times as large."""
    picture = QImage(3 * 200, 3 * 130, QImage.Format.Format_RGB32)
    picture.fill(ink.canvas)
    around = Area(26.0, 51.0, 54.0, 79.0) if badge else None
    with QPainter(picture) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(3, 3)
        paint_card(painter, ink, getattr(ink, kind), card, Area(40.0, 24.0, 176.0, 106.0), around)
    return pixels(picture)


def a_card(**changes) -> Card:
    plain = Card(
        *(Node(0, "a", "", 2.0), Tone.FINAL, "final", 2.0, 21.0, "not yet"),
        lost=None,
        lost_now=False,
        differs=False,
    )
    return replace(plain, **changes)


# -- numbers and names -------------------------------------------------------------------------


@pytest.mark.parametrize("room", [62.0, 70.0, 90.0])
def test_a_number_is_never_wider_than_its_room(ink: Ink, room: float) -> None:
    for value, kind, bold in product(NUMBERS, (ink.usual, ink.large), (False, True)):
        face, text = kind.figure(value, room, bold=bold)
        assert face.width(text) <= room


@pytest.mark.parametrize("value", NUMBERS)
def test_however_short_a_number_is_written_it_is_nearly_that_number(value: float) -> None:
    for text in forms(value):
        read = float(text)
        assert read == pytest.approx(value, rel=0.5, nan_ok=True)
        assert math.copysign(1.0, read) == math.copysign(1.0, value) or math.isnan(value)


def test_a_negative_zero_keeps_its_sign_whatever_was_written_before(ink: Ink) -> None:
    texts = [ink.usual.figure(value, 70)[1] for value in (0.0, -0.0, 0.0)]
    assert texts == ["0.0", "-0.0", "0.0"]


def test_a_number_that_fits_is_shown_in_the_usual_size_with_four_digits(ink: Ink) -> None:
    face, text = ink.usual.figure(0.70710678, 68.0)
    assert text == "0.7071"
    assert face is ink.usual.numbers[0]


def test_three_kinds_of_nothing_never_look_the_same(ink: Ink) -> None:
    """A zero that was computed, a tiny number, and a gradient that has not come."""
    looks = [a_card(gradient=value) for value in (0.0, 3e-7, None)]
    for one, other in combinations([painted(card, ink) for card in looks], 2):
        assert (np.abs(one - other).max(axis=2) > 100).sum() > 200


@pytest.mark.parametrize("room", [20.0, 45.0, 80.0])
@pytest.mark.parametrize(
    "name",
    ["a", "x1*w1 + x2*w2 + b", "net.layers[0].neurons[12].w[11]", "W" * 60, "", "日本語の名前"],
)
def test_a_name_is_shortened_until_it_fits(ink: Ink, name: str, room: float) -> None:
    for kind in (ink.usual, ink.large):
        face, text = kind.name(name, room)
        assert face.width(text) <= room
        assert text == name or "…" in text


def test_a_path_keeps_its_end_and_an_expression_its_start(ink: Ink) -> None:
    assert ink.usual.name("net.layers[0].neurons[12].w[11]", 70)[1].endswith("w[11]")
    assert ink.usual.name("x1*w1 + x2*w2 + b", 70)[1].startswith("x1*w1")


KINDS = ("usual", "large", "larger", "largest")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("badge", [False, True])
def test_nothing_of_a_card_reaches_outside_it(ink: Ink, kind: str, badge: bool) -> None:
    ground = QColor(LIGHT.canvas)
    empty = [ground.red(), ground.green(), ground.blue()]
    for value in (3e-7, -1.2345e-308, math.nan, -123456.789, -0.35355339):
        long = Node(0, "(the_learning_rate * w) + something_else", "+" if badge else "", value)
        card = a_card(node=long, data=value, gradient=value, word="now · 12 of 14", differs=True)
        for shown in (card, replace(card, lost=-0.35355339, lost_now=True, word="2 of 2")):
            shown_pixels = painted(shown, ink, kind=kind, badge=badge)
            shown_pixels[3 * 23 : 3 * 108, 3 * (24 if badge else 38) : 3 * 178] = empty
            assert (shown_pixels == empty).all()


def test_what_the_current_write_lost_always_finds_room_beside_what_it_left(ink: Ink) -> None:
    for value, lost, kind in product(NUMBERS, NUMBERS, (ink.usual, ink.large)):
        face, text, struck = _pair(kind, value, lost, 136.0 - BESIDE_BADGE - RIGHT)
        assert struck is not None
        wide = face.width(text) + GAP + struck[0].width(struck[1])
        assert wide <= 136 - BESIDE_BADGE - RIGHT


# -- states ------------------------------------------------------------------------------------


def test_every_state_looks_different_without_colour(ink: Ink) -> None:
    looks = {
        "untouched": a_card(tone=Tone.UNTOUCHED, word="", gradient=None),
        "left over": a_card(tone=Tone.UNTOUCHED, word="left over"),
        "partial": a_card(tone=Tone.PARTIAL, word="1 of 2"),
        "final": a_card(tone=Tone.FINAL, word="final"),
        "seed": a_card(tone=Tone.FINAL, word="seed"),
        "now": a_card(tone=Tone.NOW, word="now"),
        "target": a_card(tone=Tone.TARGET, word="2 of 2"),
        "failed": a_card(tone=Tone.FAILED, word="failed"),
        "lost": a_card(lost=15.0),
        "differs": a_card(differs=True),
    }
    grey = {name: painted(card, ink).mean(axis=2) for name, card in looks.items()}
    for one, other in combinations(grey, 2):
        different = (np.abs(grey[one] - grey[other]) > 60).sum()
        assert different > 150, f"{one} and {other} look alike"


def test_a_constant_is_quieter_than_a_leaf_and_has_no_name(ink: Ink) -> None:
    leaf = a_card(tone=Tone.UNTOUCHED, word="", gradient=None)
    constant = replace(leaf, node=replace(leaf.node, name="2.0", constant=True))
    assert painted(constant, ink).min() > painted(leaf, ink).min()


# -- the current write -------------------------------------------------------------------------


GRAPHS = pytest.mark.parametrize("make", [diamond, reuse, odd, network])


@GRAPHS
@pytest.mark.parametrize("gap", [96.0, 112.0, 150.0])
def test_the_arithmetic_of_no_write_covers_a_card_or_a_badge(
    make, gap: float, ink: Ink, monkeypatch
) -> None:
    monkeypatch.setattr("chainstep.layout.GAP_X", gap)
    graph = make()
    drawing = Drawing(graph, layered(graph))
    moment = at(graph, 0)
    areas = [drawing.card(n.id) for n in graph.nodes]
    areas += [badge for n in graph.nodes if (badge := drawing.badge(n.id))]
    for position in range(moment.stepper.length + 1):
        moment.stepper.seek(position)
        if is_drawn(drawing, moment):
            for kind in (ink.usual, ink.large, ink.largest):
                found = label(drawing, moment, kind, None)[0]
                assert not any(found.meets(area) for area in areas)


def test_the_arithmetic_stays_near_its_edge(ink: Ink) -> None:
    graph = diamond()
    drawing = Drawing(graph, layered(graph))
    for position in (3, 4, 6, 7, 9, 10):
        moment = at(graph, position)
        found = label(drawing, moment, ink.usual, None)[0]
        points = arrow_course(drawing, moment)
        reach = Area(points[0][0], -1e9, points[-1][0], 1e9)
        assert found.meets(reach)
        assert found.top > min(p[1] for p in points) - 60
        assert found.bottom < max(p[1] for p in points) + 60


def test_the_arithmetic_is_put_where_it_can_be_seen(ink: Ink) -> None:
    graph = network()
    drawing = Drawing(graph, layered(graph))
    moment = at(graph, 0)
    for position in range(moment.stepper.length):
        moment.stepper.seek(position)
        if not is_drawn(drawing, moment):
            continue
        points = arrow_course(drawing, moment)
        (x0, _), (x1, _) = points[0], points[-1]
        if x1 - x0 > 600:
            y = points[-1][1]
            view = Area(x1 - 400, y - 300, x1 + 100, y + 300)
            assert view.meets(label(drawing, moment, ink.usual, view)[0])


def test_the_arithmetic_is_written_whole_with_four_digits_where_there_is_room(
    ink: Ink, monkeypatch
) -> None:
    monkeypatch.setattr("chainstep.layout.GAP_X", 200.0)
    graph = diamond()
    drawing = Drawing(graph, layered(graph))
    _, face, lines, _ = label(drawing, at(graph, 9), ink.usual, None)
    assert lines == ("1.0 × 6.0 = 6.0",)
    assert face is ink.usual.arithmetic[0]


def test_the_arithmetic_is_broken_into_lines_where_the_columns_are_close(
    ink: Ink, monkeypatch
) -> None:
    monkeypatch.setattr("chainstep.layout.GAP_X", 112.0)
    graph = reuse()
    drawing = Drawing(graph, layered(graph))
    lines = label(drawing, at(graph, 4), ink.usual, None).lines
    assert lines == ("1.0 × 1.0", "= 1.0")


def near(
    picture: np.ndarray, x: float, y: float, colour: str, within: int = 3, nearly: int = 2
) -> bool:
    """Whether there is a pixel of a colour near a point."""
    wished = QColor(colour)
    part = picture[
        max(round(y) - within, 0) : round(y) + within + 1,
        max(round(x) - within, 0) : round(x) + within + 1,
    ]
    wanted = [wished.red(), wished.green(), wished.blue()]
    return bool((np.abs(part - wanted).max(axis=2) <= nearly).any())


def flat(graph: Graph, moment: Moment, palette=LIGHT) -> tuple[np.ndarray, Drawing]:
    """The drawing at 100%, its upper left corner at (40, 40)."""
    drawing = Drawing(graph, layered(graph))
    bounds = drawing.bounds
    picture = QImage(
        round(bounds.width) + 80, round(bounds.height) + 80, QImage.Format.Format_RGB32
    )
    ink = Ink(palette)
    picture.fill(ink.canvas)
    with QPainter(picture) as painter:
        painter.translate(40 - bounds.left, 40 - bounds.top)
        paint(painter, drawing, moment, ink)
    return pixels(picture), drawing


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_the_head_of_the_current_write_is_at_its_target(palette) -> None:
    graph = diamond()
    moment = at(graph, 9)
    picture, drawing = flat(graph, moment, palette)
    (x, y), *_ = arrow_course(drawing, moment)
    dx, dy = 40 - drawing.bounds.left, 40 - drawing.bounds.top
    # Near the tip the head is as wide as a head, not as an edge.
    assert near(picture, x + 10 + dx, y - 4 + dy, palette.now, 1)
    assert near(picture, x + 10 + dx, y + 4 + dy, palette.now, 1)
    card = drawing.card(0)
    assert near(picture, card.left + dx, card.middle[1] + dy, palette.target)
    card = drawing.card(2)
    assert near(picture, card.right + dx, card.middle[1] + dy, palette.now)


def test_a_position_between_writes_marks_no_edge() -> None:
    graph = diamond()
    for position in (0, 1, 2, 8, 12):
        moment = at(graph, position)
        picture, drawing = flat(graph, moment)
        dx, dy = 40 - drawing.bounds.left, 40 - drawing.bounds.top
        for edge in drawing.edges:
            points = drawing.route(edge)
            assert points is not None
            assert not near(picture, points[0][0] + 12 + dx, points[0][1] + dy, LIGHT.now, 6)


def test_a_write_that_goes_through_no_slot_has_an_arrow_all_the_same() -> None:
    graph = diamond()
    passed = trace(graph)
    stray = replace(passed.steps[8], slot=None, target=4)
    broken: Trace = replace(passed, steps=(*passed.steps[:8], stray))
    stepper = Stepper(broken, 5)
    stepper.seek(9)
    moment = Moment(stepper, Losses(broken))
    picture, drawing = flat(graph, moment)
    (x, y), *_ = arrow_course(drawing, moment)
    assert (x, y) == (drawing.card(4).right, drawing.card(4).middle[1])
    dx, dy = 40 - drawing.bounds.left, 40 - drawing.bounds.top
    assert near(picture, x + 8 + dx, y + dy, LIGHT.now, 2)


def test_the_selected_card_has_a_ring_around_it() -> None:
    graph = diamond()
    picture, drawing = flat(graph, at(graph, 0, selected=1))
    card = drawing.card(1).grown(5)
    dx, dy = 40 - drawing.bounds.left, 40 - drawing.bounds.top
    for x in (card.left, card.right):
        assert near(picture, x + dx, card.middle[1] + dy, LIGHT.focus, 8, 60)


def test_no_ring_runs_through_the_arithmetic_or_a_badge_however_many_cards_are_selected(
    ink: Ink,
) -> None:
    graph = diamond()
    drawing = Drawing(graph, layered(graph))
    area = drawing.bounds.grown(40)
    moment = at(graph, 7, selected=0)
    found = label(drawing, moment, ink.usual, area)[0]
    assert not found.meets(ring(drawing, 0, {}))
    pictures = []
    for together in ((), range(5)):
        picture = QImage(int(area.width), int(area.height), QImage.Format.Format_RGB32)
        picture.fill(ink.canvas)
        with QPainter(picture) as painter:
            painter.translate(-area.left, -area.top)
            paint_ground(painter, drawing, moment, ink, area, 1.0)
            paint_marks(painter, drawing, moment, ink, area, 1.0, None, together)
        pictures.append(pixels(picture))
    changed = (pictures[0] != pictures[1]).any(axis=2)
    assert changed.any()
    for part in (found, drawing.badge(4)):
        assert part is not None
        inner = part.grown(-4).moved(-area.left, -area.top)
        rows, columns = (
            slice(int(a), int(b)) for a, b in zip(inner[1::-1], inner[3:1:-1], strict=True)
        )
        assert not changed[rows, columns].any()


# -- everything --------------------------------------------------------------------------------


@GRAPHS
@pytest.mark.parametrize("scale", [3.0, 1.0, 0.6, 0.2, 0.05])
def test_every_position_can_be_painted_at_every_level_of_detail(make, scale, ink: Ink) -> None:
    graph = make()
    drawing = Drawing(graph, layered(graph))
    moment = at(graph, 0, Mode.OVERWRITE, selected=0, differing=frozenset({0}))
    picture = QImage(400, 300, QImage.Format.Format_RGB32)
    for position in random.Random(3).sample(range(moment.stepper.length + 1), 4):
        moment.stepper.seek(position)
        picture.fill(ink.canvas)
        x, y = drawing.card(graph.root).middle
        with QPainter(picture) as painter:
            painter.translate(200, 150)
            painter.scale(scale, scale)
            painter.translate(-x, -y)
            paint(painter, drawing, moment, ink, None, scale)
        assert np.ptp(pixels(picture)) > 100


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_a_picture_has_the_size_that_was_asked_for_and_holds_the_whole_drawing(scale) -> None:
    graph = diamond()
    drawing = Drawing(graph, layered(graph))
    found = image(drawing, at(graph, 9), Ink(LIGHT), QSize(900, 500), scale)
    assert found.size() == QSize(900, 500) * scale
    shown = pixels(found)
    ground = shown[5, -5]
    rim = int(10 * scale)
    for strip in (shown[-rim:], shown[:, -rim:], shown[:, :rim]):
        assert np.abs(strip - ground).max() <= 1
    assert np.abs(shown - ground).max() > 100


def test_a_part_is_painted_as_it_is_in_the_whole() -> None:
    graph = diamond()
    drawing, ink, moment = Drawing(graph, layered(graph)), Ink(LIGHT), at(graph, 9)

    def picture(areas: Sequence[Area | None]) -> np.ndarray:
        found = QImage(1000, 400, QImage.Format.Format_RGB32)
        found.fill(ink.canvas)
        for area in areas:
            with QPainter(found) as painter:
                painter.translate(60, 60)
                if area is not None:
                    painter.setClipRect(area.left, area.top, area.width, area.height)
                paint(painter, drawing, moment, ink, area)
        return pixels(found)

    parts = [
        Area(x, y, x + 200, y + 100) for x in (-60, 140, 340, 540, 740) for y in (-60, 40, 140, 240)
    ]
    # The label moves to where it is in view, so what is marked is left out of the comparison.
    moment.stepper.seek(8)
    assert (picture([None]) == picture(parts)).all()


def test_the_bundled_fonts_are_the_ones_that_are_used() -> None:
    assert {"Inter", "JetBrains Mono"} <= set(fonts.load())
    assert QFontInfo(fonts.interface(12)).family() == "Inter"
    assert QFontInfo(fonts.figures(12)).family() == "JetBrains Mono"


def test_every_figure_is_as_wide_as_every_other(ink: Ink) -> None:
    for face in (ink.usual.pill, ink.usual.label, *ink.usual.numbers):
        wide = [face.metrics.horizontalAdvance(figure) for figure in "0123456789"]
        assert max(wide) - min(wide) < 0.05


@pytest.mark.parametrize("scale", [1.0, 0.999, 0.84, 0.75, 0.68, 0.6, 0.55])
def test_no_type_is_smaller_than_eleven_pixels_where_cards_are_shown_at_first(
    ink: Ink, scale: float
) -> None:
    kind = kind_for(ink, scale)
    # Numbers of which hardly a digit would find room are smaller rather than cut.
    faces = [*kind.titles, kind.numbers[0], kind.gradients[0], kind.label, kind.pill]
    faces += [kind.struck[0], kind.op, kind.sign, kind.arithmetic[0]]
    assert scale * min(face.font.pixelSize() for face in faces) >= 10.4  # 11 when rounded
    assert ink.heading.font.pixelSize() >= 11


@pytest.mark.parametrize("kind", KINDS)
def test_the_arithmetic_of_one_of_two_edges_hides_neither(ink: Ink, kind: str) -> None:
    graph = reuse()
    drawing = Drawing(graph, layered(graph))
    for position in (3, 4):
        moment = at(graph, position)
        assert moment.arrow is not None
        found = label(drawing, moment, getattr(ink, kind), None)[0]
        other = drawing.route(moment.arrow._replace(slot=1 - moment.arrow.slot))
        assert other is not None
        assert not any(
            found.left < x < found.right and found.top < y < found.bottom
            for x, y in polyline(other).tolist()
        )


@pytest.mark.parametrize("word", ["now", "final", "now · 12 of 14", "left over", "from pass 12"])
def test_from_afar_a_pill_leaves_room_for_a_name(ink: Ink, word: str) -> None:
    shown = pill_word(ink.largest, word, 136.0)
    assert ink.largest.pill.width(shown) + 16 <= 0.6 * 136
    assert shown[:3] == word.removeprefix("from ")[:3]


@pytest.mark.parametrize(
    ("word", "name", "short"),
    [("1 of 1", "x*w + b", "1/1"), ("final", "x1*w1 + b", "✓"), ("final", "a", "final")],
)
def test_a_name_goes_before_the_words_of_its_pill(
    ink: Ink, word: str, name: str, short: str
) -> None:
    card = a_card(word=word, node=Node(0, name, "", 2.0))
    room = 136.0 - BESIDE_BADGE - 10 - GAP
    shown = pill_beside(ink.largest, card, room, 136.0)
    assert shown == short


def test_the_pill_of_what_an_earlier_pass_left_says_which_one(ink: Ink) -> None:
    for kind in KINDS:
        assert pill_word(getattr(ink, kind), "from pass 1", 136.0).endswith("pass 1")
