"""Formulas set as mathematics, by a few rules of our own: fractions, powers, brackets, rows.

A box has a width, a height above its base line and a depth below it, as in TeX. A formula that is
wider than its place is broken before a relation or a sum, and goes on further in; where that does
not do, before a product too, and what is still too wide ends in an ellipsis.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QPointF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from chainstep.notation import (
    PRODUCTS,
    RELATIONS,
    SUMS,
    Bracketed,
    Fraction,
    Mark,
    Power,
    Row,
    read,
)
from chainstep.ui.spoken import pronounced
from chainstep.ui.theme import SMALL

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QPaintEvent

    from chainstep.notation import Tree
    from chainstep.ui.theme import Look

    Draw = Callable[[QPainter, float, float], None]

SHRINK = 0.86
"""Size of what stands in a fraction or a raised place, in sizes of what is around it."""
AXIS = 0.30
"""How far above the base line a fraction line is, in sizes of type."""
GAP = 0.14
"""Between a fraction line and what is above or below it."""
SPACE = 0.26
"""On either side of a sign."""
RAISE = 0.42
"""How far the exponent's base line is above that of its base."""
INDENT = 1.2
"""How far in a broken formula goes on."""
BETWEEN_LINES = 0.35
PAD, BRACKET = 0.12, 0.34
"""How far a fraction line stands out, and how wide a bracket is, in sizes of type."""
COMMA = Mark(",", is_sign=True)
ELLIPSIS = Mark("…")


@dataclass(frozen=True)
class Box:
    """Something set: how large it is, and how it is drawn with its base line's start at a point."""

    width: float
    ascent: float
    descent: float
    draw: Draw


