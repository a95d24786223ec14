from __future__ import annotations

import dataclasses
import io
import json
import sys
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recordings import assert_can_be_shown, recordings, repeatable, text_of

from chainstep import codec
from chainstep.codec import Reader, Writer, number, unnumber
from chainstep.errors import RecordingError
from chainstep.evidence import (
    Backward,
    Change,
    ClassFact,
    Evidence,
    Failure,
    Frame,
    Function,
    Making,
    Odd,
    Point,
    Read,
    Trial,
)
from chainstep.graph import Node
from chainstep.trace import (
    Code,
    Kind,
    Mode,
    Order,
    Outcome,
    Recording,
    Status,
    Step,
    Trace,
    TraceError,
)

NODES = (
    Node(0, "a", "", 2.0, line=1, aliases=("a", "w[0]")),
    Node(1, "2.0", "", -0.0, constant=True),
    Node(2, "größe", "*", float("inf"), (0, 1), 2, serial=7),
    Node(3, "y", "+", float("nan"), (2, 2), 3),
)
TRACE = Trace(
    0,
    Mode.ACCUMULATE,
    Order.DEPTH_FIRST,
    3,
    {0: 0.0, 1: 0.0, 2: 0.0, 3: 0.0},
    (
        Step(Kind.SEED, 3, None, 3, None, None, 1.0, 0.0, 1.0, False),
        Step(Kind.CALL, 3, upstream=1.0),
        Step(Kind.WRITE, 3, 0, 2, 1.0, 1.0, 1.0, 0.0, 1.0, True, 7, 1),
        Step(Kind.WRITE, 3, 1, 2, 1.0, 1.0, 1.0, 1.0, 2.0, True, 8, 0, True),
        Step(Kind.OUTSIDE, target=0, before=0.0, after=float("-inf"), accumulates=False, line=9),
    ),
    {1: float("nan")},
    TraceError(5, "ValueError: math domain error", 7),
)
RECORDING = Recording(
    "mine.py",
    "a = Value(2.0)\n",
    7,
    NODES,
    (TRACE, Trace(1, Mode.OVERWRITE, Order.RECURSIVE, 2, {2: 0.0}, (), {})),
    "printed\n",
    Outcome(Status.EXCEPTION, "It failed.", 4),
    ("mine.py", "engine.py"),
    ("A stand-in was used.",),
    ("", "def _backward(): ...\n"),
    {2: Code(1, 7, 9, (("self", 0), ("größe", 2))), 0: Code(0, 1, 1)},
    (Step(Kind.OUTSIDE, target=1, before=2.0, after=-0.0, accumulates=False, line=9, file=1),),
    Evidence(
        True,
        (Function(1, 3, 9, "__mul__", "Value", (("_backward", 7, 9),)),),
        (ClassFact("Value", 1, 2, 4, None, 5, "data", "grad", "_backward", ("__add__",)),),
        (Making(2, 1, 6, (0, 1), ((3, 8, True),)), Making(3, 0, 2)),
        (Backward(3, "none"),),
        (Read(0, 5, 7, 11),),
        (Change(1, 0, 7, 1.5, float("nan"), 12, 1, 9, True, "__iadd__"),),
        (Odd(4, "data", "Value", True, None, 1, 3),),
        (
            Trial(
                *(1, 3, "__mul__", True, "*", (None, 2.0), (6,), (1, 7), "value"),
                (Point((1.5,), 3.0, (2.0,), (None,), (), (True,), (False,), 1e-12),),
                *(1, ""),
            ),
        ),
        (Failure("ValueError", ("Exception",), "no", 70, (Frame(1, 7, "f", True),), 0),),
    ),
)
TEXT = text_of(RECORDING)
LINES = TEXT.splitlines(keepends=True)


def same(one, other):
    """Equal, with nan equal to nan and -0.0 different from 0.0."""
    return repr(one) == repr(other)


def refusal(reader, line):
    """What the reader says against a line; empty where it takes it. No other error may come."""
    try:
        reader.feed(line)
    except RecordingError as error:
        return str(error)
    return ""


