"""The command line as a user runs it."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from typing import NamedTuple

from chainstep import cli


def chainstep(*words, stdin=None, cwd=None, **environment):
    """Run `chainstep WORDS` in a process of its own; an environment value of None removes it."""
    merged = {**os.environ, **environment}
    return subprocess.run(
        [sys.executable, "-m", "chainstep", *map(str, words)],
        input=stdin,
        cwd=cwd,
        env={name: value for name, value in merged.items() if value is not None},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


class Told(NamedTuple):
    """What a command said, and its exit status."""

    returncode: int
    stdout: str
    stderr: str


def told(*words):
    """The same in this process, which has loaded all that it takes."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = cli.main([str(word) for word in words])
    return Told(status, out.getvalue(), err.getvalue())


def newest(told, name):
    """Id of the node that a name is bound to at the end, in what `trace --format json` told."""
    found = [node for node in told["nodes"] if name in {node["name"], *node["aliases"]}]
    assert found, f"no node is called {name}"
    return found[-1]["id"]