class Setter:
    """Sets trees in one family of fonts.

    Args:
        look: Its scale is taken.
        size: That of the formula, in pixels at 100%.
        figures: Whether it is set in the font of numbers, and bold.
    """

    def __init__(self, look: Look, size: float, *, figures: bool = False) -> None:
        self._font = partial(look.mono, bold=True) if figures else look.font
        self._scale = look.percent / 100
        self._size = size * self._scale
        self._least = min(size, SMALL) * self._scale

    def set(self, tree: Tree, size: float | None = None) -> Box:
        """One box for a whole tree, on one line."""
        size = size or self._size
        if isinstance(tree, Mark):
            return self._mark(tree, size)
        if isinstance(tree, Row):
            return _beside([self.set(part, size) for part in tree.parts])
        if isinstance(tree, Fraction):
            return self._fraction(tree, size)
        if isinstance(tree, Power):
            return self._power(tree, size)
        return self._brackets(tree, size)

    def lines(self, tree: Tree, width: float) -> list[tuple[float, Box]]:
        """(how far in, a box) for each line, broken where it would be wider than `width`."""
        indent = INDENT * self._size
        lines: list[tuple[float, Box]] = []
        for group in self._groups(tree, width - indent):
            box = self.set(group)
            if lines and lines[-1][0] + lines[-1][1].width + box.width <= width:
                lines[-1] = (lines[-1][0], _beside([lines[-1][1], box]))
            else:
                start = indent if lines else 0.0
                lines.append((start, self.set(self.within(group, width - start))))
        return lines

    def _groups(self, tree: Tree, width: float) -> list[Row]:
        """What stays together on a line; products are divided only where they are too wide."""
        groups: list[list[Tree]] = [[]]
        before: Tree | None = None
        for part in tree.parts if isinstance(tree, Row) else (tree,):
            if groups[-1] and (_may_begin_a_line(part) or before == COMMA):
                groups.append([])
            groups[-1].append(part)
            before = part
        found: list[Row] = []
        for group in groups:
            whole = Row(tuple(group))
            found += [whole] if self.set(whole).width <= width else _factors(group)
        return found

    def within(self, tree: Tree, width: float, size: float | None = None) -> Tree:
        """The tree with an ellipsis for what of it would not be seen at a width."""
        size = size or self._size
        if self.set(tree, size).width <= width:
            return tree
        if isinstance(tree, Mark):
            metrics = QFontMetricsF(self._font(round(size / self._scale)))
            return Mark(metrics.elidedText(tree.text, Qt.TextElideMode.ElideMiddle, width))
        if isinstance(tree, Fraction):
            inner, room = self._smaller(size), width - 2 * PAD * size
            return Fraction(
                self.within(tree.above, room, inner), self.within(tree.below, room, inner)
            )
        if isinstance(tree, Bracketed):
            return Bracketed(self.within(tree.inside, width - 2 * BRACKET * size, size))
        if isinstance(tree, Power):
            return self.within(tree.base, width, size)
        return self._first_parts(tree.parts, width, size)

    def _first_parts(self, parts: Sequence[Tree], width: float, size: float) -> Tree:
        """As many parts of a row as there is room for, and an ellipsis."""
        shown: list[Tree] = []
        more = self.set(ELLIPSIS, size).width
        for number, part in enumerate(parts, 1):
            is_last = number == len(parts)
            wide, room = self.set(part, size).width, width - (0.0 if is_last else more)
            if wide > room:
                if not (isinstance(part, Mark) and part.is_sign):
                    shown.append(self.within(part, room, size))
                return Row((*shown, *(() if is_last else (ELLIPSIS,))))
            shown.append(part)
            width -= wide
        return Row(tuple(shown))

    def _smaller(self, size: float) -> float:
        return max(self._least, size * SHRINK)

    def _mark(self, mark: Mark, size: float) -> Box:
        font = self._font(round(size / self._scale))
        metrics = QFontMetricsF(font)
        text = {"-": "−"}.get(mark.text, mark.text) if mark.is_sign else mark.text
        space = SPACE * size if mark.is_sign else 0.0
        before = 0.0 if text == "," else space

        def draw(painter: QPainter, x: float, y: float) -> None:
            painter.setFont(font)
            painter.drawText(QPointF(x + before, y), text)

        width = metrics.horizontalAdvance(text) + before + space * (2 if text == "," else 1)
        return Box(width, metrics.capHeight() * 1.12, metrics.descent(), draw)

    def _fraction(self, tree: Fraction, size: float) -> Box:
        inner = self._smaller(size)
        above, below = self.set(tree.above, inner), self.set(tree.below, inner)
        pad, axis, gap = PAD * size, AXIS * size, GAP * size
        width = max(above.width, below.width) + 2 * pad
        rise = axis + gap + above.descent
        fall = gap + below.ascent - axis

        def draw(painter: QPainter, x: float, y: float) -> None:
            above.draw(painter, x + (width - above.width) / 2, y - rise)
            below.draw(painter, x + (width - below.width) / 2, y + fall)
            painter.save()
            painter.setPen(QPen(painter.pen().color(), max(1.0, size / 15)))
            painter.drawLine(QLineF(x + pad / 2, y - axis, x + width - pad / 2, y - axis))
            painter.restore()

        return Box(width, rise + above.ascent, fall + below.descent, draw)

    def _power(self, tree: Power, size: float) -> Box:
        base, exponent = self.set(tree.base, size), self.set(tree.exponent, self._smaller(size))
        rise = RAISE * size

        def draw(painter: QPainter, x: float, y: float) -> None:
            base.draw(painter, x, y)
            exponent.draw(painter, x + base.width, y - rise)

        ascent = max(base.ascent, rise + exponent.ascent)
        return Box(base.width + exponent.width + 0.06 * size, ascent, base.descent, draw)

    def _brackets(self, tree: Bracketed, size: float) -> Box:
        inside = self.set(tree.inside, size)
        wide = BRACKET * size
        height, depth = inside.ascent + 0.08 * size, inside.descent

        def draw(painter: QPainter, x: float, y: float) -> None:
            inside.draw(painter, x + wide, y)
            painter.save()
            pen = QPen(painter.pen().color(), max(1.0, size / 14))
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            for start, bend in ((x + wide * 0.75, -1), (x + wide * 1.25 + inside.width, 1)):
                path = QPainterPath(QPointF(start, y - height))
                path.quadTo(
                    QPointF(start + bend * wide * 0.75, y - (height - depth) / 2),
                    QPointF(start, y + depth),
                )
                painter.drawPath(path)
            painter.restore()

        return Box(inside.width + 2 * wide, height, depth, draw)