def opened(lines):
    """What is left of damaged lines: each is taken in or refused, and nothing else happens."""
    reader = Reader()
    for line in lines:
        before = reader.recording()
        message = refusal(reader, line)
        assert len(message) < 300
        assert not message or same(reader.recording(), before)
    return reader.recording()


def through(lines):
    reader = Reader()
    for line in lines:
        reader.feed(line)
    return reader


# -- whole recordings ----------------------------------------------------------------------


@repeatable(60)
@given(recordings())
def test_a_recording_reads_back_as_it_was_written(recording):
    assert same(through(text_of(recording).splitlines()).recording(), recording)


@repeatable(60)
@given(recordings())
def test_every_recording_that_opens_can_be_shown(recording):
    assert_can_be_shown(through(text_of(recording).splitlines()).recording())


def test_the_lines_are_ascii_and_plain_json_that_other_readers_take():
    def refuse(literal):
        raise AssertionError(literal)

    assert TEXT.isascii()
    for line in LINES:
        assert json.loads(line, parse_constant=refuse)


def test_many_nodes_and_steps_come_back_in_order_from_many_lines():
    nodes = tuple(Node(n, str(n), "", float(n)) for n in range(1201))
    steps = tuple(Step(Kind.CALL, n, upstream=0.0) for n in range(1201))
    trace = Trace(0, Mode.OVERWRITE, Order.BREADTH_FIRST, 0, {}, steps, {})
    recording = Recording("long.py", nodes=nodes, traces=(trace,))
    lines = text_of(recording).splitlines()
    assert max(len(line) for line in lines) < 40_000
    assert through(lines).recording() == recording


def test_names_that_come_later_replace_the_first_ones():
    stream = io.StringIO()
    writer = Writer(stream)
    writer.header("p.py", 0, "")
    writer.nodes(NODES)
    writer.names([(2, "loss", ("loss", "total")), (0, "w", ())])
    nodes = through(stream.getvalue().splitlines()).recording().nodes
    assert [node.name for node in nodes] == ["w", "2.0", "loss", "y"]
    assert [node.aliases for node in nodes] == [(), (), ("loss", "total"), ()]


def test_a_node_that_a_pass_touches_late_joins_its_initial_gradients_once():
    stream = io.StringIO()
    writer = Writer(stream)
    writer.header("p.py", 0, "")
    writer.nodes(NODES)
    writer.begin(Trace(0, Mode.AS_WRITTEN, Order.AS_WRITTEN, 3, {3: 0.0}, (), {}))
    writer.touched(1, -2.5)
    writer.touched(3, 9.0)
    writer.touched(1, 9.0)
    writer.end()
    trace = through(stream.getvalue().splitlines()).recording().traces[0]
    assert trace.initial == {3: 0.0, 1: -2.5}


@pytest.mark.parametrize("value", [0.1, -0.0, 5e-324, 1.7976931348623157e308, 1e22])
def test_a_float_goes_through_json_with_every_bit(value):
    assert same(unnumber(json.loads(json.dumps(number(value)))), value)


@pytest.mark.parametrize(
    ("value", "written"),
    [(float("nan"), "nan"), (float("inf"), "inf"), (float("-inf"), "-inf"), (None, None)],
)
def test_what_is_not_finite_is_written_as_text_and_what_is_unknown_as_null(value, written):
    assert number(value) == written
    assert value is None or same(unnumber(written), value)


@pytest.mark.parametrize("value", [None, True, "1.0", "NaN", "", [], {}, 10**400, float("nan")])
def test_what_is_no_number_is_refused(value):
    with pytest.raises(RecordingError, match=r"number|large"):
        unnumber(value)


