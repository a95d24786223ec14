"""Our own signs: one family, in a colour that can be chosen, and none of them is missing."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest
from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QColor, QImage, QPainter

from chainstep.ui import icons
from chainstep.ui.toolbar import SIGNED

NAMES = sorted(file.name.removesuffix(".svg") for file in icons.folder().iterdir())


def drawn(name: str, color: str) -> QImage:
    image = QImage(QSize(40, 40), QImage.Format.Format_RGB32)
    image.fill(QColor("#ffffff"))
    with QPainter(image) as painter:
        icons.draw(painter, name, QRectF(0, 0, 40, 40), QColor(color))
    return image


def colors(image: QImage) -> set[str]:
    return {
        image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())
    }


@pytest.mark.parametrize("name", NAMES)
def test_a_sign_is_drawn_in_the_colour_that_is_asked_for(qapp, name):
    assert "#c65200" in colors(drawn(name, "#c65200"))
    assert "#0072b2" in colors(drawn(name, "#0072b2"))


@pytest.mark.parametrize("name", NAMES)
def test_a_file_is_one_square_of_the_family_with_no_colour_of_its_own(name):
    text = (icons.folder() / f"{name}.svg").read_text("utf-8")
    root = ET.fromstring(text)
    assert root.get("viewBox") == "0 0 10 10"
    assert "currentColor" in text
    assert not re.search(r"#[0-9a-fA-F]{3,}|<image|href|<text|<script", text)


def test_every_sign_of_a_command_and_of_the_tools_is_there(window):
    wanted = {c.icon for c in window.parts.actions.commands.values() if c.icon}
    assert wanted | set(SIGNED) | {"pause", "down"} <= set(NAMES)


def test_no_two_signs_look_alike_but_play_run_and_step(qapp):
    pictures = {name: drawn(name, "#000000") for name in NAMES}
    same = {
        frozenset((one, other))
        for one in NAMES
        for other in NAMES
        if one < other and pictures[one] == pictures[other]
    }
    alike = ("play", "run", "step_over")
    assert same == {frozenset((a, b)) for a in alike for b in alike if a != b}


def test_an_unknown_name_draws_nothing(qapp):
    assert colors(drawn("no such sign", "#000000")) == {"#ffffff"}


def test_a_menu_that_opens_has_the_signs_of_the_buttons(window):
    actions = window.parts.actions
    assert actions["step_into"].icon().isNull()  # none is drawn before
    window.parts.menus["Step"].aboutToShow.emit()
    for name in ("step_over", "step_into", "back_over", "restart", "run", "fit"):
        assert not actions[name].icon().isNull()
    assert actions["view_both"].icon().isNull()  # where it is marked what is on
