"""Which code is shown at which step, on sources made by hand and on programs that really ran."""

from dataclasses import replace
from pathlib import Path

import pytest
from coded import ENGINE, A, B, C, D, E, coded

from chainstep.options import Options
from chainstep.program import load
from chainstep.runner import run
from chainstep.story import Phase
from chainstep.trace import Kind, Mode, Step, TraceError
from chainstep.ui.excerpt import excerpt
from chainstep.ui.prepared import prepare
from chainstep.ui.session import Session, View

TESTS = Path(__file__).parent.parent


def no_runner(*_arguments):
    raise AssertionError("nothing runs here")


@pytest.fixture
def at(qapp):
    def shown(position, recording=None, view=View.ACCUMULATE):
        session = Session(no_runner)
        session._wished_view = view
        session._adopt(prepare(recording or coded()))
        session.seek_backward(position)
        return excerpt(session)

    return shown


def lit(shown):
    return next((row.text for row in shown.rows if row.number == shown.lit), None)


def test_a_write_lights_its_line_in_the_backward_that_makes_it(at):
    shown = at(9)
    assert [row.number for row in shown.rows] == [6, 7, 8]
    assert shown.text == ("def _backward():\n    self.grad += out.grad\n    other.grad += out.grad")
    assert (shown.lit, lit(shown)) == (7, "    self.grad += out.grad")
    assert shown.title == "c · engine.py"
    assert lit(at(10)) == "    other.grad += out.grad"


def test_a_call_lights_the_line_in_which_the_backward_begins(at):
    assert lit(at(8)) == "def _backward():"


def test_the_variables_stand_in_the_order_of_the_operands_and_the_node_itself_last(at):
    assert at(9).bound == (("self", A), ("other", B), ("out", C))
    assert at(3).bound == (("self", C), ("other", D), ("out", E))


def test_a_variable_is_found_wherever_the_code_names_it_and_nowhere_else(at):
    shown = at(2)
    words = {shown.rows[row].text[start:end] for row, start, end, _ in shown.links()}
    assert words == {"self", "other", "out"}
    assert [(row, node) for row, _, _, node in shown.links()] == [
        *((1, C), (1, D), (1, E)),
        *((2, D), (2, C), (2, E)),
    ]


def test_a_leaf_says_that_there_is_nothing_to_do(at):
    shown = at(12)
    assert lit(shown) == "self._backward = lambda: None"
    assert shown.remark == "lambda: None: nothing to do; its gradient is complete."


def test_a_leaf_whose_function_holds_nothing_but_words_shows_them(at):
    words = ENGINE.replace("self._backward = lambda: None", "def nothing():").replace(
        "\n\n    def __add__", '\n            """Nothing."""\n\n    def __add__'
    )
    shown = at(12, coded(sources=("", words)))
    assert shown.text == 'def nothing():\n    """Nothing."""'
    assert shown.remark == "a is a leaf: nothing to do; its gradient is complete."


def test_a_leaf_that_runs_too_early_is_not_called_complete(at):
    recording = coded()
    (trace,) = (t for t in recording.traces if t.mode is Mode.ACCUMULATE)
    early = (*trace.steps[:7], Step(Kind.CALL, A, upstream=15.0), *trace.steps[7:])
    shown = at(8, replace(recording, traces=(replace(trace, steps=early),)))
    assert "1 of 2 contributions" in shown.remark


def test_a_leaf_that_lost_a_contribution_is_not_called_complete(at):
    # With = the 6 replaces the 15: explain says the same in its words.
    remark = at(12, view=View.OVERWRITE).remark
    assert remark == "lambda: None: nothing to do. 1 of its 2 contributions was lost."


def test_before_anything_runs_it_is_said_what_will(at):
    shown = at(0)
    assert shown.rows == ()
    assert shown.remark == "No _backward is running. The first will be that of e."