def test_half_a_surrogate_pair_is_spelled_out_so_that_every_text_can_be_printed():
    odd = Recording(
        "\ud83d.py", "# \udcff", nodes=(Node(0, "x\ud800", "", 1.0, aliases=("\udfff",)),)
    )
    read = through(text_of(odd).splitlines()).recording()
    assert (read.program, read.source) == ("\\ud83d.py", "# \\udcff")
    assert (read.nodes[0].name, read.nodes[0].aliases) == ("x\\ud800", ("\\udfff",))
    whole = Recording("\U0001f600.py")
    assert through(text_of(whole).splitlines()).recording().program == "\U0001f600.py"


# -- recordings that are cut ---------------------------------------------------------------


def test_a_recording_cut_at_any_byte_opens_up_to_the_last_whole_line():
    whole_lines = {}
    reader, end = Reader(), 0
    for line in LINES:
        reader.feed(line)
        end += len(line)
        whole_lines[end - 1] = reader.recording()  # the line's own end is not needed
    expected = Reader().recording()
    for cut in range(len(TEXT) + 1):
        expected = whole_lines.get(cut, expected)
        assert same(opened(TEXT[:cut].splitlines()), expected), cut


@repeatable(60)
@given(recordings(), st.floats(0, 1))
def test_a_cut_recording_can_be_shown(recording, part):
    text = text_of(recording)
    assert_can_be_shown(opened(text[: int(len(text) * part)].splitlines()))


def test_a_pass_without_an_end_is_kept_as_far_as_it_goes_and_says_so():
    at = next(place for place, line in enumerate(LINES) if line.startswith('{"steps"'))
    trace = through(LINES[: at + 1]).recording().traces[0]
    assert trace.steps == TRACE.steps
    assert trace.error == TraceError(5, "The pass did not come to its end.")


def test_a_pass_that_begins_inside_another_leaves_that_one_unfinished():
    begins = [line for line in LINES if line.startswith('{"trace"')]
    at = LINES.index(begins[0])
    read = through([*LINES[: at + 2], begins[1], '{"end":null}']).recording()
    assert [len(trace.steps) for trace in read.traces] == [5, 0]
    assert read.traces[0].error is not None
    assert read.traces[1].error is None


def test_a_recording_without_an_outcome_says_that_it_has_no_end():
    outcome = through(LINES[:1]).recording().outcome
    assert outcome == Outcome(Status.CRASHED, "The recording has no end.")


def test_operands_that_a_cut_did_not_let_come_are_left_out():
    stream = io.StringIO()
    writer = Writer(stream)
    writer.header("cycle.py", 0, "")
    writer.nodes([Node(0, "a", "+", 1.0, (1, 0))])
    reader = through(stream.getvalue().splitlines())
    assert reader.recording().nodes[0].children == (0,)
    writer.nodes([Node(1, "b", "+", 1.0, (0,))])
    reader.feed(stream.getvalue().splitlines()[-1])
    assert reader.recording().nodes[0].children == (1, 0)


# -- recordings that are damaged -----------------------------------------------------------

DEEP = "[" * 100_000 + "]" * 100_000
RAW = {
    "@deep": DEEP,
    "@open": "[" * 100_000,
    "@huge": "1" + "0" * 5000,
    "@large": "1" + "0" * 4000,
    "@nan": "NaN",
    "@infinity": "Infinity",
    "@minus": "-Infinity",
    "@beyond": "1e999",
    "@half": '"\\ud800"',
}
HOSTILE = [
    *RAW,
    *(None, True, False, -1, 0, 1, 2, 3, 4, 2**31, 2**63, -(10**30), 10**400, 0.0, 1.0, 1.5),
    *("", "0", "nan", "call", "x" * 2000, [], {}, [[]], [0], {"0": 0}, [None] * 12, ["0"] * 8),
]


def places(value, path=()):
    """The path of every part of a JSON value."""
    yield path
    if isinstance(value, (dict, list)):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], (*path, key))


def with_damage(line, choice, hostile):
    """The line with one of its parts replaced by something hostile."""
    record = json.loads(line)
    paths = list(places(record))
    path = paths[choice % len(paths)]
    if path:
        *way, last = path
        holder = record
        for key in way:
            holder = holder[key]
        holder[last] = hostile
    else:
        record = hostile
    text = json.dumps(record)
    for mark, raw in RAW.items():
        text = text.replace(f'"{mark}"', raw)
    return text


