"""Panes of the graph on a real session that never runs a program, and their pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication
from scenes import recording

from chainstep.ui.canvas import Canvas, Viewport
from chainstep.ui.painting import paint_heading
from chainstep.ui.palette import LIGHT
from chainstep.ui.pictures import image
from chainstep.ui.session import Session, View, prepare

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint

    from chainstep.graph import Graph

STRAY_PIXELS = 300
"""Pixels that may differ: Qt sets a glyph elsewhere by a fraction of a pixel where it is clipped.
A card that was not repainted differs in thousands."""


def alike(one: QImage, other: QImage, stray: int = STRAY_PIXELS) -> bool:
    """Whether two pictures are the same but for stray pixels."""
    assert one.size() == other.size()
    pixels = [
        np.frombuffer(picture.convertToFormat(QImage.Format.Format_RGB32).constBits(), np.uint8)
        for picture in (one, other)
    ]
    apart = np.abs(pixels[0].astype(int) - pixels[1]) > 8
    return int(apart.sum()) <= 3 * stray


def picture(canvas: Canvas) -> QImage:
    """What a pane shows, as a picture that holds all of it."""
    whole = image(canvas._drawing, canvas._moment, canvas._ink, canvas.viewport().size())
    with QPainter(whole) as painter:
        paint_heading(painter, canvas._ink, canvas._session.heading(canvas._pane.mode))
    return whole


def no_runner(*_arguments: object):
    raise AssertionError("nothing runs here")


class Panes:
    """A session with the canvases that show it."""

    def __init__(
        self,
        qtbot,
        graph: Graph | None,
        view: View,
        size: tuple[int, int],
        kind: type[Canvas] = Canvas,
    ) -> None:
        self.session = Session(no_runner)
        self.viewport = Viewport()
        self.viewport.animated = False
        self.session._wished_view = view
        if graph is not None:
            self.session._adopt(prepare(recording(graph)))
        self.canvases = []
        for index in range(2 if view is View.BOTH else 1):
            canvas = kind(self.session, self.viewport, index, LIGHT)
            canvas.resize(*size)
            qtbot.addWidget(canvas)
            canvas.show()
            self.canvases.append(canvas)
        self.canvas = self.canvases[0]
        QApplication.processEvents()

    def seek(self, position: int) -> None:
        self.session.seek_backward(position)
        QApplication.processEvents()

    def shown(self, canvas: Canvas | None = None) -> QImage:
        """What the pane looks like, brought up to date piece by piece."""
        return (canvas or self.canvas).viewport().grab().toImage()

    def afresh(self, canvas: Canvas | None = None) -> QImage:
        """What it looks like when all of it is painted anew."""
        (canvas or self.canvas)._repaint_all()
        return self.shown(canvas)

    def middle(self, node_id: int) -> QPoint:
        """The middle of a card, in pixels of the pane."""
        drawing = self.canvas._drawing
        assert drawing is not None
        return self.canvas.rectangle(drawing.card(node_id)).center()

    def holds(self, node_id: int) -> bool:
        drawing = self.canvas._drawing
        assert drawing is not None
        return self.canvas.visible_area().holds(drawing.card(node_id))
