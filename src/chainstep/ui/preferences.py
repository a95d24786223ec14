"""Preferences: how the window looks, when runs are stopped, which keys do what.

Every change takes effect at once; limits with the next run.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFormLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from chainstep.figures import precision, short
from chainstep.options import Limits
from chainstep.settings import BOUNDS, FEWEST_DIGITS, MOST_DIGITS, SCALES, Settings, Theme
from chainstep.ui.keymap import Keymap, Keys
from chainstep.ui.shortcut_editor import ShortcutEditor

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chainstep.ui.command import Command
    from chainstep.ui.theme import Look

SIZE = (720, 520)
THEMES = {
    Theme.SYSTEM: "As the system",
    Theme.LIGHT: "Light",
    Theme.DARK: "Dark",
    Theme.CONTRAST: "High contrast",
}
LIMITS = {
    "time_s": ("&Time", " s", "Seconds that a program may take."),
    "memory_mib": ("&Memory", " MiB", "Memory that a program and all it starts may use."),
    "output_kib": ("&Output", " KiB", "How much a program may print."),
    "nodes": ("&Nodes", "", "How many nodes a graph may have."),
    "steps": ("&Steps", "", "How many steps all backward passes together may have."),
}
"""Each limit's label, unit and meaning."""
CHECKS = "Look for faults. Small programs run again for that, unless they write files."