@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda value: repr(value)[:20])
def test_every_part_of_every_line_may_be_anything(hostile):
    reader = Reader()
    for line in LINES:
        for choice in range(len(list(places(json.loads(line))))):
            damaged = with_damage(line, choice, hostile)
            trial = Reader() if line is LINES[0] else reader
            before = trial.recording()
            if refusal(trial, damaged):
                assert same(trial.recording(), before)
            else:
                reader = through(LINES[: LINES.index(line)])
        reader.feed(line)
    assert same(reader.recording(), RECORDING)


@repeatable(100)
@given(
    recordings(),
    st.lists(
        st.tuples(st.integers(0, 99), st.integers(0, 999), st.sampled_from(HOSTILE)),
        min_size=1,
        max_size=4,
    ),
)
def test_what_opens_of_a_recording_with_wrong_values_can_be_shown(recording, damages):
    lines = text_of(recording).splitlines()
    for which, choice, hostile in damages:
        at = which % len(lines)
        try:
            lines[at] = with_damage(lines[at], choice, hostile)
        except (ValueError, RecursionError):  # damaged already, beyond what json reads
            continue
    assert_can_be_shown(opened(lines))


@repeatable(100)
@given(st.lists(st.tuples(st.integers(0, len(TEXT) - 1), st.integers(0, 7)), max_size=6))
def test_what_opens_of_a_recording_with_flipped_bits_can_be_shown(flips):
    data = bytearray(TEXT.encode())
    for place, bit in flips:
        data[place] ^= 1 << bit
    assert_can_be_shown(opened(data.decode("utf-8", "replace").splitlines()))


@repeatable(100)
@given(st.lists(st.integers(0, len(LINES) - 1), max_size=25))
def test_what_opens_of_lines_that_are_shuffled_repeated_or_gone_can_be_shown(order):
    assert_can_be_shown(opened([LINES[0], *(LINES[place] for place in order)]))


@repeatable(100)
@given(st.text() | st.binary().map(lambda data: data.decode("latin-1")))
def test_any_other_text_is_refused(text):
    with pytest.raises(RecordingError, match="Line 1 of the recording"):
        Reader().feed(text)


@pytest.mark.parametrize(
    "raw",
    [*RAW.values(), '{"note":' + DEEP + "}", '{"seed":' * 100_000],
    ids=[*RAW, "deep note", "deep seed"],
)
def test_what_is_too_deep_or_too_large_for_json_is_refused_at_once(raw):
    reader = through(LINES)
    with pytest.raises(RecordingError, match=f"Line {len(LINES) + 1} of the recording"):
        reader.feed(raw)
    assert same(reader.recording(), RECORDING)


FIELDS = [field.name for field in dataclasses.fields(Step)]
WRITE = dict(
    zip(FIELDS, ("write", 3, 0, 2, 1.0, 1.0, 1.0, 0.0, 1.0, True, 7, 1, None), strict=True)
)
CALL = {**dict.fromkeys(("slot", "target", "before", "after", "accumulates")), "kind": "call"}


def step_line(**changes):
    """A line with the WRITE step of the recording, changed."""
    return json.dumps({"steps": [list({**WRITE, **changes}.values())]})


def inside_a_pass():
    at = next(place for place, line in enumerate(LINES) if line.startswith('{"trace"'))
    return through(LINES[: at + 1])


