"""Judging what is on show: another run gives the evidence, and its words fit what is on show."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from conftest import RECORDINGS, A, C, D, E

from chainstep import pytorch
from chainstep.errors import ChainstepError
from chainstep.finding import finding
from chainstep.judging import Stop, Subject, assessments, first_wrong_write, fitted
from chainstep.options import Options
from chainstep.program import Program, load
from chainstep.report import Report
from chainstep.reruns import Rerunner
from chainstep.runner import run
from chainstep.trace import Kind, Mode, Outcome, Status
from chainstep.verify import Gradient, Verdict

FAULTS = Path(__file__).parent / "faults"
WRITTEN = RECORDINGS["written"]
DIAMOND = Program("diamond.py", "")


def found(step=None, node=None, pass_index=0, line=7, file=0):
    told = finding("overwrite-grad", "x is lost.", "Add.", line, pass_index=pass_index, file=file)
    return replace(told, step=step, node=node)


def report(findings=(), gradients=(), recording=WRITTEN):
    return Report("diamond.py", recording, tuple(gradients), tuple(findings))


def gradient(node, verdict, pass_index=0):
    return Gradient(node, pass_index, 1.0, 0.0, 1.0, 2.0, 0.0, None, verdict)


# -- a check --------------------------------------------------------------------------------


def assessed(recording, runs_again=True, program=DIAMOND):
    """What is made of something that is on show."""
    (done,) = assessments(Subject(program, Options(), recording, runs_again), Stop())
    return done


def test_a_check_finds_the_fault_of_a_student_at_the_step_on_show():
    program = load(str(FAULTS / "overwrite_in_add.py"))
    shown = run(program, Options())
    done = assessed(shown, program=program)
    fault, other = done.findings  # both lines of the sum's _backward
    assert (fault.code, fault.line, done.recording) == ("CS101", 16, shown)
    assert (other.code, other.line) == ("CS101", 17)
    step = shown.trace(Mode.AS_WRITTEN, fault.pass_index).steps[fault.step]
    assert (step.kind, shown.nodes[step.target].name, step.line) == (Kind.WRITE, "x", 16)
    assert first_wrong_write(done) == (0, fault.step)
    assert [shown.nodes[each.node].name for each in done.differing] == ["x"]


def test_what_may_not_run_again_is_judged_as_it_is(monkeypatch):
    monkeypatch.setattr(Stop, "run", lambda *_: pytest.fail("something was run"))
    done = assessed(WRITTEN, runs_again=False)
    assert {each.verdict for each in done.gradients} == {Verdict.AGREES}


def test_a_program_that_took_too_long_is_not_given_as_long_again(monkeypatch):
    monkeypatch.setattr(Stop, "run", lambda *_: pytest.fail("something was run"))
    late = replace(WRITTEN, outcome=Outcome(Status.TIMEOUT, "It took 10 s."))
    assert [each.kind for each in assessed(late).findings] == ["infinite-loop"]


def test_what_would_write_again_is_judged_as_it_is_unless_one_asked_for_it(monkeypatch):
    runs = []
    held = Outcome(Status.STOPPED, "It writes to log.txt in line 4.", 4)

    def ran(_stop, _program, options):
        runs.append(options.guarded)
        return replace(WRITTEN, outcome=held if options.guarded else WRITTEN.outcome)

    monkeypatch.setattr(Stop, "run", ran)
    subject = Subject(DIAMOND, Options(), WRITTEN, runs_again=True, unasked=True)
    (done,) = assessments(subject, Stop())
    assert runs == [True]
    assert done.held == held.message
    assert {each.verdict for each in done.gradients} == {Verdict.AGREES}
    runs.clear()
    (done,) = assessments(replace(subject, unasked=False), Stop())
    assert not any(runs)
    assert done.held == ""


def test_a_limit_that_only_the_check_ran_into_is_no_fault(monkeypatch):
    late = replace(WRITTEN, outcome=Outcome(Status.TIMEOUT, "It took 10 s."))
    monkeypatch.setattr(Stop, "run", lambda *_: late)
    assert assessed(WRITTEN).findings == ()


def test_pytorch_is_asked_after_the_rest_was_told(monkeypatch):
    monkeypatch.setattr(pytorch, "gradients", lambda graph, _data: {graph.root: 7.0})
    subject = Subject(DIAMOND, Options(), WRITTEN, runs_again=False, asks_torch=True)
    told = [
        {each.node: each.torch for each in report.gradients}
        for report in assessments(subject, Stop())
    ]
    assert told == [dict.fromkeys(range(5)), {**dict.fromkeys(range(5)), E: 7.0}]


def test_after_a_stop_nothing_is_started():
    stop = Stop()
    stop.all()
    with pytest.raises(ChainstepError, match="stopped"):
        stop.run(Program("d.py", ""), Options())


def test_numbers_that_are_tried_out_stay_when_another_node_is_moved():
    runs = []

    def runner(_program, options):
        runs.append(dict(options.data))
        return WRITTEN

    options = Options(data=((A, 5.0), (C, 7.0)))
    Rerunner(Program("d.py", ""), options, WRITTEN, runs=runner).roots({C: 8.0})
    assert runs == [{A: 5.0, C: 8.0}]


# -- a finding of another run ---------------------------------------------------------------


def test_a_finding_of_an_equal_run_stays_as_it_is():
    told = found(step=4, node=D)
    assert fitted(told, WRITTEN, WRITTEN) == told


def test_a_step_is_found_where_the_other_order_has_it():
    written = WRITTEN.trace(Mode.AS_WRITTEN)
    steps = written.steps
    # The calls of c and d, with two writes each, the other way round.
    swapped = (*steps[:4], *steps[7:10], *steps[4:7], *steps[10:])
    other = replace(
        WRITTEN,
        traces=tuple(
            replace(each, steps=swapped) if each is written else each for each in WRITTEN.traces
        ),
    )
    assert fitted(found(step=8), WRITTEN, other).step == 5


def test_what_the_other_run_does_not_have_is_not_spoken_of():
    forced = RECORDINGS["forced"]
    less = replace(forced, nodes=forced.nodes[:2], traces=())
    told = fitted(found(step=3, node=D), WRITTEN, less)
    assert (told.node, told.step, told.pass_index) == (None, None, None)


def test_a_line_of_a_file_is_found_by_the_name_of_the_file():
    there = replace(WRITTEN, files=("diamond.py", "other.py", "engine.py"))
    here = replace(WRITTEN, files=("diamond.py", "engine.py"))
    told = fitted(found(file=2), there, here)
    assert (told.file, told.line) == (1, 7)
    told = fitted(found(file=1), there, here)
    assert (told.file, told.line) == (0, None)


# -- the first wrong write ------------------------------------------------------------------


def test_the_first_wrong_write_is_the_earliest_step_that_a_fault_names():
    faults = [found(step=9), found(step=4), found(step=1, pass_index=None)]
    assert first_wrong_write(report(faults)) == (0, 4)


def test_without_a_fault_it_is_the_last_write_to_the_first_gradient_that_stays_wrong():
    # The trace: seed; e, c, d; d, a, b; c, a, b; b; a. The last write to d is step 3, to a step 8.
    gradients = [gradient(A, Verdict.DIFFERS), gradient(D, Verdict.DIFFERS)]
    gradients.append(gradient(C, Verdict.AGREES))
    assert first_wrong_write(report(gradients=gradients)) == (0, 3)


TWO_FAULTS = """
class Value:
    def __init__(self, data, _children=()):
        self.data = data
        self.grad = 0.0
        self._prev = set(_children)
        self._backward = lambda: None

    def __add__(self, other):
        out = Value(self.data + other.data, (self, other))
        def _backward():
            self.grad = out.grad
            other.grad = out.grad
        out._backward = _backward
        return out

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other))
        def _backward():
            self.grad = out.grad * other.data
            other.grad = out.grad * out.data
        out._backward = _backward
        return out

x = Value(3.0)
y = Value(-2.0)
s = x + y
p = x * y
q = s * p
q.grad = 1.0
for v in (q, p, s):
    v._backward()
"""


def test_a_write_that_would_only_do_harm_elsewhere_is_not_the_first_wrong_one():
    program = Program("two.py", TWO_FAULTS)
    shown = run(program, Options())
    done = assessed(shown, program=program)
    pass_index, number = first_wrong_write(done)
    step = shown.trace(Mode.AS_WRITTEN, pass_index).steps[number]
    # q gives s -6.0, which is right, then p -6.0 where dq/dp is s = 1.0.
    assert (shown.nodes[step.target].name, step.line, step.contribution) == ("p", 21, -6.0)
    assert any(each.step is not None and each.step < number for each in done.faults)


def test_where_nothing_is_wrong_there_is_no_wrong_write():
    assert first_wrong_write(report(gradients=[gradient(A, Verdict.AGREES)])) is None
