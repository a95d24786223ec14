"""Judges what a run left: a verdict on every gradient, and what is wrong with the program.

The command line does it itself; the window has it done elsewhere, and can stop it.
"""

from __future__ import annotations

import contextlib
import threading
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from chainstep import pytorch
from chainstep.diagnose import diagnose
from chainstep.errors import ChainstepError, EnvironmentFault
from chainstep.reckoning import due
from chainstep.report import Report
from chainstep.reruns import Rerunner
from chainstep.runner import Run
from chainstep.trace import Kind, Mode, Status
from chainstep.verify import verify, with_opinion

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chainstep.finding import Finding
    from chainstep.options import Options
    from chainstep.program import Program
    from chainstep.trace import Recording, Step, Trace
    from chainstep.verify import SecondOpinion

WORTH_ANOTHER_RUN = frozenset({Status.OK, Status.EXCEPTION, Status.NO_GRAPH})
"""How a run may have ended for another one to tell more, within as much time."""


class Stop:
    """Ends everything that runs, at once, when the user has had enough."""

    def __init__(self) -> None:
        # Whoever stops may be a signal that comes while the same thread holds it.
        self._lock = threading.RLock()
        self._running: set[Run] = set()
        self._stopped = False

    def run(self, program: Program, options: Options) -> Recording:
        """Run a program and wait for it; an early end is an outcome like any other.

        Raises:
            ChainstepError: The user has had enough already.
        """
        run = Run(program, options)
        found: list[Recording] = []
        with self._lock:
            if self._stopped:
                raise ChainstepError("The check was stopped.")
            self._running.add(run)
        run.start(found.append)
        run.wait()
        with self._lock:
            self._running.discard(run)
        return found[0]

    def all(self) -> None:
        """Stop what runs now and what will be started."""
        with self._lock:
            self._stopped = True
            for run in self._running:
                run.stop()


def judge(
    path: str,
    recording: Recording,
    reruns: Rerunner | None = None,
    torch: SecondOpinion | None = None,
) -> Report:
    """Judge a recording.

    Args:
        path: The program as the user named it.
        recording: What its run left.
        reruns: What runs it again for differences; None where it may not run.
        torch: PyTorch, if it is to be asked.
    """
    return Report(path, recording, verify(recording, reruns, torch), tuple(diagnose(recording)))


@dataclass(frozen=True)
class Subject:
    """What the window has to be judged.

    Attributes:
        program: What ran.
        options: How it ran.
        recording: What is on show of it.
        runs_again: Whether it may run again, which tells more: what has only been opened, and not
            been run, may not.
        asks_torch: Whether PyTorch is to be asked as well, after the rest was delivered.
        unasked: Whether nobody asked for it: then no run may reach beyond its process, and where
            one would, what is on show is judged as it is.
    """

    program: Program
    options: Options
    recording: Recording
    runs_again: bool
    asks_torch: bool = False
    unasked: bool = False


def assessments(subject: Subject, stop: Stop) -> Iterator[Report]:
    """The report on what is on show, and once more with PyTorch's gradients if it is to be asked.

    The program runs again to gather evidence, as the run on show was not slowed down by that.

    Raises:
        ChainstepError: It was stopped, or the program cannot be run any more.
    """
    report = _assessed(subject, stop)
    yield report
    if subject.asks_torch:
        with contextlib.suppress(EnvironmentFault):
            asked = with_opinion(report.recording, report.gradients, pytorch.gradients)
            yield replace(report, gradients=asked)


def _assessed(subject: Subject, stop: Stop) -> Report:
    program, shown = subject.program, subject.recording
    options = replace(subject.options, guarded=subject.unasked)
    if not subject.runs_again or shown.outcome.status not in WORTH_ANOTHER_RUN:
        return judge(shown.program, shown)
    evidence = stop.run(program, replace(options, check=True))
    if subject.unasked and evidence.outcome.status is Status.STOPPED:
        return replace(judge(shown.program, shown), held=evidence.outcome.message)
    if evidence.outcome.status is not shown.outcome.status:
        # Looking closely takes longer: what ran into a limit of that is no fault.
        evidence = shown
    gradients = verify(shown, Rerunner(program, options, shown, runs=stop.run))
    findings = tuple(fitted(found, evidence, shown) for found in diagnose(evidence))
    return Report(shown.program, shown, gradients, findings)