@pytest.mark.parametrize(
    "changes",
    [{}, CALL, {"slot": None}, {"slot": 1}, {"local": None}, {"line": None}, {"before": "nan"}],
)
def test_a_step_as_the_recorder_writes_it_is_taken(changes):
    reader = inside_a_pass()
    reader.feed(step_line(**changes))
    assert len(reader.recording().traces[0].steps) == 1


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"kind": "jump"}, "damaged"),
        ({"kind": ["call"]}, "damaged"),
        ({"node": 4}, "no node 4"),
        ({"node": -1}, "no node -1"),
        ({"node": True}, "no node True"),
        ({"node": None}, "lacks a field"),
        ({"target": 4}, "no node 4"),
        ({"target": None}, "lacks a field"),
        ({"slot": 2}, "not in slot 2"),
        ({"slot": 10**300}, "not in slot 1000"),
        ({"slot": -1}, "number from 0, found -1"),
        ({"slot": False}, "number from 0, found False"),
        ({"slot": 0, "target": 0}, "not in slot 0"),
        ({"contribution": None}, "lacks a field"),
        ({"before": None}, "lacks a field"),
        ({"after": None}, "lacks a field"),
        ({"after": "Infinity"}, "expected a number"),
        ({"after": 10**400}, "too large"),
        ({"after": False}, "expected a number"),
        ({"accumulates": None}, "lacks a field"),
        ({"accumulates": 1}, "true or false"),
        ({"line": 0}, "0 is not a line number"),
        ({"line": 2**31}, "not a line number"),
        ({"line": True}, "not a line number"),
        ({"assigns": 1}, "true or false"),
        ({"file": 2}, "source file 2 is not listed"),
        ({"file": -1}, "number from 0"),
        ({**CALL, "node": None}, "lacks a field"),
        ({**CALL, "target": 2}, "one too many"),
        ({"kind": "outside"}, "one too many"),
        ({"kind": "seed", "slot": None}, "one too many"),
    ],
)
def test_a_step_that_does_not_fit_is_refused_and_the_message_says_why(changes, why):
    with pytest.raises(RecordingError, match=why):
        inside_a_pass().feed(step_line(**changes))


@pytest.mark.parametrize("field", ["pass", "mode", "order", "root", "initial", "data", "line"])
def test_a_pass_without_one_of_its_fields_is_refused(field):
    line = next(line for line in LINES if line.startswith('{"trace"'))
    record = json.loads(line)
    del record["trace"][field]
    with pytest.raises(RecordingError, match=field):
        through(LINES[: LINES.index(line)]).feed(json.dumps(record))


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        ("pass", 3, "pass 3 comes after pass 1"),
        ("pass", 10**300, "comes after pass 1"),
        ("pass", 0, "pass 0 comes after pass 1"),
        ("pass", -1, "number from 0"),
        ("pass", 1.0, "number from 0"),
        ("mode", "both", "not a valid Mode"),
        ("order", "random", "not a valid Order"),
        ("root", 4, "no node 4"),
        ("root", "3", "no node '3'"),
        ("initial", {"0": 0.0}, "expected a list"),
        ("initial", [[9, 0.0]], "no node 9"),
        ("initial", [[0, None]], "expected a number"),
        ("data", [[0, "x"]], "expected a number"),
        ("line", 0, "not a line number"),
    ],
)
def test_a_pass_that_does_not_fit_is_refused_and_the_message_says_why(field, value, why):
    record = json.loads(next(line for line in LINES if line.startswith('{"trace"')))
    record["trace"].update({"pass": 2, field: value})
    with pytest.raises(RecordingError, match=why):
        through(LINES).feed(json.dumps(record))


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ([4, "n", "", 1.0, [], None, False], "damaged"),
        ([5, "n", "", 1.0, [], None, False, [], 0], "node 5 stands in the place of 4"),
        (["4", "n", "", 1.0, [], None, False, [], 0], "node '4' stands in the place of 4"),
        ([4, None, "", 1.0, [], None, False, [], 0], "expected a text, found nothing"),
        ([4, "n", 1, 1.0, [], None, False, [], 0], "expected a text"),
        ([4, "n", "", "1.0", [], None, False, [], 0], "expected a number"),
        ([4, "n", "", 1.0, "01", None, False, [], 0], "expected a list"),
        ([4, "n", "", 1.0, [0.0], None, False, [], 0], "number from 0"),
        ([4, "n", "", 1.0, [-1], None, False, [], 0], "number from 0"),
        ([4, "n", "", 1.0, [], -3, False, [], 0], "not a line number"),
        ([4, "n", "", 1.0, [], None, 0, [], 0], "true or false"),
        ([4, "n", "", 1.0, [], None, False, "ab", 0], "expected a list"),
        ([4, "n", "", 1.0, [], None, False, [1], 0], "expected a text"),
    ],
)
def test_a_node_that_does_not_fit_is_refused_and_the_message_says_why(row, why):
    reader = through(LINES)
    whole = [4, "n", "", 1.0, [], None, False, [], 0]
    with pytest.raises(RecordingError, match=why):
        reader.feed(json.dumps({"nodes": [row]}))
    reader.feed(json.dumps({"nodes": [whole]}))
    with pytest.raises(RecordingError):
        reader.feed(json.dumps({"nodes": [[5, *whole[1:]], row]}))
    assert len(reader.recording().nodes) == 5


