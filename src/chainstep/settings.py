"""What is remembered from one window to the next."""

from __future__ import annotations

import hashlib
import math
from dataclasses import fields
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QSettings, QStandardPaths

from chainstep.figures import DIGITS

if TYPE_CHECKING:
    from chainstep.options import Limits
    from chainstep.visible import Choices

RECENT = 8
"""How many files the menu of recent ones holds."""

PROGRAMS = 100
"""How many programs have breakpoints and watches kept with them."""

SCALES = (80, 90, 100, 110, 125, 150, 175, 200, 250, 300)
"""Sizes of the interface, in percent."""

LECTURE_SCALE = 200
"""The size that lectures have where nobody chose another."""

SPEEDS = (0.5, 1.0, 2.0, 4.0)
"""Steps per second when playing."""

FEWEST_DIGITS, MOST_DIGITS = 3, 10
"""Significant digits that numbers on cards and in tables may have."""

BOUNDS: dict[str, tuple[float, float]] = {
    "time_s": (0.1, 3600.0),
    "memory_mib": (64, 65_536),
    "output_kib": (1, 65_536),
    "nodes": (10, 1_000_000),
    "steps": (100, 20_000_000),
}
"""What each limit of a run may be, by its name in `Limits`."""


class Theme(Enum):
    """Which colours the window takes."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"
    CONTRAST = "high-contrast"


class Settings:
    """Typed access to one QSettings store. What cannot be read is taken for its default.

    Args:
        store: Where to keep things; the user's own store where None.
    """

    def __init__(self, store: QSettings | None = None) -> None:
        self._store = store or QSettings("Chainstep", "Chainstep")
        self._own_folder = None if store is None else Path(store.fileName()).parent
        self._known: dict[str, object] = {}

    @property
    def folder(self) -> Path:
        """Where what is too large for the store is kept; it may not exist yet."""
        if self._own_folder is not None:
            return self._own_folder
        place = QStandardPaths.StandardLocation.GenericDataLocation
        return Path(QStandardPaths.writableLocation(place)) / "chainstep"

    def _chosen(self, key: str, default: object) -> object:
        """What was chosen, read from the store once: commands ask for it at every step.

        What another window chooses meanwhile is for windows that are opened later.
        """
        if key not in self._known:
            self._known[key] = self._store.value(key, default)
        return self._known[key]

    def _choose(self, key: str, value: object) -> None:
        self._known[key] = value
        self._store.setValue(key, value)

    @property
    def theme(self) -> Theme:
        """The chosen colours."""
        return self._theme("window/theme", Theme.SYSTEM)

    @theme.setter
    def theme(self, theme: Theme) -> None:
        self._choose("window/theme", theme.value)

    @property
    def lecture_theme(self) -> Theme:
        """The colours of lectures: light, for projectors, where nobody chose others."""
        return self._theme("lecture/theme", Theme.LIGHT)

    @lecture_theme.setter
    def lecture_theme(self, theme: Theme) -> None:
        self._choose("lecture/theme", theme.value)

    def _theme(self, key: str, default: Theme) -> Theme:
        try:
            return Theme(self._chosen(key, default.value))
        except ValueError:
            return default

    @property
    def scale(self) -> int:
        """Size of the interface in percent, one of `SCALES`."""
        return self._scale("window/scale", 100)

    @scale.setter
    def scale(self, percent: int) -> None:
        self._choose("window/scale", percent)

    @property
    def lecture_scale(self) -> int:
        """Size of what is projected in a lecture, one of `SCALES`."""
        return self._scale("lecture/scale", LECTURE_SCALE)

    @lecture_scale.setter
    def lecture_scale(self, percent: int) -> None:
        self._choose("lecture/scale", percent)

    @property
    def lecture_screen(self) -> str:
        """Name of the screen that was chosen to be projected; empty where none was."""
        return str(self._chosen("lecture/screen", ""))

    @lecture_screen.setter
    def lecture_screen(self, name: str) -> None:
        self._choose("lecture/screen", name)

    def _scale(self, key: str, default: int) -> int:
        scale = int(self._number(key, default))
        return scale if scale in SCALES else default

    @property
    def digits(self) -> int:
        """Significant digits of numbers on cards and in tables."""
        digits = int(self._number("window/digits", DIGITS))
        return digits if FEWEST_DIGITS <= digits <= MOST_DIGITS else DIGITS

    @digits.setter
    def digits(self, digits: int) -> None:
        self._choose("window/digits", digits)

    @property
    def limits(self) -> Limits:
        """When a run is stopped. A limit that makes no sense is taken for its default."""
        from chainstep.options import Limits  # noqa: PLC0415  not for a bare window

        usual = Limits()
        return Limits(
            time_s=self._limit("time_s", usual.time_s),
            memory_mib=int(self._limit("memory_mib", usual.memory_mib)),
            output_kib=int(self._limit("output_kib", usual.output_kib)),
            nodes=int(self._limit("nodes", usual.nodes)),
            steps=int(self._limit("steps", usual.steps)),
        )

    @limits.setter
    def limits(self, limits: Limits) -> None:
        for name in BOUNDS:
            self._choose(f"limits/{name}", getattr(limits, name))

    def _limit(self, name: str, default: float) -> float:
        low, high = BOUNDS[name]
        wanted = self._number(f"limits/{name}", default)
        return wanted if low <= wanted <= high else default

    @property
    def checks(self) -> bool:
        """Whether small programs are checked after each run."""
        return str(self._chosen("run/checks", "true")).lower() == "true"

    @checks.setter
    def checks(self, checks: bool) -> None:
        self._choose("run/checks", "true" if checks else "false")

    @property
    def python(self) -> str | None:
        """The interpreter that runs programs; None for the one that runs this."""
        return str(self._chosen("run/python", "")) or None

    @python.setter
    def python(self, python: str | None) -> None:
        self._choose("run/python", python or "")

    @property
    def keys(self) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
        """Keys that were chosen for commands, by id: in the window, and on the graph."""
        import json  # noqa: PLC0415  not for a bare window

        try:
            stored = json.loads(str(self._chosen("keys/chosen", "{}")))
            return {
                str(command): (tuple(map(str, window)), tuple(map(str, canvas)))
                for command, (window, canvas) in stored.items()
            }
        except (ValueError, TypeError, AttributeError):
            return {}

    @keys.setter
    def keys(self, keys: dict[str, tuple[tuple[str, ...], tuple[str, ...]]]) -> None:
        import json  # noqa: PLC0415  see above

        self._choose("keys/chosen", json.dumps(keys))

    @property
    def speed(self) -> float:
        """Steps per second when playing, one of `SPEEDS`."""
        speed = self._number("play/speed", 1.0)
        return speed if speed in SPEEDS else 1.0

    @speed.setter
    def speed(self, per_second: float) -> None:
        self._choose("play/speed", per_second)

    @property
    def follows(self) -> bool:
        """Whether the canvas keeps the active node in view."""
        return str(self._chosen("canvas/follows", "true")).lower() == "true"

    @follows.setter
    def follows(self, follows: bool) -> None:
        self._choose("canvas/follows", "true" if follows else "false")

    @property
    def choices(self) -> Choices:
        """What of a graph is drawn and how."""
        from chainstep.visible import Choices  # noqa: PLC0415  not for a bare window

        chosen = set(str(self._chosen("canvas/choices", "")).split())
        return Choices(**{each.name: each.name in chosen for each in fields(Choices)})

    @choices.setter
    def choices(self, choices: Choices) -> None:
        chosen = [each.name for each in fields(choices) if getattr(choices, each.name)]
        self._choose("canvas/choices", " ".join(chosen))

    @property
    def moves(self) -> bool:
        """Whether contributions travel along their edges."""
        return str(self._chosen("canvas/moves", "true")).lower() == "true"

    @moves.setter
    def moves(self, moves: bool) -> None:
        self._choose("canvas/moves", "true" if moves else "false")

    @property
    def skipped(self) -> frozenset[str]:
        """Names of the phases of a pass that stepping jumps over."""
        return frozenset(str(self._chosen("step/skipped", "")).split())

    @skipped.setter
    def skipped(self, names: frozenset[str]) -> None:
        self._choose("step/skipped", " ".join(sorted(names)))

    @property
    def lessons_done(self) -> frozenset[str]:
        """Names of the lessons whose answer has been seen."""
        return frozenset(str(self._store.value("lessons/done", "")).split())

    @lessons_done.setter
    def lessons_done(self, names: frozenset[str]) -> None:
        self._store.setValue("lessons/done", " ".join(sorted(names)))

    @property
    def recent(self) -> list[Path]:
        """Files opened or saved last, latest first; only those that are still there."""
        stored = self._store.value("files/recent", [])
        names = [stored] if isinstance(stored, str) else stored
        if not isinstance(names, list):
            return []
        return [path for name in names if (path := Path(str(name))).is_file()][:RECENT]

    def add_recent(self, path: Path) -> None:
        """Put a file at the head of the recent ones."""
        path = path.absolute()
        paths = [path, *(other for other in self.recent if other != path)]
        self._store.setValue("files/recent", [str(other) for other in paths[:RECENT]])

    def kept_with(self, program: str) -> str:
        """What was kept with a program, which is known by its path or name; empty for nothing."""
        return str(self._store.value(_key_of(program), ""))

    def keep_with(self, program: str, text: str) -> None:
        """Keep something with a program, and forget what belongs to the one not used longest."""
        key = _key_of(program)
        stored = self._store.value("programs/used", [])
        used = [stored] if isinstance(stored, str) else stored if isinstance(stored, list) else []
        used = [str(each) for each in used if each != key]
        if text:
            self._store.setValue(key, text)
            used.insert(0, key)
        else:
            self._store.remove(key)
        for each in used[PROGRAMS:]:
            self._store.remove(each)
        self._store.setValue("programs/used", used[:PROGRAMS])

    def bytes_of(self, name: str) -> QByteArray | None:
        """A remembered state of a window or splitter; None where there is none."""
        value = self._store.value(f"state/{name}")
        return value if isinstance(value, QByteArray) and not value.isEmpty() else None

    def keep_bytes(self, name: str, state: QByteArray) -> None:
        """Remember the state of a window or splitter."""
        self._store.setValue(f"state/{name}", state)

    def forget_state(self) -> None:
        """Forget the state of every window and splitter."""
        self._store.remove("state")

    def _number(self, key: str, default: float) -> float:
        try:
            number = float(str(self._chosen(key, default)))
        except ValueError:
            return default
        return number if math.isfinite(number) else default


def _key_of(program: str) -> str:
    """A key of the store: paths hold signs that no key may have."""
    return f"programs/{hashlib.sha1(program.encode(), usedforsecurity=False).hexdigest()}"


def stepped(scale: int, steps: int) -> int:
    """The size that is so many steps larger (or smaller); the last one beyond an end.

    >>> stepped(100, 1), stepped(300, 1), stepped(110, -2)
    (110, 300, 90)
    """
    return SCALES[max(0, min(SCALES.index(scale) + steps, len(SCALES) - 1))]