def _may_begin_a_line(part: Tree) -> bool:
    """A relation or the sign of a sum; the comma between two formulas stays with the first."""
    return isinstance(part, Mark) and part.is_sign and part.text in RELATIONS - {","} | SUMS


def _factors(parts: Sequence[Tree]) -> list[Row]:
    """The parts of a product, each with the sign before it."""
    factors: list[list[Tree]] = [[]]
    for part in parts:
        if factors[-1] and isinstance(part, Mark) and part.is_sign and part.text in PRODUCTS:
            factors.append([])
        factors[-1].append(part)
    return [Row(tuple(factor)) for factor in factors]


def _beside(boxes: Sequence[Box]) -> Box:
    """Boxes side by side on one base line."""

    def draw(painter: QPainter, x: float, y: float) -> None:
        for box in boxes:
            box.draw(painter, x, y)
            x += box.width

    return Box(
        sum(box.width for box in boxes),
        max((box.ascent for box in boxes), default=0.0),
        max((box.descent for box in boxes), default=0.0),
        draw,
    )


class Typeset(QWidget):
    """A formula, as high as its width makes it. It says the formula on one line when asked.

    Args:
        look: Colours and scale.
        size: Size of type at 100%.
        figures: Whether it is set in the font of numbers, bold and in the colour of what is now.
    """

    def __init__(self, look: Look, size: float, *, figures: bool = False) -> None:
        super().__init__()
        self._line = ""
        self._lines: tuple[int, list[tuple[float, Box]]] | None = None
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._at_100 = size
        self._figures = figures
        self.set_look(look)

    def text(self) -> str:
        """The formula on one line."""
        return self._line

    def set_text(self, line: str) -> None:
        """Show another formula; nothing where it is empty."""
        if line != self._line:
            self._line = line
            self.setAccessibleName(pronounced(line))
            self._forget()

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self._setter = Setter(look, self._at_100, figures=self._figures)
        self._size = self._at_100 * look.percent / 100
        self._color = look.palette.now_text if self._figures else look.palette.text
        self._forget()

    def _forget(self) -> None:
        self._lines = None
        self.updateGeometry()
        self.update()

    def _set(self, width: int) -> list[tuple[float, Box]]:
        if self._lines is None or self._lines[0] != width:
            tree = read(self._line)
            self._lines = width, self._setter.lines(tree, width) if self._line else []
        return self._lines[1]

    # -- Qt -----------------------------------------------------------------------------

    def hasHeightForWidth(self) -> bool:
        """The narrower, the more lines."""
        return True

    def heightForWidth(self, width: int) -> int:
        """All lines, with room between them."""
        lines = self._set(width)
        if not lines:
            return 0
        between = BETWEEN_LINES * self._size
        return round(sum(box.ascent + box.descent + between for _, box in lines) + 1)

    def sizeHint(self) -> QSize:
        """On one line, unless that is very long."""
        lines = self._set(100_000)
        width = max((box.width for _, box in lines), default=0.0)
        return QSize(round(width) + 2, self.heightForWidth(round(width) + 2))

    def minimumSizeHint(self) -> QSize:
        """As narrow as one likes: it breaks."""
        return QSize(40, self.heightForWidth(max(40, self.width())))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002  all of it is painted
        """Line by line."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QColor(self._color))
            y = BETWEEN_LINES * self._size / 2
            for indent, box in self._set(self.width()):
                box.draw(painter, indent, y + box.ascent)
                y += box.ascent + box.descent + BETWEEN_LINES * self._size