def fitted(found: Finding, there: Recording, here: Recording) -> Finding:
    """What was found in one run of a program, as it stands in another run of it.

    A node is known again by the order of creation, a step by what it does to which nodes. What
    the other run does not have, the finding does not speak of.
    """
    same = _matching(there, here)
    node = None if found.node is None else same.get(found.node)
    pass_index, step = found.pass_index, None
    if pass_index is not None and pass_index >= here.passes:
        pass_index = None
    if pass_index is not None and found.step is not None:
        traces = telling(there, pass_index), telling(here, pass_index)
        if traces[0] is not None and traces[1] is not None:
            step = _step(found.step, traces[0], traces[1], same)
    name = there.files[found.file] if found.file < len(there.files) else None
    if found.file and name in here.files:
        return replace(
            found, node=node, pass_index=pass_index, step=step, file=here.files.index(name)
        )
    line = found.line if found.file == 0 else None
    return replace(found, node=node, pass_index=pass_index, step=step, line=line, file=0)


def telling(recording: Recording, pass_index: int) -> Trace | None:
    """The trace of a pass that findings count steps in: as written, else with `+=`."""
    written = recording.trace(Mode.AS_WRITTEN, pass_index)
    return written if written is not None else recording.trace(Mode.ACCUMULATE, pass_index)


def _matching(there: Recording, here: Recording) -> dict[int, int]:
    """The nodes of one run that are in another, by their ids there and here."""
    by_serial = {node.serial: node for node in here.nodes}
    pairs = ((node, by_serial.get(node.serial)) for node in there.nodes)
    return {one.id: other.id for one, other in pairs if other is not None and one.op == other.op}


def _step(number: int, there: Trace, here: Trace, same: dict[int, int]) -> int | None:
    """The number of a step in another run: the same one, else the nearest that does the same."""
    if number >= len(there.steps):
        return None
    step = there.steps[number]
    wanted = _act(step, same)
    if number < len(here.steps) and _act(here.steps[number]) == wanted:
        return number
    alike = [n for n, each in enumerate(here.steps) if _act(each) == wanted]
    return min(alike, key=lambda n: abs(n - number), default=None)


def _act(step: Step, same: dict[int, int] | None = None) -> tuple[object, ...]:
    """What a step does, whatever the numbers."""
    node, target = step.node, step.target
    if same is not None:
        node = None if node is None else same.get(node, -1)
        target = None if target is None else same.get(target, -1)
    return step.kind, node, step.slot, target


def first_wrong_write(report: Report) -> tuple[int, int] | None:
    """The pass and the step at which a gradient first goes wrong; None where none does.

    That is the earliest write that brings another number than is due or loses what had come, or
    an earlier step that a fault names for another reason. Where there is neither, it is the write
    after which the first gradient has the wrong number that it keeps. O(steps).
    """
    recording = report.recording
    differing: dict[int, set[int]] = {}
    for gradient in report.differing:
        differing.setdefault(gradient.pass_index, set()).add(gradient.node)
    wrong: list[tuple[int, int]] = []
    last: list[tuple[int, int]] = []
    for index, nodes in differing.items():
        trace = telling(recording, index)
        writes = (
            [] if trace is None else [n for n, s in enumerate(trace.steps) if s.target in nodes]
        )
        if trace is not None and writes:
            wrong += ((index, n) for n in writes if _is_wrong(recording, trace, trace.steps[n]))
            final = {trace.steps[n].target: n for n in writes}
            last.append((index, min(final.values())))
    named = [
        (each.pass_index, each.step)
        for each in report.faults
        if each.pass_index is not None and each.step is not None
    ]
    # A fault may name a write that does no harm here: it only would, in another graph.
    blamed = [each for each in named if each in wrong or not _is_write(recording, each)]
    return min((*wrong, *blamed), default=min(named or last, default=None))


def _is_wrong(recording: Recording, trace: Trace, step: Step) -> bool:
    """Whether a write brings another number than is due, or loses what had come."""
    loses = step.accumulates is False and bool(step.before)
    return step.kind is Kind.WRITE and (loses or due(recording.nodes, trace, step) is not None)


def _is_write(recording: Recording, place: tuple[int, int]) -> bool:
    trace = telling(recording, place[0])
    return trace is not None and trace.steps[place[1]].kind is Kind.WRITE
