"""The side-by-side view as the colour-blind see it: every distinction is there without hue.

The matrices are those of Machado, Oliveira and Fernandes, "A physiologically-based model for
simulation of color vision deficiency" (2009), for full deficiency, on linear light.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from panes import Panes
from PySide6.QtCore import QPoint, QSize
from PySide6.QtGui import QColor, QImage, QPainter, QRegion
from PySide6.QtWidgets import QWidget
from scenes import diamond

from chainstep.graph import Node
from chainstep.story import Mark, Phase
from chainstep.trace import Kind
from chainstep.ui.cards import paint_card
from chainstep.ui.drawing import Area
from chainstep.ui.ink import Ink
from chainstep.ui.moment import Card, Tone
from chainstep.ui.palette import CONTRAST, DARK, LIGHT
from chainstep.ui.session import View
from chainstep.ui.theme import Look
from chainstep.ui.track import Track

MATRICES = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
PALETTES = {"light": LIGHT, "dark": DARK, "contrast": CONTRAST}
NODE = Node(0, "a", "+", 2.0, (1, 2))
STATES = {
    "now": Card(NODE, Tone.NOW, "now", 2.0, 6.0, "", None, False, False),
    "target": Card(NODE, Tone.TARGET, "2 of 2", 2.0, 6.0, "", None, False, False),
    "final": Card(NODE, Tone.FINAL, "final", 2.0, 6.0, "", None, False, False),
    "partial": Card(NODE, Tone.PARTIAL, "1 of 2", 2.0, 6.0, "", None, False, False),
    "untouched": Card(NODE, Tone.UNTOUCHED, "", 2.0, None, "not yet", None, False, False),
    "lost": Card(NODE, Tone.TARGET, "2 of 2", 2.0, 6.0, "", 15.0, True, False),
    "differs": Card(NODE, Tone.TARGET, "2 of 2", 2.0, 6.0, "", None, False, True),
    "failed": Card(NODE, Tone.FAILED, "failed", 2.0, 6.0, "", None, False, False),
    "wrong": Card(NODE, Tone.WRONG, "wrong", 2.0, 6.0, "", None, False, False),
}
SCALE = 2
SEEN = 0.15
"""Difference in lightness, of 1, from which on a pixel counts as another."""
FEW = 120
"""Pixels that have to be other ones: the sign for "differs" has the fewest, some 250."""


def linear(channel):
    return np.where(channel <= 0.04045, channel / 12.92, ((channel + 0.055) / 1.055) ** 2.4)


def lightness(rgb, kind):
    """How light each pixel is to somebody without that hue, 0 to 1: CIE L* divided by 100."""
    seen = np.clip(linear(rgb / 255.0) @ np.array(MATRICES[kind]).T, 0, 1)
    y = seen @ np.array([0.2126, 0.7152, 0.0722])
    return np.where(y > 0.008856, 1.16 * np.cbrt(y) - 0.16, 9.033 * y)


def pixels(palette, card):
    """A card as it is painted."""
    image = QImage(QSize(180, 110) * SCALE, QImage.Format.Format_RGB32)
    image.fill(QColor(palette.canvas))
    ink = Ink(palette)
    with QPainter(image) as painter:
        painter.scale(SCALE, SCALE)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area, badge = Area(26, 14, 162, 96), Area(12, 41, 40, 69)
        paint_card(painter, ink, ink.usual, card, area, badge)
    array = np.frombuffer(image.constBits(), np.uint8).reshape(110 * SCALE, 180 * SCALE, 4)
    return array[:, :, 2::-1].astype(float)


@pytest.mark.parametrize("kind", MATRICES)
def test_a_matrix_leaves_grey_as_it_is(kind):
    assert np.array(MATRICES[kind]).sum(axis=1) == pytest.approx(1.0, abs=1e-4)


@pytest.mark.parametrize("kind", MATRICES)
@pytest.mark.parametrize("name", PALETTES)
def test_any_two_states_of_a_card_differ_in_lightness_alone(qapp, name, kind):
    seen = {state: lightness(pixels(PALETTES[name], card), kind) for state, card in STATES.items()}
    for one, other in combinations(STATES, 2):
        apart = np.abs(seen[one] - seen[other]) > SEEN
        assert int(apart.sum()) >= FEW, (one, other)


MARKS = {
    "now": ("canvas", "card", "window", "now_tint"),
    "target": ("canvas", "card", "window", "target_tint"),
    "final": ("canvas", "card", "window"),
    "failed": ("canvas", "card", "window", "failed_tint"),
    "edge": ("canvas", "card"),
    "border": ("canvas", "card", "window"),
    "focus": ("canvas", "card"),
    "strong": ("window",),
}
"""What each mark stands on."""


def luminance(color, kind):
    rgb = np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)], float)
    light = np.clip(linear(rgb / 255.0) @ np.array(MATRICES[kind]).T, 0, 1)
    return float(light @ np.array([0.2126, 0.7152, 0.0722]))


@pytest.mark.parametrize("kind", MATRICES)
@pytest.mark.parametrize("name", PALETTES)
@pytest.mark.parametrize("mark", MARKS)
def test_marks_reach_three_to_one_on_their_ground_whatever_hue_is_missing(name, kind, mark):
    palette = PALETTES[name]
    for ground in MARKS[mark]:
        low, high = sorted(luminance(getattr(palette, each), kind) for each in (mark, ground))
        assert (high + 0.05) / (low + 0.05) >= 3, ground


# -- the whole view ---------------------------------------------------------------------------

SIZE = (760, 420)
A, B, C, D, E = range(5)


class Sides:
    """The diamond with `+=` above and with `=` below, as it is painted at some positions."""

    def __init__(self, qtbot) -> None:
        self.panes = Panes(qtbot, diamond(), View.BOTH, SIZE)
        self.panes.canvas.fit()
        self.writes = {
            (step.node, step.target): number
            for number, step in enumerate(self.panes.session.panes[0].trace.steps, start=1)
            if step.kind is Kind.WRITE
        }

    def picture(self, pane, position, palette):
        """RGB of a pane at a position."""
        canvas = self.panes.canvases[pane]
        if canvas._ink.palette is not palette:
            canvas.set_palette(palette)
        self.panes.session.seek_backward(position)
        image = self.panes.shown(canvas).convertToFormat(QImage.Format.Format_RGB32)
        shape = (image.height(), image.width(), 4)
        return np.frombuffer(image.constBits(), np.uint8).reshape(shape)[:, :, 2::-1].astype(float)

    def box(self, area):
        """Rows and columns of a region of the scene."""
        place = self.panes.canvas.rectangle(area)
        return slice(max(place.top(), 0), place.bottom()), slice(
            max(place.left(), 0), place.right()
        )

    def card(self, node_id):
        return self.box(self.panes.canvas._drawing.card(node_id))

    def course(self, child, consumer):
        """The room between two cards."""
        drawing = self.panes.canvas._drawing
        start, end = drawing.card(child), drawing.card(consumer)
        middle = start.middle[1]
        return self.box(Area(start.right + 2, middle - 6, end.left - 16, middle + 6))


@pytest.fixture
def sides(qtbot):
    return Sides(qtbot)


def apart(one, other, box, kind):
    """Pixels of a region that differ in lightness alone."""
    seen = (lightness(picture[box], kind) for picture in (one, other))
    return int((np.abs(np.subtract(*seen)) > SEEN).sum())


@pytest.mark.parametrize("name", PALETTES)
def test_side_by_side_every_distinction_is_there_without_hue(sides, name):
    palette = PALETTES[name]
    first, second = sides.writes[D, A], sides.writes[C, A]
    below = [sides.picture(1, number, palette) for number in (first, second - 1, second)]
    above = [sides.picture(0, number, palette) for number in (first, second - 1, second)]
    for kind in MATRICES:
        # Where the modes part first the two panes say other things of a, and of nothing else.
        assert apart(above[1], below[1], sides.card(A), kind) == 0, kind
        assert apart(above[2], below[2], sides.card(A), kind) >= FEW, kind
        for node in (B, C, D, E):
            assert apart(above[2], below[2], sides.card(node), kind) == 0, (kind, node)
        for pane in (above, below):
            # The edge that the write goes through is not like itself at rest,
            assert apart(pane[1], pane[2], sides.course(A, C), kind) >= FEW, kind
            # nor are the target and the node that runs like themselves before it.
            assert apart(pane[1], pane[2], sides.card(A), kind) >= FEW, kind
            assert apart(pane[0], pane[2], sides.card(C), kind) >= FEW, kind
            assert apart(pane[0], pane[2], sides.card(D), kind) >= FEW, kind


@pytest.mark.parametrize("name", PALETTES)
def test_on_the_timeline_what_is_over_is_lighter_or_darker_than_what_is_to_come(sides, name):
    palette = PALETTES[name]
    session = sides.panes.session
    track = Track(session, Look(palette))
    track.resize(900, 60)
    session.seek_backward(sides.writes[C, A])
    bar = track.bars()[Phase.BACKWARD]
    image = QImage(track.size(), QImage.Format.Format_RGB32)
    image.fill(QColor(palette.window))
    track.render(image, QPoint(), QRegion(), QWidget.RenderFlag.DrawChildren)
    height = round(bar.center().y())
    over, to_come = (
        image.pixelColor(round(bar.left() + bar.width() * share), height).name()
        for share in (0.31, 0.97)
    )
    for kind in MATRICES:
        low, high = sorted((luminance(over, kind), luminance(to_come, kind)))
        assert (high + 0.05) / (low + 0.05) >= 2, (kind, over, to_come)
        ground = luminance(palette.window, kind)
        low, high = sorted((luminance(over, kind), ground))
        assert (high + 0.05) / (low + 0.05) >= 3, (kind, over)
    # What is marked on it stands above it in signs of two shapes.
    assert {glyph.mark for glyph in track.glyphs} >= {Mark.REUSE, Mark.DIVERGENCE}
    track.close()
