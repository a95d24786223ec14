"""Where a question stands: above the columns, or in a low window beside them.

A wide window with large type has little height and some width to spare: a question above the graph
would leave it a strip, beside it both are in sight.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QBoxLayout, QWidget

if TYPE_CHECKING:
    from chainstep.ui.folding import Folding
    from chainstep.ui.question_bar import QuestionBar


class QuestionRoom(QBoxLayout):
    """The bar of questions and what it stands above, or beside."""

    _folding: Folding
    _questions: QuestionBar
    _columns: QWidget

    def __init__(self) -> None:
        super().__init__(QBoxLayout.Direction.TopToBottom)
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(0)

    def furnish(self, folding: Folding, questions: QuestionBar, columns: QWidget) -> None:
        """Take what it gives room to.

        Args:
            folding: Knows whether the window is low.
            questions: What is asked.
            columns: The program, the graph and the panels.
        """
        self._folding, self._questions, self._columns = folding, questions, columns
        self.addWidget(questions)
        self.addWidget(columns, 1)
        folding.changed.connect(self._turn)
        self._turn()

    def set_alone(self, is_alone: bool) -> None:
        """Take the columns away for a page that stands in their place, or bring them back."""
        self._columns.setHidden(is_alone)
        self._turn()

    def _turn(self) -> None:
        beside = self._folding.is_low and not self._columns.isHidden()
        way = QBoxLayout.Direction
        self.setDirection(way.LeftToRight if beside else way.TopToBottom)
        self._questions.set_column(beside)
