"""What of a program reaches beyond its own process, as Python's audit events tell it.

A check runs a program again, unseen and unasked: what that writes, starts or sends must not happen
a second time. Python tells of such things right before they happen (PEP 578).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
CHANGES = frozenset(
    {
        *("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink"),
        *("os.truncate", "os.chmod", "os.chown", "os.utime"),
    }
)
STARTS = frozenset(
    {
        *("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn"),
        *("os.fork", "os.forkpty"),
    }
)
SENDS = frozenset({"socket.connect", "socket.sendto", "socket.sendmsg", "socket.bind"})
WATCHED = CHANGES | STARTS | SENDS | {"open"}
"""Every event that may be one of these. Asking for a frame is an event, too, and none of them."""
IMPORTS = "<frozen importlib"
"""What the files of Python's own import system are called."""


def reaching(event: str, args: tuple[object, ...], frame: FrameType) -> str:
    """What is about to be done beyond the process, as `writes to log.txt`; empty for all else.

    What importing does by itself is left out: it keeps compiled modules, and some packages ask
    other programs what machine they are on.

    Args:
        event: The name of an audit event.
        args: What comes with it.
        frame: Whose code does it.
    """
    if frame.f_code.co_filename.startswith(IMPORTS):
        return ""
    if event == "open":
        return _writing(*args[:3])
    if event in CHANGES:
        return f"changes {_name(args[0])}"
    if event in SENDS:
        return "uses the network"
    if event in STARTS:
        return "" if _is_imported(frame) else "starts another process"
    return ""


def _writing(path: object = None, mode: object = None, flags: object = 0) -> str:
    """The same of a file that is opened; nothing for one that is open already, or only read."""
    if not isinstance(path, (str, bytes, os.PathLike)) or os.fsdecode(path) == os.devnull:
        return ""
    if isinstance(mode, str):
        writes = any(sign in mode for sign in "wax+")
    else:
        writes = isinstance(flags, int) and bool(flags & WRITING)
    return f"writes to {_name(path)}" if writes else ""


def _name(path: object) -> str:
    """A file without its folders."""
    text = os.fsdecode(path) if isinstance(path, (str, bytes, os.PathLike)) else ""
    return os.path.basename(text) or "a file"  # noqa: PTH119  pathlib takes long to load


def _is_imported(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith(IMPORTS):
            return True
        frame = frame.f_back
    return False
