"""A bar that is as high as its words need, and as its window can spare."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent, QShowEvent


class Fitted(QWidget):
    """Takes its height anew whenever its width or the height of its window is another."""

    def _fit(self) -> None:
        """Take the height that suits what is said, the width, and the window."""
        raise NotImplementedError

    def _widened(self) -> None:
        """It has another width."""
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        """Mind how high the window is."""
        super().showEvent(event)
        self.window().installEventFilter(self)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Another height of the window leaves more room, or less."""
        if event.type() is QEvent.Type.Resize and watched is self.window():
            self._fit()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Be as high as this width needs."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._widened()
