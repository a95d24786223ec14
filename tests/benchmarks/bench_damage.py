"""Opens 1,000 damaged recordings in a session: each is shown partly, or refused with a message.

    python tests/benchmarks/bench_damage.py [TIMES]

Exits 1 where one takes more than 2 s, or all together more than 500 MiB.
"""

from __future__ import annotations

import os
import random
import resource
import sys
import tempfile
from pathlib import Path
from time import perf_counter

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).parent.parent))

from damage import damaged
from PySide6.QtWidgets import QApplication

from chainstep.errors import ChainstepError
from chainstep.options import Options
from chainstep.program import Program, load
from chainstep.runner import run
from chainstep.saved import open_recording, save
from chainstep.ui.session import Session

EXAMPLES = ("diamond", "backward_twice", "own_value", "neuron")
LONGEST_S = 2.0
MOST_MIB = 500


def show(session: Session, file: Path) -> str:
    """Open a file and walk through it; tells what came of it."""
    try:
        saved = open_recording(file)
    except ChainstepError:
        return "refused"
    session.open_recording(Program("x.py", ""), saved.recording, saved.bookmark)
    while session.running:
        QApplication.processEvents()
    for index in range(saved.recording.passes):
        session.set_pass(index)
        while session.running:
            QApplication.processEvents()
        for position in (0, session.length // 2, session.length):
            session.seek(position)
    return "partly" if saved.problem else "whole"


def main() -> int:
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    application = QApplication([])
    session = Session(lambda _program, _options: None)
    rng = random.Random(0)
    came: dict[str, int] = {}
    longest = 0.0
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "x.chainstep"
        whole = []
        for name in EXAMPLES:
            save(run(load(f"example:{name}"), Options()), file)
            whole.append(file.read_bytes())
            show(session, file)  # what a first recording loads is loaded once
        for _ in range(times):
            file.write_bytes(damaged(rng.choice(whole), rng))
            began = perf_counter()
            result = show(session, file)
            longest = max(longest, perf_counter() - began)
            came[result] = came.get(result, 0) + 1
    mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(  # noqa: T201  what a benchmark is for
        f"{came}; {longest:.2f} s at most (bar {LONGEST_S} s), {mib:.0f} MiB (bar {MOST_MIB} MiB)"
    )
    application.quit()
    return 0 if longest <= LONGEST_S and mib <= MOST_MIB else 1


if __name__ == "__main__":
    sys.exit(main())
