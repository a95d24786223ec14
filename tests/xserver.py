"""A virtual X server of one's own, for tests of real windows."""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

XVFB = shutil.which("Xvfb")


@contextmanager
def display() -> Iterator[str]:
    """The name of a display while its server runs.

    The server itself takes a number that is free and says which once it listens: `xvfb-run` looks
    for one beforehand, which another may take meanwhile. No key repeats: on a busy machine one is
    released late.
    """
    reading, writing = os.pipe()
    command = [XVFB, "-displayfd", str(writing), "-screen", "0", "1920x1080x24", "-r"]
    with subprocess.Popen(
        [*command, "-nolisten", "tcp"], stderr=subprocess.DEVNULL, pass_fds=(writing,)
    ) as server:
        os.close(writing)
        with os.fdopen(reading) as said:
            number = said.readline().strip()
        assert number, "the X server does not start"
        try:
            yield f":{number}"
        finally:
            server.terminate()