def test_no_pass_begins_before_all_operands_are_there():
    reader = through(LINES)
    reader.feed('{"nodes":[[4,"n","+",1.0,[9],null,false,[],0]]}')
    begin = next(line for line in LINES if line.startswith('{"trace"')).replace('s":0', 's":1')
    with pytest.raises(RecordingError, match="no node 9"):
        reader.feed(begin)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "damaged"),
        ("5", "expected an object"),
        ("null", "expected an object"),
        ("{}", "unknown content ''"),
        ('{"picture":1}', "unknown content 'picture'"),
        (LINES[0], "another recording begins"),
        ('{"end":null}', "no pass has begun"),
        (step_line(), "no pass has begun"),
        ('{"touched":[[0,1.0]]}', "no pass has begun"),
        ('{"names":[[4,"n",[]]]}', "no node 4"),
        ('{"names":[[0,"n","ab"]]}', "expected a list"),
        ('{"file":"p.py","text":7}', "expected a text"),
        ('{"codes":[[4,0,1,1,[]]]}', "no node 4"),
        ('{"codes":[[0,2,1,1,[]]]}', "source file 2 is not listed"),
        ('{"codes":[[0,0,0,1,[]]]}', "not a line number"),
        ('{"codes":[[0,0,1,null,[]]]}', "expected a line number"),
        ('{"codes":[[0,0,2,1,[]]]}', "begins in line 2 ends in line 1"),
        ('{"codes":[[0,0,1,1,[["self",4]]]]}', "no node 4"),
        ('{"codes":[[0,0,1,1,[[0,0]]]]}', "expected a text"),
        ('{"codes":[[0,0,1,1]]}', "damaged"),
        ('{"codes":{}}', "expected a list"),
        ('{"after":[["call",0,null,null,1.0,null,null,null,null,null,null,0,null]]}', "outside"),
        ('{"evidence":"guesses","rows":[]}', "no evidence called 'guesses'"),
        ('{"evidence":"reads","rows":[[0,0,0]]}', "Read has 4 fields, not 3"),
        ('{"evidence":"reads","rows":[[0,0,0,0]]}', "not a line number"),
        ('{"evidence":"reads"}', "rows"),
        ('{"evidence":"makings","rows":[[4,0,1,[],[]]]}', "no node 4"),
        ('{"evidence":"makings","rows":[[0,2,1,[],[]]]}', "source file 2 is not listed"),
        ('{"evidence":"makings","rows":[[0,0,1,[],[[1]]]]}', "expected 3 parts, found 1"),
        ('{"evidence":"backwards","rows":[[4,"none"]]}', "no node 4"),
        ('{"evidence":"functions","rows":[[0,2,1,"f","",[]]]}', "do not fit one another"),
        ('{"note":["a"]}', "expected a text"),
        ('{"output":null}', "expected a text"),
        ('{"file":7}', "expected a text"),
        ('{"outcome":{"status":"fine","message":"","line":null}}', "not a valid Status"),
        ('{"outcome":{"status":"ok","message":""}}', "line"),
        ('{"outcome":null}', "damaged"),
    ],
    ids=lambda text: text[:30],
)
def test_a_line_that_does_not_fit_is_refused_and_the_message_says_why(line, why):
    with pytest.raises(RecordingError, match=why):
        through(LINES).feed(line)