class Preferences(QDialog):
    """The dialog. It writes to the settings and says what changed.

    Args:
        settings: What is read and changed.
        commands: The commands by id, with the keys they have by default.
        look: Colours and scale.
        window: Above which it stands.
    """

    look_changed = Signal()
    """Theme, size of type, or digits."""
    limits_changed = Signal()
    keys_changed = Signal()
    checks_changed = Signal()
    """Whether programs are checked by themselves."""
    interpreter_wanted = Signal()
    """The interpreter is to be chosen."""

    def __init__(
        self, settings: Settings, commands: Mapping[str, Command], look: Look, window: QWidget
    ) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Preferences")
        self._settings = settings
        self.theme, self.size_, self.digits = QComboBox(), QComboBox(), QSpinBox()
        self.moves = QCheckBox()
        self.sample = QLabel()
        self.limits: dict[str, QSpinBox | QDoubleSpinBox] = {}
        self.usual = QPushButton("&Usual limits")
        self.checks = QCheckBox("after each run")
        chosen = {command_id: Keys(*keys) for command_id, keys in settings.keys.items()}
        self.keymap = Keymap(commands, chosen)
        self.keys = ShortcutEditor(commands, self.keymap, look)
        self.tabs = QTabWidget()
        self.tabs.setAccessibleName("Preferences")
        self.tabs.addTab(self._appearance(), "&Appearance")
        self.tabs.addTab(self._running(), "&Running")
        self.tabs.addTab(self.keys, "&Keys")
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        close.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(self.tabs)
        column.addWidget(close)
        self.resize(look.px(SIZE[0]), look.px(SIZE[1]))
        self.keys.changed.connect(self._keep_keys)

    def _appearance(self) -> QWidget:
        settings = self._settings
        for theme, text in THEMES.items():
            self.theme.addItem(text, theme)
        self.theme.setCurrentIndex(list(THEMES).index(settings.theme))
        for percent in SCALES:
            self.size_.addItem(f"{percent}%", percent)
        self.size_.setCurrentIndex(SCALES.index(settings.scale))
        self.digits.setRange(FEWEST_DIGITS, MOST_DIGITS)
        self.digits.setValue(settings.digits)
        self.moves.setChecked(settings.moves)
        self._show_sample()
        page = _form(
            ("&Theme", self.theme, "Colours of the window."),
            ("&Size of type", self.size_, "Of everything. The graph has its own zoom besides."),
            ("&Digits", self.digits, "Significant digits of numbers. Hints show every digit."),
            ("&Motion", self.moves, "A contribution travels along its edge, if the system agrees."),
        )
        form = page.layout()
        assert isinstance(form, QFormLayout)
        form.addRow("", self.sample)
        self.theme.currentIndexChanged.connect(self._keep_look)
        self.size_.currentIndexChanged.connect(self._keep_look)
        self.digits.valueChanged.connect(self._keep_look)
        self.moves.toggled.connect(self._keep_look)
        return page

    def _show_sample(self) -> None:
        digits = self.digits.value()
        text = f"π is {short(math.pi, digits)}, 2 ∕ 3000 is {short(2 / 3000, digits)}"
        self.sample.setText(text)
        self.sample.setObjectName("muted")

    def _running(self) -> QWidget:
        rows: list[tuple[str, QWidget, str]] = []
        now = self._settings.limits
        for name, (label, unit, meaning) in LIMITS.items():
            low, high = BOUNDS[name]
            box: QSpinBox | QDoubleSpinBox
            if name == "time_s":
                seconds = QDoubleSpinBox()
                seconds.setDecimals(1)
                seconds.setRange(low, high)
                seconds.setValue(now.time_s)
                box = seconds
            else:
                box = QSpinBox()
                box.setRange(int(low), int(high))
                box.setValue(getattr(now, name))
            box.setSuffix(unit)
            box.setGroupSeparatorShown(True)
            box.setKeyboardTracking(False)
            box.valueChanged.connect(self._keep_limits)
            self.limits[name] = box
            rows.append((label, box, meaning))
        self.checks.setChecked(self._settings.checks)
        self.checks.toggled.connect(self._keep_checks)
        page = _form(*rows, ("&Check", self.checks, CHECKS))
        form = page.layout()
        assert isinstance(form, QFormLayout)
        form.addRow("", self.usual)
        interpreter = QPushButton("&Interpreter…")
        interpreter.setToolTip("Choose the Python that runs programs.")
        for button in (self.usual, interpreter):
            button.setAutoDefault(False)
        form.addRow("", interpreter)
        interpreter.clicked.connect(self.interpreter_wanted)
        self.usual.clicked.connect(self._restore_limits)
        return page

    # -- changes ------------------------------------------------------------------------

    def _keep_look(self) -> None:
        self._settings.theme = self.theme.currentData()
        self._settings.scale = self.size_.currentData()
        self._settings.digits = self.digits.value()
        self._settings.moves = self.moves.isChecked()
        precision.set(self.digits.value())
        self._show_sample()
        self.look_changed.emit()

    def _keep_limits(self) -> None:
        values = {name: box.value() for name, box in self.limits.items()}
        usual = Limits()
        self._settings.limits = replace(
            usual,
            **{name: type(getattr(usual, name))(value) for name, value in values.items()},
        )
        self.limits_changed.emit()

    def _keep_checks(self, checks: bool) -> None:
        self._settings.checks = checks
        self.checks_changed.emit()

    def _restore_limits(self) -> None:
        for name, box in self.limits.items():
            usual = getattr(Limits(), name)
            box.setValue(usual)

    def _keep_keys(self) -> None:
        self._settings.keys = {
            command_id: (keys.window, keys.graph) for command_id, keys in self.keymap.chosen.items()
        }
        self.keys_changed.emit()


def _form(*rows: tuple[str, QWidget, str]) -> QWidget:
    """A page of labelled fields; what each means stands beside it and in its tool tip."""
    page = QWidget()
    form = QFormLayout(page)
    form.setContentsMargins(16, 16, 16, 16)
    form.setVerticalSpacing(10)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
    width = 2 * max(field.sizeHint().width() for _, field, _ in rows)
    for label, field, meaning in rows:
        field.setAccessibleName(label.replace("&", ""))
        field.setAccessibleDescription(meaning)
        field.setToolTip(meaning)
        field.setFixedWidth(width)
        form.addRow(label, field)
        words = QLabel(meaning)
        words.setObjectName("muted")
        words.setWordWrap(True)
        words.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        form.addRow("", words)
    return page
