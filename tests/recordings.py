"""Random traces and recordings, and what has to hold for every recording that opens."""

from __future__ import annotations

import io
import json
import os
import struct

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from chainstep import codec
from chainstep.document import document
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
from chainstep.explain import explain
from chainstep.graph import Node
from chainstep.stepper import Stepper
from chainstep.trace import (
    RECORDED,
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

THOROUGH = "CHAINSTEP_THOROUGH" in os.environ
"""Whether all random examples are wanted, and not only those that a quick run has time for."""


def repeatable(examples):
    """The same random examples on every run, however slow the machine."""
    few = examples if THOROUGH else max(12, examples // 6)
    patient = [HealthCheck.too_slow]
    return settings(
        max_examples=few, derandomize=True, deadline=None, suppress_health_check=patient
    )


def nan(bits):
    """A nan of a given bit pattern."""
    return struct.unpack("<d", struct.pack("<Q", bits))[0]


def bits(numbers):
    """What tells nan from nan and -0.0 from 0.0."""
    numbers = list(numbers)
    return struct.pack(f"<{len(numbers)}d", *numbers)


ODD = [
    *(0.0, -0.0, 1.0, float("inf"), float("-inf"), 5e-324, 0.1, 1e308, 1 + 2**-52),
    *(nan(0x7FF8000000000000), nan(0xFFF8000000000000), nan(0x7FF8DEADBEEF0001)),
]
NUMBERS = st.sampled_from(ODD) | st.floats()
NAMES = st.sampled_from(["", "a", "w[1]", "loss", "größe", "∂", "line\nend\u2028"]) | st.text(
    max_size=4
)
LINES = st.none() | st.integers(1, 2**31 - 1)

MOVES = st.lists(
    st.tuples(st.sampled_from("SCCWWWWO"), st.integers(0, 99), st.integers(0, 99), NUMBERS),
    max_size=40,
)
"""What happens in a trace, in numbers that `steps_of` makes fit any graph."""


def steps_of(nodes, root, gradients, moves, accumulates=True):
    """Steps that a recorder could have written: what each finds is what the one before left."""
    gradients, running, steps = dict(gradients), None, []
    for letter, one, other, value in moves:
        target = other % len(nodes)
        if letter == "C" or (letter == "W" and running is None):
            running = one % len(nodes)
            steps.append(Step(Kind.CALL, running, upstream=gradients[running]))
            continue
        change = {"before": gradients[target], "after": value, "line": 1 + one}
        if letter == "S":
            running, target = None, root
            change["before"] = gradients[root]
            steps.append(Step(Kind.SEED, root, None, root, accumulates=False, **change))
        elif letter == "O":
            running = None
            steps.append(Step(Kind.OUTSIDE, target=target, accumulates=False, **change))
        else:
            children, slot = nodes[running].children, None
            if children and one % 5:
                slot = one % len(children)
                target = children[slot]
                change["before"] = gradients[target]
            written = (running, slot, target, 1.0, value, value)
            steps.append(Step(Kind.WRITE, *written, accumulates=accumulates, **change))
        gradients[target] = value
    return tuple(steps)


@st.composite
def graphs(draw):
    """The nodes of a recording. Operands may come later: a faulty class makes cycles."""
    size = draw(st.integers(1, 6))
    operands = st.lists(st.integers(0, size - 1), max_size=3).map(tuple)
    return tuple(
        Node(
            place,
            draw(NAMES),
            draw(st.sampled_from(["", "+", "*", "tanh", "**2", "mine"])),
            draw(NUMBERS),
            draw(operands),
            draw(LINES),
            draw(st.booleans()),
            tuple(draw(st.lists(NAMES, max_size=2))),
            draw(st.integers(0, 9)),
        )
        for place in range(size)
    )


@st.composite
def traces(draw, nodes, pass_index=0):
    """One pass over the nodes."""
    size = len(nodes)
    root = draw(st.integers(0, size - 1))
    initial = dict(enumerate(draw(st.lists(NUMBERS, min_size=size, max_size=size))))
    mode = draw(st.sampled_from(RECORDED))
    steps = steps_of(nodes, root, initial, draw(MOVES), mode is not Mode.OVERWRITE)
    error = None
    if draw(st.booleans()):
        error = TraceError(len(steps), draw(NAMES), draw(LINES))
    data = draw(st.dictionaries(st.integers(0, size - 1), NUMBERS, max_size=2))
    return Trace(pass_index, mode, draw(st.sampled_from(Order)), root, initial, steps, data, error)


@st.composite
def recordings(draw):
    """One run of a program, of up to three passes."""
    nodes = draw(graphs())
    passes = sorted(draw(st.lists(st.integers(0, 2), max_size=4)))
    passes = [sorted(set(passes)).index(number) for number in passes]
    files = draw(st.lists(NAMES, min_size=1, max_size=3))
    return Recording(
        draw(NAMES),
        draw(NAMES),
        draw(st.integers(-(2**70), 2**70)),
        nodes,
        tuple(draw(traces(nodes, number)) for number in passes),
        draw(NAMES),
        Outcome(draw(st.sampled_from(Status)), draw(NAMES), draw(LINES)),
        tuple(files),
        tuple(draw(st.lists(NAMES, max_size=2))),
        ("", *(draw(NAMES) for _ in files[1:])),
        draw(codes(len(nodes), len(files))),
        (),
        draw(evidence(len(nodes), len(files))),
    )


@st.composite
def evidence(draw, nodes, files):
    """What a witness could have told, as far as the reader of a recording can know."""
    file, line, small = st.integers(0, files - 1), st.integers(1, 12), st.integers(0, 9)
    node, flag = st.integers(0, nodes - 1), st.booleans()
    name = st.sampled_from(["__add__", "tanh", "relu", "_backward", "backward", "__iadd__", "f"])
    where, read = st.integers(0, 3), st.tuples(small, line, flag)

    def few(strategy):
        return tuple(draw(st.lists(strategy, max_size=3)))

    def few_of(strategy):
        return st.lists(strategy, max_size=2).map(tuple)

    @st.composite
    def functions(draw):
        first = draw(line)
        last = first + draw(small)
        inner = ((draw(name), first, last),) if draw(flag) else ()
        return Function(draw(file), first, last, draw(name), draw(NAMES), inner)

    @st.composite
    def trials(draw):
        slots = draw(st.integers(1, 2))

        def row(strategy):
            return tuple(draw(strategy) for _ in range(slots))

        points = tuple(
            Point(
                row(NUMBERS),
                draw(NUMBERS),
                row(st.none() | NUMBERS),
                row(st.none() | NUMBERS) if draw(flag) else (),
                row(st.none() | NUMBERS) if draw(flag) else (),
                row(flag),
                row(flag),
                abs(draw(st.floats(allow_nan=False))),
            )
            for _ in range(draw(st.integers(0, 3)))
        )
        numbers = row(st.none())
        returns = draw(st.sampled_from(["value", "operand", "float"]))
        at = (draw(file), draw(line))
        own = min(1, len(points))
        return Trial(*at, draw(name), draw(flag), "", numbers, (), at, returns, points, own)

    frame = st.builds(Frame, file, line, name, flag)
    return Evidence(
        True,
        few(functions()),
        few(
            st.builds(
                ClassFact,
                *(NAMES, file, LINES, LINES, LINES, LINES),
                *(st.just("data"), st.just("grad"), st.sampled_from(["", "_backward"])),
                *(few_of(name), flag),
            )
        ),
        few(st.builds(Making, node, file, line, few_of(small), few_of(read))),
        few(st.builds(Backward, node, st.sampled_from(["none", "default", "absent", "int"]))),
        few(st.builds(Read, where, small, small, line)),
        few(
            st.builds(Change, where, small, small, NUMBERS, NUMBERS, line, file, small, flag, name)
        ),
        few(
            st.builds(Odd, small, st.sampled_from(["data", "grad"]), NAMES, flag, LINES, file, line)
        ),
        few(trials()),
        few(
            st.builds(
                Failure,
                st.sampled_from(["RecursionError", "TypeError", "ValueError", "KeyError"]),
                st.just(("Exception",)),
                NAMES,
                small,
                st.lists(frame, max_size=3).map(tuple),
                st.none() | st.just(0),
            )
        ),
    )


def codes(nodes, files):
    """Where the `_backward` of some nodes stands."""
    names = st.lists(st.tuples(NAMES, st.integers(0, nodes - 1)), max_size=2).map(tuple)
    code = st.builds(
        lambda file, first, more, bound: Code(file, first, min(first + more, 2**31 - 1), bound),
        st.integers(0, files - 1),
        st.integers(1, 2**31 - 1),
        st.integers(0, 3),
        names,
    )
    return st.dictionaries(st.integers(0, nodes - 1), code, max_size=2)


def text_of(recording):
    """The recording as JSON lines."""
    stream = io.StringIO()
    codec.write(recording, codec.Writer(stream))
    return stream.getvalue()


def folded(trace, position):
    """Gradients and number of writes by node id, by going through the steps from the start."""
    gradients, done = dict(trace.initial), dict.fromkeys(trace.initial, 0)
    for step in trace.steps[:position]:
        if step.target is not None:
            gradients[step.target] = step.after
            done[step.target] += 1
    return gradients, done


def assert_can_be_shown(recording):
    """What the rest of the program takes for granted, and its first readers of a recording."""
    size = len(recording.nodes)
    assert [node.id for node in recording.nodes] == list(range(size))
    assert all(0 <= child < size for node in recording.nodes for child in node.children)
    assert recording.passes <= len(recording.traces)
    for trace in recording.traces:
        _assert_trace_fits(recording, trace)
        stepper = Stepper(trace, size)
        for position in (len(trace.steps), len(trace.steps) // 2, 0):
            stepper.seek(position)
            gradients = folded(trace, position)[0]
            assert bits(stepper.gradients[n] for n in gradients) == bits(gradients.values())
            explain(recording, trace, position)
        assert bits(trace.final.values()) == bits(folded(trace, None)[0].values())
        assert set(trace.sequence) <= set(range(size))
    for node_id, code in recording.codes.items():
        assert all(0 <= place < size for place in (node_id, *(of for _, of in code.names)))
        assert 1 <= code.first_line <= code.last_line < 2**31
        assert isinstance(recording.text(code.file), str)
    text = document(recording, tuple(Mode))
    assert len(json.loads(text)["traces"]) == len(recording.traces)
    text.encode("utf-8")
    repr(recording).encode("utf-8")


def _assert_trace_fits(recording, trace):
    graph = recording.graph(trace.pass_index)
    assert trace.root in graph
    assert all(node_id in graph for node_id in (*trace.initial, *trace.sequence))
    assert all(0 <= node_id < len(recording.nodes) for node_id in trace.data)
    assert trace.error is None or 0 <= trace.error.step <= len(trace.steps)
    for step in trace.steps:
        assert 0 <= step.file < max(1, len(recording.files))
        assert step.line is None or 1 <= step.line < 2**31
        assert step.node is None or step.node in graph
        assert step.target is None or step.target in trace.initial
        assert (step.target is None) is (step.kind is Kind.CALL)
        assert (step.node is None) is (step.kind is Kind.OUTSIDE)
        if step.slot is not None:
            assert recording.nodes[step.node].children[step.slot] == step.target
