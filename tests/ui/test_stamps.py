"""Pictures of what cards have in common: the same as if all had been drawn, and never too many."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage, QPainter

from chainstep.graph import Node
from chainstep.ui import stamps as module
from chainstep.ui.cards import paint_card, paint_ghost
from chainstep.ui.drawing import Area
from chainstep.ui.ink import Ink
from chainstep.ui.moment import Card, Tone
from chainstep.ui.painting import set_hints
from chainstep.ui.palette import DARK, LIGHT
from chainstep.ui.projection import Projection
from chainstep.ui.stamps import Stamps

STRAY_PIXELS = 100
"""Pixels that may differ: Qt sets a glyph elsewhere by a fraction of a pixel. A frame that stood
between two pixels would differ in many more."""
SIZE = QSize(400, 300)
PLAIN = Card(
    *(Node(0, "a", "+", 2.0, (1, 2)), Tone.PARTIAL, "1 of 2", 2.0, 21.0, "not yet"),
    lost=None,
    lost_now=False,
    differs=False,
)
CARDS = {
    "partial": PLAIN,
    "untouched": replace(PLAIN, tone=Tone.UNTOUCHED, word="", gradient=None),
    "tried": replace(PLAIN, tone=Tone.NOW, word="now · 1 of 2", tried=True),
    "lost": replace(PLAIN, tone=Tone.TARGET, lost=15.0, lost_now=True, differs=True),
    "constant": replace(
        PLAIN, node=Node(1, "2.0", "", 2.0, constant=True), tone=Tone.MADE, word=""
    ),
}


@pytest.fixture(scope="module")
def ink(qapp) -> Ink:
    return Ink(LIGHT)


def painted(ink: Ink, card: Card | None, at, scale=1.5, stamps: Stamps | None = None) -> np.ndarray:
    """A card at a place, or where one will be."""
    picture = QImage(SIZE, QImage.Format.Format_RGB32)
    picture.fill(ink.canvas)
    area = Area(*at, at[0] + 136, at[1] + 82)
    badge = Area(area.left - 14, area.top + 27, area.left + 14, area.top + 55)
    projection = Projection(scale, 40, 20)
    with QPainter(picture) as painter:
        set_hints(painter)
        if stamps is None:
            projection.apply(painter)
        else:
            stamps.apply(painter, projection, ink)
        if card is None:
            paint_ghost(painter, ink, area, stamps)
        else:
            paint_card(painter, ink, ink.usual, card, area, badge, stamps)
    flat = np.frombuffer(picture.constBits(), np.uint8)
    return flat.reshape(SIZE.height(), SIZE.width(), 4)[:, :, :3].astype(int)


@pytest.mark.parametrize("card", [*CARDS.values(), None], ids=[*CARDS, "ghost"])
def test_a_card_that_is_copied_looks_like_one_that_is_drawn(ink: Ink, card) -> None:
    drawn = painted(ink, card, (10, 20))
    assert np.ptp(drawn) > 50
    for stamps in [Stamps()] * 2:
        assert np.abs(painted(ink, card, (10, 20), stamps=stamps) - drawn).max() <= 6


@pytest.mark.parametrize("card", CARDS.values(), ids=CARDS)
def test_a_card_looks_the_same_wherever_it_stands(ink: Ink, card) -> None:
    scale, stamps = 1.2300531914893615, Stamps()
    at_origin = painted(ink, card, (0, 0), scale, stamps)
    for x, y in ((0.2, 0.1), (17.3, 41.7), (3.9, 88.8)):
        right, down = round(x * scale), round(y * scale)
        found = painted(ink, card, (x, y), scale, stamps)
        moved = np.roll(at_origin, (down, right), (0, 1))
        assert (np.abs(found - moved).max(axis=2) > 8).sum() <= STRAY_PIXELS


def test_what_cards_have_in_common_is_painted_once(ink: Ink) -> None:
    stamps = Stamps()
    painted(ink, PLAIN, (0, 0), stamps=stamps)
    once = stamps.pixels
    other = replace(PLAIN, node=replace(PLAIN.node, name="b"), data=3.0, gradient=-0.5)
    painted(ink, other, (30.3, 40.7), stamps=stamps)
    assert stamps.pixels == once > 136 * 82


def test_another_scale_and_other_colours_take_the_place_of_those_before(ink: Ink) -> None:
    stamps = Stamps()
    painted(ink, PLAIN, (0, 0), 3.0, stamps)
    large = stamps.pixels
    small = painted(ink, PLAIN, (0, 0), 1.0, stamps)
    assert stamps.pixels < large / 8
    assert np.abs(small - painted(ink, PLAIN, (0, 0), 1.0)).max() <= 6
    dark = Ink(DARK)
    assert (
        np.abs(painted(dark, PLAIN, (0, 0), stamps=stamps) - painted(dark, PLAIN, (0, 0))).max()
        <= 6
    )


def test_no_more_is_kept_than_there_is_room_for(ink: Ink, monkeypatch) -> None:
    stamps = Stamps()
    painted(ink, PLAIN, (0, 0), stamps=stamps)
    each = stamps.pixels
    monkeypatch.setattr(module, "MOST_PIXELS", 3 * each)
    for op in "-*/^%":
        node = replace(PLAIN.node, op=op)
        painted(ink, replace(PLAIN, node=node), (0, 0), stamps=stamps)
        painted(ink, PLAIN, (0, 0), stamps=stamps)  # used again, it is not the oldest
        assert stamps.pixels <= 3 * each
    kept = stamps.pixels
    painted(ink, PLAIN, (0, 0), stamps=stamps)
    assert stamps.pixels == kept
