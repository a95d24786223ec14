"""Opening the window, or saying why there can be none and what mends it.

Qt ends the process where it finds no display, and cannot be imported where a system library is
missing. Both are met here before any window is made, so that the command line can go on as text.
"""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from chainstep.errors import EnvironmentFault
from chainstep.saved import Bookmark, open_recording, save

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chainstep.lesson import Lesson
    from chainstep.program import Program
    from chainstep.saved import Saved

OFFSCREEN = "offscreen"
LIBRARIES = (
    "libglib2.0-0 libgl1 libegl1 libx11-6 libdbus-1-3 libfontconfig1 libfreetype6 libxkbcommon0 "
    "fonts-dejavu-core libxkbcommon-x11-0 libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 "
    "libxcb-shape0"
)
"""The packages of a bare Debian or Ubuntu that a window needs."""
IN_WORDS = (
    "with your package manager install the packages that bring GLib, libGL, libEGL, libX11, D-Bus, "
    "fontconfig, FreeType, libxkbcommon with its X11 part, and the XCB libraries cursor, icccm, "
    "keysyms and shape"
)


def open_window(program: Program | Saved | Lesson | None) -> int:
    """Open the window and stay until it is closed; gives the exit status.

    Args:
        program: What to show; None for what was open last.

    Raises:
        EnvironmentFault: No window can be opened here; the message says why and what mends it.
    """
    chosen = platform_for(os.environ, sys.platform)
    if chosen is not None:
        os.environ["QT_QPA_PLATFORM"] = chosen
    try:
        complaints = _start_qt()
        from chainstep import app  # noqa: PLC0415  Qt is loaded only where a window opens
    except ImportError as error:
        raise EnvironmentFault(missing_library(error)) from error
    if complaints is not None:
        raise EnvironmentFault(no_display(os.environ, complaints))
    return app.run(program)


def debug(loss: Any, mode: str = "both", order: str = "depth-first") -> int:
    """Record a live graph and open the window on it; gives the exit status when it is closed.

    Args:
        loss: The root: a Value of any class that looks like one.
        mode: `"accumulate"`, `"overwrite"` or `"both"`.
        order: `"depth-first"`, `"breadth-first"` or `"recursive"`.

    Raises:
        RecordingError: `loss` has no number, gradient and operands, or an argument is unknown.
        EnvironmentFault: No window can be opened here; the message says why and what mends it.
    """
    from chainstep.api import recorded  # noqa: PLC0415  the command line records in a child

    recording = recorded(loss, mode, order, sys._getframe(1))  # noqa: SLF001
    with TemporaryDirectory() as folder:
        path = Path(folder) / "live graph.chainstep"
        save(recording, path, Bookmark(view=mode))
        return open_window(open_recording(path))


def platform_for(environ: Mapping[str, str], system: str) -> str | None:
    """The value of QT_QPA_PLATFORM under which a missing display cannot end the process.

    None where the variable is to be left alone: not on Linux, or offscreen is asked for already.

    >>> platform_for({"WAYLAND_DISPLAY": "wayland-0"}, "linux")
    'wayland;xcb;offscreen'
    """
    if not system.startswith(("linux", "freebsd")):
        return None
    wished = environ.get("QT_QPA_PLATFORM", "")
    if OFFSCREEN in wished:
        return None
    if not wished:
        wished = "wayland;xcb" if environ.get("WAYLAND_DISPLAY") else "xcb"
    return f"{wished};{OFFSCREEN}"


def _start_qt() -> Sequence[str] | None:
    """Start Qt; None where it found a display, else what it complained about.

    Raises:
        ImportError: Qt, or a library that it needs, is not there.
    """
    from PySide6.QtCore import qInstallMessageHandler  # noqa: PLC0415  only where a window opens
    from PySide6.QtWidgets import QApplication  # noqa: PLC0415

    complaints: list[str] = []
    qInstallMessageHandler(lambda _kind, _context, text: complaints.append(text))
    try:
        if QApplication.instance() is None:
            QApplication(sys.argv[:1])  # Qt itself keeps it
    finally:
        qInstallMessageHandler(None)
    asked_for = os.environ.get("QT_QPA_PLATFORM", "").startswith(OFFSCREEN)
    if QApplication.platformName() == OFFSCREEN and not asked_for:
        return complaints
    return None


def missing_library(error: ImportError) -> str:
    """What to say where Qt cannot be imported."""
    if isinstance(error, ModuleNotFoundError):
        return (
            f"Chainstep cannot open its window: the Python package {error.name} is not installed. "
            "This mends it: python -m pip install 'PySide6-Essentials>=6.8,<6.12'"
        )
    return (
        f"Chainstep cannot open its window: a system library is missing ({error}). "
        f"This mends it: {remedy()}"
    )


def no_display(environ: Mapping[str, str], complaints: Sequence[str]) -> str:
    """What to say where Qt found nothing to draw on."""
    names = [name for name in ("DISPLAY", "WAYLAND_DISPLAY") if environ.get(name)]
    if not names:
        return (
            "Chainstep cannot open its window: there is no display (neither DISPLAY nor "
            "WAYLAND_DISPLAY is set). Start it in a desktop session, over SSH with ssh -X, or on a "
            "virtual screen: xvfb-run -a chainstep"
        )
    shown = " and ".join(f"{name}={environ[name]}" for name in names)
    if any("could not connect to display" in text for text in complaints):
        return (
            f"Chainstep cannot open its window: the display ({shown}) does not answer. Log in to "
            "it, or start Chainstep on a virtual screen: xvfb-run -a chainstep"
        )
    return (
        f"Chainstep cannot open its window on the display ({shown}): a system library is missing. "
        f"This mends it: {remedy()}"
    )


def remedy() -> str:
    """The line that installs the missing libraries, or what to look for on other systems."""
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        return IN_WORDS
    family = {release.get("ID", ""), *release.get("ID_LIKE", "").split()}
    return f"sudo apt-get install {LIBRARIES}" if family & {"debian", "ubuntu"} else IN_WORDS
