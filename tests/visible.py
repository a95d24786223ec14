"""Everything that somebody can see or hear of a window, as texts: whatever widgets it is made of.

Nothing here knows a panel. A new one is walked through like the others.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from xml.etree import ElementTree as ET

from PySide6.QtCore import (
    QAbstractListModel,
    QBuffer,
    QByteArray,
    QModelIndex,
    QObject,
    QPoint,
    QPointF,
    QSize,
    Qt,
)
from PySide6.QtGui import QAction, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

from chainstep.ui.canvas import Canvas
from chainstep.ui.hints import hint
from chainstep.ui.painting import paint
from chainstep.ui.projection import Projection

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtCore import QAbstractItemModel

PROPERTIES = (
    *("text", "plainText", "title", "placeholderText", "windowTitle", "currentText"),
    *("toolTip", "statusTip", "whatsThis", "accessibleName", "accessibleDescription"),
)
ROLES = (
    *(Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.StatusTipRole),
    *(Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.AccessibleDescriptionRole),
)
EVERY = 9
"""Pixels between two points at which a tool tip is asked for."""
NUMBER = re.compile(r"[-−]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


class Seen(NamedTuple):
    """A text and where it stands."""

    where: str
    text: str


TOP = QModelIndex()


def seen(window: QWidget, besides: tuple[QObject, ...] = ()) -> Iterator[Seen]:
    """Every text of a window: shown, painted, in models, in tool tips, said aloud.

    Args:
        window: All that is in it is walked through.
        besides: Widgets left out, because what they hold is the user's own text.
    """
    objects = [window, *window.findChildren(QObject)]
    models = set()
    for each in objects:
        if each in besides:
            continue
        where = f"{type(each).__name__} {each.objectName()}".strip()
        if isinstance(each, QWidget | QAction):
            yield from _properties(each, where)
        model = getattr(each, "model", None)
        if callable(model) and (found := model()) is not None and found not in models:
            models.add(found)
            yield from (Seen(f"{where}: cell", text) for text in cells(found))
        if isinstance(each, Canvas):
            yield from (Seen(f"{where}: painted", text) for text in on_canvas(each))
            yield from (Seen(f"{where}: tool tip", text) for text in hints(each))
    yield from (Seen("painted", text) for text in painted(window))
    yield from (Seen("tool tip", text) for text in tips(window))


def _properties(each: QObject, where: str) -> Iterator[Seen]:
    for name in PROPERTIES:
        value = each.property(name)
        if isinstance(value, str) and value:
            yield Seen(f"{where}: {name}", value)
    count, texts = getattr(each, "count", None), getattr(each, "tabText", None)
    if callable(count) and callable(texts):
        for at in range(count()):
            yield Seen(f"{where}: tab", texts(at))
            yield Seen(f"{where}: tab", each.tabToolTip(at))


def cells(model: QAbstractItemModel) -> Iterator[str]:
    """Every text that a model gives, headers and all."""
    for side in (Qt.Orientation.Horizontal, Qt.Orientation.Vertical):
        many = _columns(model) if side is Qt.Orientation.Horizontal else model.rowCount()
        for section in range(many):
            for role in ROLES:
                yield from _text(model.headerData(section, side, role))
    yield from _below(model, QModelIndex())


def _below(model: QAbstractItemModel, parent: QModelIndex) -> Iterator[str]:
    for row in range(model.rowCount(parent)):
        for column in range(_columns(model, parent)):
            index = model.index(row, column, parent)
            for role in ROLES:
                yield from _text(model.data(index, role))
        yield from _below(model, model.index(row, 0, parent))


def _columns(model: QAbstractItemModel, parent: QModelIndex = TOP) -> int:
    return 1 if isinstance(model, QAbstractListModel) else model.columnCount(parent)


def _text(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value


def painted(window: QWidget) -> Iterator[str]:
    """Every text that is painted in a window, hidden widgets left out."""
    yield from _drawn(window.size(), lambda painter: window.render(painter, QPoint()))


def on_canvas(canvas: Canvas) -> Iterator[str]:
    """Every text of a graph, that beyond the edge of its pane too."""
    drawing, moment = canvas._drawing, canvas._moment
    if drawing is None or moment is None:
        return
    size = QSize(round(drawing.bounds.width) + 200, round(drawing.bounds.height) + 200)

    def draw(painter: QPainter) -> None:
        Projection.centred(1.0, drawing.bounds.middle, size).apply(painter)
        paint(painter, drawing, moment, canvas._ink)

    yield from _drawn(size, draw)


def hints(canvas: Canvas) -> Iterator[str]:
    """What the graph says of each node where the mouse rests on it."""
    drawing, moment = canvas._drawing, canvas._moment
    for node in drawing.graph.nodes if drawing is not None and moment is not None else ():
        yield hint(drawing.graph, moment, node.id)


def in_sizes(widget: QWidget) -> Iterator[tuple[str, int]]:
    """Every text that is painted in a widget, with the height of its type in pixels."""
    drawn = _svg(widget.size(), lambda painter: widget.render(painter, QPoint()))
    for group in drawn.iter():
        for element in group:
            if element.tag.endswith("text") and element.text:
                yield element.text, round(float(element.get("font-size", "0")))


def _drawn(size: QSize, draw) -> Iterator[str]:
    """The texts of a picture."""
    for element in _svg(size, draw).iter():
        if element.tag.endswith("text") and element.text:
            yield element.text.strip()


def _svg(size: QSize, draw) -> ET.Element:
    """A picture as an SVG, in which texts stay texts."""
    data = QByteArray()
    buffer = QBuffer(data)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(size)
    with QPainter(generator) as painter:
        draw(painter)
    return ET.fromstring(bytes(data.data()))


def tips(window: QWidget) -> Iterator[str]:
    """What widgets that make their tool tips themselves say at points of a grid."""
    for widget in window.findChildren(QWidget):
        hint = getattr(widget, "hint", None)
        if not callable(hint) or not widget.isVisible():
            continue
        for x in range(0, widget.width(), EVERY):
            for y in range(0, widget.height(), EVERY):
                yield hint(QPointF(x, y))


def numbers(texts: Iterator[Seen]) -> Iterator[tuple[float, float, Seen]]:
    """Every number of three digits or more: what it is, half its last digit, and its text."""
    for each in texts:
        for found in NUMBER.findall(each.text):
            digits, _, power = found.replace("−", "-").partition("e")
            places = len(digits.partition(".")[2])
            if len(re.sub(r"\D", "", digits).lstrip("0")) >= 3:
                scale = 10.0 ** int(power or 0)
                yield float(digits) * scale, 0.51 * 10.0**-places * scale, each
