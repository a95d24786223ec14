"""`record` from Python: the caller's names, the right numbers, nothing left behind."""

import pytest
from micrograd.engine import Value as Micrograd

from chainstep import Value, debug, display, record
from chainstep.errors import RecordingError
from chainstep.trace import Mode


def named(recording, mode):
    trace = recording.trace(mode)
    return {recording.nodes[i].name: gradient for i, gradient in trace.final.items()}


@pytest.mark.parametrize("kind", [Value, Micrograd])
def test_a_live_graph_is_recorded_under_the_callers_names(kind):
    a = kind(2.0)
    b = kind(3.0)
    c = a + b
    d = a * b
    e = c * d
    recording = record(e)
    assert named(recording, Mode.ACCUMULATE) == {"a": 21, "b": 16, "c": 6, "d": 5, "e": 1}
    assert named(recording, Mode.OVERWRITE) == {"a": 6, "b": 6, "c": 6, "d": 5, "e": 1}
    assert [v.grad for v in (a, b, c, d, e)] == [0.0] * 5


def test_the_class_works_as_before_afterwards():
    a = Value(3.0)
    b = a + a
    record(b)
    b.backward()
    assert a.grad == 2.0
    assert type(vars(Value)["grad"]).__name__ == "member_descriptor"


def test_one_mode_alone_can_be_asked_for():
    a = Value(3.0)
    b = a + a
    recording = record(b, mode="overwrite", order="breadth-first")
    assert [trace.mode for trace in recording.traces] == [Mode.OVERWRITE]


def test_what_cannot_be_recorded_is_refused_with_a_reason():
    with pytest.raises(RecordingError, match=r"A str is no Value\..*gradient"):
        record("text")
    with pytest.raises(RecordingError, match="no mode 'both!'"):
        record(Value(1.0), mode="both!")


def test_debug_opens_the_window_on_the_recording_of_the_graph(monkeypatch):
    opened = []
    monkeypatch.setattr(display, "open_window", lambda saved: opened.append(saved) or 0)
    a = Value(3.0)
    b = a + a
    assert debug(b) == 0
    (saved,) = opened
    assert named(saved.recording, Mode.ACCUMULATE) == {"a": 2.0, "b": 1.0}
    assert saved.bookmark.view == "both"
    assert saved.problem == ""