@pytest.mark.parametrize("end", [0, False, "", [], {}, {"step": 1, "message": "m"}, {"step": -1}])
def test_an_end_is_null_or_a_whole_error(end):
    with pytest.raises(RecordingError):
        inside_a_pass().feed(json.dumps({"end": end}))


def test_a_pass_cannot_break_off_after_its_last_step():
    with pytest.raises(RecordingError, match="broke off at step 1"):
        inside_a_pass().feed('{"end":{"step":1,"message":"m","line":null}}')


@pytest.mark.parametrize(
    ("header", "why"),
    [
        ({"format": "other"}, "not a recording made by Chainstep"),
        ({"format": "chainstep-trace"}, "not a recording made by Chainstep"),
        ({"version": 2}, "version 2 is newer"),
        ({"version": 0}, "version 0 is older"),
        ({"version": True}, "whole number"),
        ({"version": "1"}, "whole number"),
        ({"seed": 1.0}, "whole number"),
        ({"seed": "7"}, "whole number"),
        ({"program": None}, "expected a text"),
        ({"source": 1}, "expected a text"),
    ],
)
def test_a_first_line_that_does_not_fit_is_refused_and_the_message_says_why(header, why):
    with pytest.raises(RecordingError, match=f"Line 1 .*{why}"):
        Reader().feed(json.dumps({**json.loads(LINES[0]), **header}))


def test_nothing_is_taken_before_a_first_line():
    reader = Reader()
    for line in LINES[1:]:
        with pytest.raises(RecordingError):
            reader.feed(line)
    assert same(reader.recording(), Reader().recording())


# -- writing -------------------------------------------------------------------------------


@pytest.fixture
def eager_threads():
    """Threads that take turns as often as Python lets them."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("eager_threads")
def test_flushes_and_notes_from_other_threads_neither_lose_nor_reorder_a_step():
    stream = io.StringIO()
    writer = Writer(stream)
    writer.header("p.py", 0, "")
    writer.nodes(NODES)
    writer.begin(Trace(0, Mode.AS_WRITTEN, Order.AS_WRITTEN, 3, {}, (), {}))
    done = threading.Event()

    def disturb(act):
        while not done.is_set():
            act()

    others = [
        threading.Thread(target=disturb, args=(writer.flush,)),
        threading.Thread(target=disturb, args=(lambda: writer.note("still here"),)),
    ]
    for other in others:
        other.start()
    steps = [Step(Kind.CALL, 0, upstream=float(count)) for count in range(3000)]
    for step in steps:
        writer.step(step)
    done.set()
    for other in others:
        other.join()
    writer.end()
    read = through(stream.getvalue().splitlines()).recording()
    assert list(read.traces[0].steps) == steps


def test_steps_are_gathered_until_they_are_flushed_or_something_else_is_written():
    stream = io.StringIO()
    writer = Writer(stream)
    step = TRACE.steps[1]
    writer.step(step)
    assert stream.getvalue() == ""
    writer.flush()
    writer.step(step)
    writer.end()
    assert [next(iter(json.loads(line))) for line in stream.getvalue().splitlines()] == [
        "steps",
        "steps",
        "end",
    ]
    for _ in range(codec.ROWS_PER_LINE):
        writer.step(step)
    assert len(json.loads(stream.getvalue().splitlines()[-1])["steps"]) == codec.ROWS_PER_LINE


def test_an_exit_hook_may_write_while_the_same_thread_is_writing():
    class Hooked(io.StringIO):
        def write(self, text):
            if '"note"' in text:
                writer.output("from inside")
            return super().write(text)

    stream = Hooked()
    writer = Writer(stream)
    writer.note("outer")
    assert stream.getvalue().splitlines() == ['{"output":"from inside"}', '{"note":"outer"}']
