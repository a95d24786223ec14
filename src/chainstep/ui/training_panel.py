"""A training loop: the loss of every iteration, any two iterations compared, a run made otherwise.

Beside the real run stands one without zeroing (or with it), or with its updates turned round, once
that is asked for: as a dashed line, and as what an iteration can be compared with.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QPushButton, QSpinBox

from chainstep.figures import full, short
from chainstep.training import iteration_of, iterations, parameters
from chainstep.ui.loss_plot import HEIGHT, LossPlot
from chainstep.ui.rows import Rows
from chainstep.ui.section import Page
from chainstep.ui.tables import NOT_YET, WIDEST, Column, Table, fields, inset

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtCore import QModelIndex

    from chainstep.trace import Recording
    from chainstep.ui.session import Session
    from chainstep.ui.theme import Look

HIDDEN = "What is to come is hidden, and the losses with it."
THIS = "this run"
WHAT = Column("parameter", "The loss; then the data, gradient and update of every parameter")
QUANTITIES = ("data", "grad", "update")
NONE = "No training loop: the program calls no backward()."


@dataclass(frozen=True, slots=True)
class Row:
    """One quantity in both iterations; None where an iteration has no such parameter."""

    what: str
    node: int | None
    one: float | None
    other: float | None

    @property
    def difference(self) -> float | None:
        """The second less the first."""
        return None if self.one is None or self.other is None else self.other - self.one


def compare(one: tuple[Recording, int], other: tuple[Recording, int]) -> tuple[Row, ...]:
    """The loss and every parameter of two iterations, each given as recording and number."""
    (first, a), (second, b) = one, other
    left, right = iterations(first)[a], iterations(second)[b]
    rows = [Row("loss", None, left.loss, right.loss)]
    mine = parameters(first, left)
    theirs = {second.nodes[node].serial: each for node, each in parameters(second, right).items()}
    for node_id, here in mine.items():
        node = first.nodes[node_id]
        there = theirs.get(node.serial)
        rows += [
            Row(
                f"{node.name} {quantity}",
                node_id,
                getattr(here, quantity),
                None if there is None else getattr(there, quantity),
            )
            for quantity in QUANTITIES
        ]
    return tuple(rows)


class Comparison(Rows[Row]):
    """The rows of two iterations.

    Args:
        look: Colours and scale.
    """

    def __init__(self, look: Look) -> None:
        super().__init__(look, (WHAT,))

    def take(
        self, rows: tuple[Row, ...], titles: tuple[str, str], numbers: tuple[int, int]
    ) -> None:
        """Show other rows, below these titles; the numbers are those of the iterations."""
        self.beginResetModel()
        self.rows = rows
        first, second = (Column(title, f"As it was in {title}", WIDEST) for title in titles)
        one, two = numbers
        change = Column(f"#{two} − #{one}", "The second less the first", WIDEST)
        self.columns = (WHAT, first, second, change)
        self.endResetModel()

    def number(self, row: Row, column: Column) -> float | None:
        """What a cell of numbers holds."""
        return (None, row.one, row.other, row.difference)[self.columns.index(column)]

    def text(self, row: Row, column: Column) -> str:
        """What a cell says."""
        if column is WHAT:
            return row.what
        number = self.number(row, column)
        return NOT_YET if number is None else short(number)

    def tip(self, row: Row, column: Column) -> str:
        """Every digit."""
        number = self.number(row, column)
        return row.what if number is None else full(number)

    def ink(self, row: Row, column: Column) -> str | None:  # noqa: ARG002  it is one for all columns
        """What has not changed is faint."""
        return self._look.palette.muted if row.difference == 0 else None

    def samples(self) -> dict[Column, list[str]]:
        """What the cells of numbers say."""
        numbers = self.columns[1:]
        return {column: [self.text(row, column) for row in self.rows] for column in numbers}


class TrainingPanel(Page):
    """The switches, the losses, two iterations side by side.

    Args:
        session: Whose loop it is.
        look: Colours and scale.
    """

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__()
        self._session = session
        self._experiment = session.experiment
        self._look = look
        self.zeroing = self._switch(self._experiment.switch_zeroing)
        self.update_way = self._switch(self._experiment.switch_update)
        self.plot = LossPlot(look)
        self.setFocusProxy(self.plot)
        self.said = QLabel()
        self.said.setObjectName("muted")
        self.said.setWordWrap(True)
        self.one, self.other = self._number("First iteration"), self._number("Second iteration")
        self.run = QComboBox()
        self.run.setAccessibleName("Run of the second iteration")
        self.comparison = Comparison(look)
        self.table = Table("Two iterations compared")
        self.table.setModel(self.comparison)
        self._lay_out()
        self.plot.sought.connect(self._go)
        self.one.valueChanged.connect(self._compare)
        self.other.valueChanged.connect(self._compare)
        self.run.currentIndexChanged.connect(self._compare)
        self.table.activated.connect(self._select)
        self.table.clicked.connect(self._select)
        for signal in (session.recording_changed, session.view_changed, session.horizon_changed):
            signal.connect(lambda: self.in_time(self._take, self._take))
        self._experiment.changed.connect(lambda: self.in_time(self._take, self._take))
        self.set_look(look)

    def _switch(self, handler: Callable[[], object]) -> QPushButton:
        button = QPushButton()
        button.setCheckable(True)
        button.clicked.connect(handler)
        return button

    def _number(self, name: str) -> QSpinBox:
        box = QSpinBox()
        box.setAccessibleName(name)
        box.setMinimum(1)
        box.setToolTip("Up and Down change it")
        return box

    def _lay_out(self) -> None:
        self._top, self._pair = QHBoxLayout(), QHBoxLayout()
        for button in (self.zeroing, self.update_way):
            self._top.addWidget(button, 1)
        self._words = [QLabel("Iteration"), QLabel("with")]
        for widget in (self._words[0], self.one, self._words[1], self.other, self.run):
            self._pair.addWidget(widget)
        self._pair.addStretch(1)
        table = inset(self.table)
        self.lay_out((self._top, 0), (self.said, 0), (self.plot, 1), (self._pair, 0), (table, 2))

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self._look = look
        p, px = look.palette, look.px
        for row in (self._top, self._pair):
            row.setContentsMargins(px(14), 0, px(10), 0)
        self.said.setContentsMargins(px(14), 0, px(10), 0)
        self.setStyleSheet(
            fields(look)
            + f"QSpinBox {{ color: {p.text}; background: {p.card}; font-size: {px(12)}px;"
            f" border: 1px solid {p.border}; border-radius: {px(5)}px; padding: {px(2)}px; }}"
            f"QSpinBox:focus {{ border: 2px solid {p.focus}; }}"
            f"QLabel {{ color: {p.muted}; font-size: {px(12)}px; }}"
            f"QPushButton:checked {{ background: {p.strong}; color: {p.on_strong}; }}"
        )
        self.plot.set_look(look)
        self.plot.setMaximumHeight(px(HEIGHT))
        self.comparison.set_look(look)
        self._take()

    # -- taking -------------------------------------------------------------------------

    @property
    def _recording(self) -> Recording | None:
        return None if self._session.hides else self._session.whole_recording

    def _runs(self) -> Mapping[str, Recording]:
        """What there is to be compared, by what it is called."""
        runs = {THIS: self._recording} if self._recording is not None else {}
        if self._experiment.recording is not None and iterations(self._experiment.recording):
            runs[self._experiment.words] = self._experiment.recording
        return runs

    def _take(self) -> None:
        recording = self._recording
        found = iterations(recording) if recording is not None else ()
        here = iteration_of(recording, self._session.pass_index) if recording is not None else None
        current = here.number if here is not None else 0
        runs = self._runs()
        self._take_switches()
        self._take_words(bool(found))
        self.plot.show_runs(
            [(name, [each.loss for each in iterations(run)]) for name, run in runs.items()]
            if found
            else [],
            current,
        )
        for widget in (self.table, self.one, self.other, *self._words):
            widget.setVisible(bool(found))
        self._take_pair(runs, current, len(found))
        self._compare()

    def _take_switches(self) -> None:
        experiment, refusal = self._experiment, self._experiment.why_not()
        for button, words, on in (
            (self.zeroing, experiment.zeroing_words, experiment.switches_zeroing),
            (self.update_way, experiment.update_words, experiment.mirrors),
        ):
            button.setText(words.capitalize())
            button.setChecked(on)
            button.setEnabled(not refusal)
            button.setToolTip(refusal or f"Runs the program again {words}, beside this run.")

    def _take_words(self, loops: bool) -> None:
        experiment = self._experiment
        words = "" if loops else NONE
        if self._session.hides:
            words = HIDDEN
        if experiment.running:
            words = f"Running {experiment.words} …"
        elif experiment.recording is not None and len(self._runs()) < 2:
            words = f"Run {experiment.words}: {experiment.recording.outcome.message or NONE}"
        self.said.setText(words)
        self.said.setVisible(bool(words))

    def _take_pair(self, runs: Mapping[str, Recording], current: int, many: int) -> None:
        """Offer the iterations; at first this one beside the one before, or the other run's."""
        names = list(runs)
        boxes = (self.one, self.other, self.run)
        for box in boxes:
            box.blockSignals(True)
        before = [self.run.itemText(at) for at in range(self.run.count())]
        if names != before:
            self.run.clear()
            self.run.addItems(names)
            self.run.setCurrentIndex(len(names) - 1)
        self.run.setVisible(len(names) > 1)
        self.one.setMaximum(max(1, many))
        self.one.setValue(current + 1)
        other = runs.get(self.run.currentText())
        self.other.setMaximum(max(1, len(iterations(other)) if other is not None else 1))
        self.other.setValue(current + 1 if len(names) > 1 else max(1, current))
        for box in boxes:
            box.blockSignals(False)

    def _compare(self) -> None:
        """Fill the table with the two iterations that are chosen."""
        recording, other = self._recording, self._runs().get(self.run.currentText())
        rows: tuple[Row, ...] = ()
        one, two = self.one.value(), self.other.value()
        if recording is not None and other is not None and iterations(recording):
            two = min(two, len(iterations(other)))
            rows = compare((recording, one - 1), (other, two - 1))
        name = self.run.currentText()
        titles = (f"#{one}", f"#{two}" if name in (THIS, "") else f"#{two}, {name}")
        self.comparison.take(rows, titles, (one, two))
        self.table.set_columns(self.comparison.columns, self._look, self.comparison.samples())

    # -- going --------------------------------------------------------------------------

    def _go(self, number: int) -> None:
        """Show the first pass of an iteration."""
        recording = self._recording
        found = iterations(recording) if recording is not None else ()
        if number < len(found):
            self._session.set_pass(found[number].passes[0])

    def _select(self, index: QModelIndex) -> None:
        if index.isValid() and index.row() < len(self.comparison.rows):
            self._session.select(self.comparison.rows[index.row()].node)
