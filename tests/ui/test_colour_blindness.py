"""The side-by-side view as the colour-blind see it: every distinction is there without hue.

The matrices are those of Machado, Oliveira and Fernandes, "A physiologically-based model for
simulation of color vision deficiency" (2009), for full deficiency, on linear light.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QImage, QPainter

from chainstep.graph import Node
from chainstep.ui.cards import paint_card
from chainstep.ui.drawing import Area
from chainstep.ui.ink import Ink
from chainstep.ui.moment import Card, Tone
from chainstep.ui.palette import CONTRAST, DARK, LIGHT

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


@pytest.mark.parametrize("kind", MATRICES)
@pytest.mark.parametrize("name", PALETTES)
@pytest.mark.parametrize("mark", ["now", "target", "final", "failed", "edge", "border"])
def test_marks_stand_out_from_their_ground_whatever_hue_is_missing(name, kind, mark):
    palette = PALETTES[name]
    found = []
    for color in (getattr(palette, mark), palette.canvas):
        rgb = np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)], float)
        light = np.clip(linear(rgb / 255.0) @ np.array(MATRICES[kind]).T, 0, 1)
        found.append(float(light @ np.array([0.2126, 0.7152, 0.0722])))
    low, high = sorted(found)
    assert (high + 0.05) / (low + 0.05) >= 2.9
