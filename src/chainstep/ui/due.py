"""What a widget that nobody sees has to make up for once it is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget


class Due:
    """Puts off what a widget would do while it is not shown: it costs every step otherwise.

    The widget calls :meth:`settle` when it is shown.

    Args:
        widget: Whose work it is.
    """

    def __init__(self, widget: QWidget) -> None:
        self._widget = widget
        self._work: Callable[[], None] | None = None

    def later(self, whole: Callable[[], None]) -> bool:
        """Whether the widget is not shown: then the whole of it is taken once it is."""
        if self._widget.isVisible():
            return False
        self._work = whole
        return True

    def take(self, whole: Callable[[], None]) -> None:
        """Take the whole of it now where the widget is shown, else once it is."""
        if not self.later(whole):
            whole()

    def settle(self) -> None:
        """Make up for what was missed, where anything was."""
        work, self._work = self._work, None
        if work is not None:
            work()