def test_the_seed_shows_the_line_that_set_it_where_one_did(at):
    assert "Chainstep sets it" in at(1).remark
    recording = coded()
    traces = tuple(
        replace(t, steps=(replace(t.steps[0], line=7, file=0), *t.steps[1:]))
        for t in recording.traces
    )
    shown = at(1, replace(recording, traces=traces))
    assert lit(shown) == "e = c * d"
    assert "Chainstep sets it" not in shown.remark


def test_a_write_from_outside_shows_its_line_and_says_so(at):
    recording = coded()
    outside = Step(Kind.OUTSIDE, target=A, before=21.0, after=0.0, line=3)
    traces = tuple(replace(t, steps=(*t.steps, outside)) for t in recording.traces)
    shown = at(13, replace(recording, traces=traces))
    assert lit(shown) == "a = Value(2.0)"
    assert "sets the gradient of a from outside" in shown.remark


def test_a_write_by_way_of_another_function_names_that_line(at):
    recording = coded()
    traces = tuple(
        replace(t, steps=tuple(replace(s, line=3) if s.line == 7 else s for s in t.steps))
        for t in recording.traces
    )
    shown = at(9, replace(recording, traces=traces))
    assert shown.lit is None
    assert shown.remark == (
        "It writes by way of line 3 of engine.py: self._backward = lambda: None"
    )


def test_a_source_that_cannot_be_read_says_where_it_stands(at):
    shown = at(9, coded(sources=("", "")))
    assert shown.rows == ()
    assert "line 6 of engine.py" in shown.remark


def test_an_engine_without_closures_shows_its_local_gradients(at):
    shown = at(9, coded(codes={}))
    assert "keeps no _backward functions" in shown.remark
    assert "∂c/∂a = 1.0, ∂c/∂b = 1.0" in shown.remark
    assert lit(shown).strip() == "self.grad += out.grad"


def test_where_the_pass_broke_off_the_line_is_marked_as_failed(at):
    recording = coded()
    trace = recording.trace(Mode.ACCUMULATE)
    broken = replace(trace, steps=trace.steps[:9], error=TraceError(9, "ZeroDivisionError: no", 8))
    shown = at(9, replace(recording, traces=(broken,)))
    assert (shown.failed, shown.lit) == (True, 8)
    assert shown.remark == "The pass broke off here: ZeroDivisionError: no"
    assert not at(8, replace(recording, traces=(broken,))).failed


def test_while_values_are_made_their_backward_is_shown_as_stored_and_none_runs(qapp):
    session = Session(no_runner)
    session._adopt(prepare(coded()))
    start = session.story.bounds(Phase.FORWARD)[0]
    session.seek(start + 3)
    shown = excerpt(session)
    assert shown.remark == "Stored, not run: it runs in the backward phase."
    assert (shown.lit, [row.number for row in shown.rows]) == (None, [6, 7, 8])
    session.seek(start + 1)
    assert excerpt(session).remark == "a is a leaf: it has none."
    session.seek(session.story.bounds(Phase.SORT)[0] + 2)
    assert "First the list is made" in excerpt(session).remark


def test_without_a_recording_it_says_what_will_be_here(qapp):
    assert excerpt(Session(no_runner)).remark == "Each _backward is shown here while it runs."


@pytest.mark.parametrize(
    "program",
    [
        *("shapes/backward_is_a_method.py", "shapes/one_subclass_per_operation.py"),
        *("faults/ok_microgpt_style.py", "faults/overwrite_in_add.py"),
    ],
)
def test_of_a_program_that_really_ran_every_write_shows_a_line_that_writes(qapp, program):
    recording = run(load(str(TESTS / program)), Options())
    session = Session(no_runner)
    for view in View:
        session._wished_view = view
        session._adopt(prepare(recording))
        for position in range(session.length + 1):
            session.seek(position)
            shown = excerpt(session)
            assert shown.rows or shown.remark
            step = session.primary.stepper.current
            if session.phase is Phase.BACKWARD and step and step.kind is Kind.WRITE and shown.rows:
                assert "grad" in lit(shown)
