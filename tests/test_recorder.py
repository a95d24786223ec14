"""The tap observes every shape of Value class, and the passes give the right numbers for each.

All shapes build the same graph, whose gradients are known by hand:
a=2, b=3, c=a+b, d=a*b, e=c*d, f=e+e.
"""

import contextlib
import gc
import io
import json
import linecache
import math
import random
import sys
from pathlib import Path

import pytest
from conftest import freeze

from chainstep import codec
from chainstep.options import Limits, Options
from chainstep.recorder import LimitReached, Recorder
from chainstep.trace import Kind, Mode, Order, Outcome, Recording, Status

HERE = Path(__file__).parent
SHAPES = {path.stem: path.read_text() for path in sorted((HERE / "shapes").glob("*.py"))}


def record(source: str, *, tolerant: bool = False, **options) -> Recording:
    """Run a program under the tap in this process, as the child does in its own."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "micrograd"]:
        del sys.modules[name]  # a package that was defined before is not noticed again
    path = "<recorded>/program.py"
    linecache.cache[path] = (len(source), None, source.splitlines(keepends=True), path)
    stream = io.StringIO()
    writer = codec.Writer(stream)
    writer.header("program.py", 0, source)
    chosen = Options(**options)
    random.seed(chosen.seed)  # as the child does: the weights of a network are always the same
    recorder = Recorder(writer, chosen, path)
    namespace = {"__name__": "__main__"}
    printed = io.StringIO()
    outcome = None
    gc.collect()  # what is garbage now would stay
    freeze()  # as in the child: else its searches would go through all that the tests hold
    with contextlib.redirect_stdout(printed):
        try:
            code = compile(source, path, "exec")
            recorder.execute(lambda: exec(code, namespace), namespace)
            outcome = recorder.finish(namespace)
        except LimitReached as limit:
            outcome = limit.outcome
        except Exception as error:
            if not tolerant:
                raise
            outcome = Outcome(Status.EXCEPTION, repr(error))
            recorder.finish(namespace, error)
        finally:
            recorder.tap.classes.lift()
    writer.output(printed.getvalue())
    writer.outcome(outcome or Outcome(Status.OK))
    writer.flush()
    reader = codec.Reader()
    for line in stream.getvalue().splitlines():
        reader.feed(line)
    return reader.recording()


def gradients(recording: Recording, mode: Mode, pass_index: int = 0) -> dict[str, float]:
    """Final gradients by every name that a node has."""
    trace = recording.trace(mode, pass_index)
    assert trace is not None
    return {
        name: trace.final[node.id]
        for node in recording.nodes
        if node.id in trace.final
        for name in (node.name, *node.aliases)
    }


EXPECTED = {"a": 42.0, "b": 32.0, "c": 12.0, "d": 10.0, "e": 2.0, "f": 1.0}
OVERWRITTEN = {"a": 6.0, "b": 6.0, "c": 6.0, "d": 5.0, "e": 1.0, "f": 1.0}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_of_class_gives_the_right_gradients(shape):
    recording = record(SHAPES[shape])
    assert recording.outcome.status is Status.OK
    accumulated = gradients(recording, Mode.ACCUMULATE)
    assert {name: accumulated[name] for name in EXPECTED} == EXPECTED
    overwritten = gradients(recording, Mode.OVERWRITE)
    assert {name: overwritten[name] for name in OVERWRITTEN} == OVERWRITTEN


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_of_class_gives_the_same_graph(shape):
    recording = record(SHAPES[shape])
    assert [node.children for node in recording.nodes] == [(), (), (0, 1), (0, 1), (2, 3), (4, 4)]
    assert [node.op for node in recording.nodes] == ["", "", "+", "*", "*", "+"]
    assert [node.data for node in recording.nodes] == [2.0, 3.0, 5.0, 6.0, 30.0, 60.0]
    lines = SHAPES[shape].splitlines()
    for node in recording.nodes:
        assert node.line is not None
        assert lines[node.line - 1].startswith(f"{node.name} = ")


@pytest.mark.parametrize("shape", SHAPES)
def test_every_write_is_local_times_upstream(shape):
    trace = record(SHAPES[shape]).trace(Mode.ACCUMULATE)
    writes = [step for step in trace.steps if step.kind is Kind.WRITE]
    assert len(writes) == 8
    for step in writes:
        assert step.local * step.upstream == step.contribution
        assert step.before + step.contribution == step.after
    assert [step.slot for step in writes] == [0, 1] * 4


DIAMOND = """
from chainstep import Value
a = Value(2.0)
b = Value(3.0)
c = a + b
d = a * b
e = c * d
"""
PATHS = """
from chainstep import Value
a = Value(2.0)
b = Value(3.0)
c = a + b
d = a * b
e = c + d
f = c * d
y = e + f
"""
TWICE_DOUBLED = """
from chainstep import Value
a = Value(1.0)
b = a + a
c = b + b
"""


def test_recursion_without_an_order_gives_the_classic_wrong_numbers():
    wrong = gradients(record(PATHS, order=Order.RECURSIVE), Mode.ACCUMULATE)
    assert (wrong["a"], wrong["b"]) == (29.0, 22.0)
    right = gradients(record(PATHS), Mode.ACCUMULATE)
    assert [right[name] for name in "abcd"] == [25.0, 19.0, 7.0, 6.0]
    assert gradients(record(TWICE_DOUBLED, order=Order.RECURSIVE), Mode.ACCUMULATE)["a"] == 8.0


@pytest.mark.parametrize("order", [Order.DEPTH_FIRST, Order.BREADTH_FIRST])
def test_both_topological_orders_accumulate_to_the_same(order):
    right = gradients(record(PATHS, order=order), Mode.ACCUMULATE)
    assert [right[name] for name in "abcd"] == [25.0, 19.0, 7.0, 6.0]


def test_a_second_backward_is_not_a_doubling():
    recording = record("""
from chainstep import Value
a = Value(3.0)
b = Value(2.0)
c = a + b
d = Value(1.0)
e = c * d
e.backward()
e.backward()
""")
    first = gradients(recording, Mode.AS_WRITTEN, 0)
    second = gradients(recording, Mode.AS_WRITTEN, 1)
    assert [first[name] for name in "abcd"] == [1.0, 1.0, 1.0, 5.0]
    assert [second[name] for name in "abcd"] == [3.0, 3.0, 2.0, 10.0]
    assert [gradients(recording, Mode.ACCUMULATE, 1)[name] for name in "abcd"] == [1, 1, 1, 5]


def test_passes_over_parts_of_one_graph_keep_the_gradients_of_the_interior():
    recording = record("""
from chainstep import Value
a = Value(2.0)
b = a * a
c = b + b
b.backward()
c.backward()
""")
    assert gradients(recording, Mode.AS_WRITTEN, 1)["a"] == 16.0
    assert gradients(recording, Mode.ACCUMULATE, 1)["a"] == 8.0


def test_without_zeroing_gradients_grow_from_pass_to_pass():
    recording = record("""
from chainstep import Value
w = Value(1.0)
for _ in range(3):
    y = w * 2
    y.backward()
""")
    assert recording.passes == 3
    grown = [gradients(recording, Mode.AS_WRITTEN, k)["w"] for k in range(3)]
    assert grown == [2.0, 4.0, 6.0]
    assert all(gradients(recording, Mode.ACCUMULATE, k)["w"] == 2.0 for k in range(3))


def test_zeroing_between_passes_is_told_at_the_start_of_the_next():
    recording = record("""
from chainstep import Value
w = Value(1.0)
for _ in range(2):
    w.grad = 0.0
    y = w * 2
    y.backward()
""")
    second = recording.trace(Mode.AS_WRITTEN, 1)
    assert second.initial[0] == 2.0
    zeroing = second.steps[0]
    assert (zeroing.kind, zeroing.before, zeroing.after, zeroing.line) == (
        Kind.OUTSIDE,
        2.0,
        0.0,
        5,
    )
    assert second.final[0] == 2.0


def test_data_changed_after_the_forward_pass_is_seen_as_the_closures_see_it():
    recording = record("""
from chainstep import Value
w = Value(2.0)
x = Value(3.0)
y = w * x
w.data = 100.0
y.backward()
""")
    assert gradients(recording, Mode.AS_WRITTEN)["x"] == 100.0
    assert gradients(recording, Mode.ACCUMULATE)["x"] == 100.0
    assert recording.nodes[0].data == 2.0
    assert recording.trace(Mode.ACCUMULATE).data == {0: 100.0}


def test_the_passes_leave_the_programs_own_gradients_alone():
    recording = record(DIAMOND + "e.backward()\nprint(a.grad, b.grad, c.grad, d.grad, e.grad)\n")
    assert recording.output == "21.0 16.0 6.0 5.0 1.0\n"
    recording = record(DIAMOND + "print(a.grad, e.grad)\n")
    assert recording.output == "0.0 0.0\n"


def test_whole_numbers_stay_whole_in_what_the_program_prints():
    recording = record("""
from micrograd.engine import Value
a = Value(2)
b = Value(3)
c = a * b
c.backward()
print(a.grad, b.grad, c.grad)
""")
    assert recording.output == "3 2 1\n"


def test_contributions_are_exact_where_subtraction_would_round():
    recording = record("""
from chainstep import Value
a = Value(1.0)
big = a * 1e16
small = a * 0.1
y = big + small
y.backward()
""")
    for mode in (Mode.AS_WRITTEN, Mode.ACCUMULATE):
        trace = recording.trace(mode)
        written = [s.contribution for s in trace.steps if s.target == 0 and s.kind is Kind.WRITE]
        assert sorted(written) == [0.1, 1e16]


def test_a_pass_called_by_hand_is_recorded_as_written():
    recording = record(
        (HERE / "shapes" / "children_tuple.py").read_text()
        + ("f.grad = 1.0\nf._backward()\ne._backward()\nd._backward()\nc._backward()\n")
    )
    trace = recording.trace(Mode.AS_WRITTEN)
    assert trace.sequence == (5, 4, 3, 2)
    assert trace.steps[0].kind is Kind.SEED
    assert gradients(recording, Mode.AS_WRITTEN)["a"] == 42.0
    assert gradients(recording, Mode.OVERWRITE)["a"] == 6.0


OWN_HASH = (
    "\n    def __eq__(self, other): return self is other\n    def __hash__(self): return {}\n"
)


@pytest.mark.parametrize(
    "own", ["", OWN_HASH.format("id(self)"), OWN_HASH.format("object.__hash__(self)")]
)
def test_a_set_of_nodes_is_gone_through_in_the_same_order_wherever_they_lie_in_memory(own):
    engine, _, _ = SHAPES["children_set"].partition("\na = Value")
    used = "\nnodes = {Value(float(i)) for i in range(40)}\nprint([node.data for node in nodes])\n"
    # Values that live and die in between get others to lie elsewhere.
    moved = "\nkept = [bytearray(64 * i) for i in range(200)]\n"
    assert record(engine + own + used).output == record(engine + own + moved + used).output


def test_a_hash_by_value_is_left_alone():
    engine, _, _ = SHAPES["children_set"].partition("\na = Value")
    own = OWN_HASH.format("hash(self.data)")
    assert record(engine + own + "\nprint(hash(Value(7.0)))\n").output == "7\n"


@pytest.mark.parametrize("how", ["copy.copy(f)", "copy.deepcopy(f)"])
@pytest.mark.parametrize("shape", ["slots", "children_tuple"])
def test_a_copied_node_shares_its_backward_function_as_it_does_without_us(shape, how):
    source = (
        SHAPES[shape]
        + f"""
import copy
g = {how}
g.grad = 5.0
f.grad = 1.0
g._backward()
print(e.grad, g._backward is f._backward or g._backward == f._backward)
"""
    )
    plain = io.StringIO()
    with contextlib.redirect_stdout(plain):
        exec(source, {"__name__": "__main__"})
    assert record(source).output == plain.getvalue() == "2.0 True\n"


def test_a_backward_function_beside_the_class_is_recorded_as_written():
    recording = record(
        (HERE / "shapes" / "children_tuple.py").read_text()
        + """
def backward(root):
    topo, seen = [], set()
    def visit(v):
        if v not in seen:
            seen.add(v)
            for c in v._prev:
                visit(c)
            topo.append(v)
    visit(root)
    root.grad = 1.0
    for v in reversed(topo):
        v._backward()

backward(f)
"""
    )
    assert recording.trace(Mode.AS_WRITTEN).sequence == (5, 4, 3, 2, 1, 0)
    assert gradients(recording, Mode.AS_WRITTEN)["a"] == 42.0


def test_gradients_filled_in_by_hand_are_recorded_beside_the_right_ones():
    recording = record(DIAMOND + "e.grad = 1.0\nc.grad = 6.0\nd.grad = 5.0\na.grad = 6.0\n")
    trace = recording.trace(Mode.AS_WRITTEN)
    assert {step.kind for step in trace.steps} == {Kind.OUTSIDE}
    assert gradients(recording, Mode.AS_WRITTEN)["a"] == 6.0
    assert gradients(recording, Mode.ACCUMULATE)["a"] == 21.0


def test_an_engine_without_closures_shows_who_ran_and_what_it_wrote():
    recording = record((HERE / "faults" / "ok_microgpt_style.py").read_text())
    written = recording.trace(Mode.AS_WRITTEN)
    clean = recording.trace(Mode.ACCUMULATE)
    inner = [i for i in clean.sequence if recording.nodes[i].children]
    assert list(written.sequence) == inner
    key = lambda s: (s.node, s.slot, s.target, s.contribution)  # noqa: E731
    told = [key(s) for s in written.steps if s.kind is Kind.WRITE]
    assert told == [key(s) for s in clean.steps if s.kind is Kind.WRITE]


def test_names_come_from_labels_variables_attributes_and_containers():
    recording = record("""
from chainstep import Value
from chainstep.nn import MLP
n = MLP(2, [2, 1])
w = [Value(1.0), Value(2.0)]
x = Value(3.0)
x.label = "eks"
d = {"k": Value(4.0)}
out = n([x, d["k"]]) + w[1] * 2 + (x * x).tanh()
""")
    names = [node.name for node in recording.nodes]
    for name in ("n.layers[0].neurons[1].w[0]", "w[1]", "eks", "d['k']", "out", "w[1]*2"):
        assert name in names
    assert "tanh(eks*eks)" in names
    constant = next(node for node in recording.nodes if node.constant and node.data == 2.0)
    assert constant.name == "2"


def test_the_root_is_the_last_value_bound_at_top_level():
    def root(source):
        recording = record("from chainstep import Value\n" + source)
        trace = recording.trace(Mode.ACCUMULATE)
        return recording.nodes[trace.root].name

    assert root("a = Value(1.0)\nb = a + a\nc = b * b\nb = c + 1\n") == "b"
    assert root("a = Value(1.0)\nb = a + a\nspare = Value(2.0)\n") == "b"
    assert root("xs = [Value(1.0), Value(2.0)]\nys = [xs[0] * xs[1]]\n") == "ys[0]"


def test_an_explicit_root_is_taken_and_an_unknown_one_is_named():
    recording = record(DIAMOND, root="d")
    assert recording.nodes[recording.trace(Mode.ACCUMULATE).root].name == "d"
    refused = record(DIAMOND, root="nobody")
    assert refused.outcome.status is Status.NO_GRAPH
    assert "nobody" in refused.outcome.message
    assert "a, b, c, d, e" in refused.outcome.message


def test_where_nothing_is_like_a_value_it_says_what_is_missing():
    plain = record("x = 1 + 1\n").outcome
    assert plain.status is Status.NO_GRAPH
    assert "_prev" in plain.message
    near = record("""
class Number:
    def __init__(self, data):
        self.data = data
    def __add__(self, other):
        return Number(self.data + other.data)
y = Number(1) + Number(2)
""").outcome
    assert near.status is Status.NO_GRAPH
    assert "Number" in near.message
    assert "gradient" in near.message


def test_values_that_nobody_keeps_cost_nothing():
    recording = record(
        """
from chainstep import Value
a = Value(1.0)
for _ in range(5000):
    t = Value(2.0)
b = a + t
""",
        limits=Limits(nodes=100),
    )
    assert recording.outcome.status is Status.OK
    assert len(recording.nodes) == 3


def test_too_many_nodes_or_steps_end_the_run_and_keep_what_was_before():
    source = DIAMOND + "e.backward()\ny = e\nfor _ in range(100):\n    y = y + a\ny.backward()\n"
    nodes = record(source, limits=Limits(nodes=50))
    assert nodes.outcome.status is Status.TOO_LARGE
    assert "--nodes" in nodes.outcome.message
    assert gradients(nodes, Mode.ACCUMULATE)["a"] == 21.0
    steps = record(source, limits=Limits(steps=60))
    assert steps.outcome.status is Status.TOO_LARGE
    assert "--steps" in steps.outcome.message
    assert gradients(steps, Mode.ACCUMULATE)["a"] == 21.0


def test_recursion_that_explodes_ends_its_own_trace_only():
    source = "from chainstep import Value\nx = Value(1.0)\n" + "x = x + x\n" * 40
    recording = record(source, order=Order.RECURSIVE, limits=Limits(steps=4000))
    assert recording.outcome.status is Status.OK
    for mode in (Mode.ACCUMULATE, Mode.OVERWRITE):
        assert recording.trace(mode).error is not None


def test_a_closure_that_raises_keeps_the_steps_before_it():
    recording = record((HERE / "faults" / "root_of_zero.py").read_text(), tolerant=True)
    assert recording.outcome.status is Status.EXCEPTION
    for trace in recording.traces:
        assert trace.error is not None
        assert "ZeroDivisionError" in trace.error.message
        assert trace.error.step == len(trace.steps) > 0
        assert trace.error.line in {8, 11}


def test_unknown_operations_get_their_local_derivative_also_at_upstream_zero():
    recording = record("""
import math
from chainstep import Value

def softplus(x):
    out = Value(math.log1p(math.exp(x.data)))
    out._prev = (x,)
    out._op = "softplus"
    def _backward():
        x.grad += out.grad / (1 + math.exp(-x.data))
    out._backward = _backward
    return out

x = Value(0.5)
s = softplus(x)
y = s * 0.0
""")
    trace = recording.trace(Mode.ACCUMULATE)
    node = next(n for n in recording.nodes if n.op == "softplus")
    step = next(s for s in trace.steps if s.node == node.id and s.kind is Kind.WRITE)
    assert step.upstream == 0.0
    assert math.isclose(step.local, 1 / (1 + math.exp(-0.5)), rel_tol=1e-12)


def test_data_that_is_no_number_is_shown_as_nan_and_said():
    recording = record("""
class Value:
    def __init__(self, data, _prev=()):
        self.data = data
        self.grad = 0.0
        self._prev = _prev
        self._backward = lambda: None
    def __add__(self, other):
        return Value(self.data + other.data, (self, other))
a = Value("2")
b = a + a
""")
    assert math.isnan(recording.nodes[0].data)
    assert any("str" in note for note in recording.notes)


def test_an_engine_whose_operands_are_also_told_of_their_consumers_is_no_cycle():
    recording = record("""
class Value:
    def __init__(self, data, parents=()):
        self.data = data
        self.grad = 0.0
        self.parents = list(parents)
        self.children = []
        for p in parents:
            p.children.append(self)
        self._backward = lambda: None
    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other))
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out
a = Value(2.0)
b = Value(5.0)
c = a * b
""")
    assert [node.children for node in recording.nodes] == [(), (), (0, 1)]
    assert gradients(recording, Mode.ACCUMULATE)["a"] == 5.0


def test_a_cycle_in_the_graph_does_not_hang_the_run():
    recording = record(DIAMOND + "a._prev = (e,)\n", limits=Limits(steps=2000))
    assert recording.outcome.status is Status.OK
    assert recording.trace(Mode.ACCUMULATE) is not None


def test_the_recording_is_the_same_for_handed_cases_every_time():
    source = (HERE / "cases" / "every_operation.py").read_text()
    expected = json.loads((HERE / "cases" / "every_operation.json").read_text())
    first = record(source)
    assert first == record(source)
    assert len(first.nodes) == expected["nodes"]


# -- where the code stands -----------------------------------------------------------------


def variables(recording, name):
    """The variables of the `_backward` of the node with that name, each with its node's name."""
    node = next(node for node in recording.nodes if name in {node.name, *node.aliases})
    bound = recording.codes[node.id].names
    return {variable: recording.nodes[of].name for variable, of in bound}


@pytest.mark.parametrize(
    ("shape", "own", "other"),
    [
        ("slots", "self", "other"),
        ("dataclass", "self", "other"),
        ("operations_are_functions", "x", "y"),
    ],
)
def test_the_variables_of_a_closure_are_told_by_node(shape, own, other):
    recording = record(SHAPES[shape])
    assert variables(recording, "c") == {own: "a", other: "b", "out": "c"}
    assert variables(recording, "f") == {own: "e", other: "e", "out": "f"}


def test_a_backward_that_is_a_method_knows_itself():
    recording = record(SHAPES["backward_is_a_method"])
    assert variables(recording, "d") == {"self": "d"}
    lines = recording.source.splitlines()
    code = recording.codes[3]
    assert lines[code.first_line - 1].strip() == "def _backward(self):"
    assert lines[code.last_line - 1].strip() == "y.grad += x.data * self.grad"


def test_every_closure_is_told_with_its_first_and_last_line_once():
    recording = record(SHAPES["children_tuple"] + "f.backward = None\n")
    lines = recording.source.splitlines()
    assert set(recording.codes) == set(range(6))
    code = recording.codes[2]
    assert (code.file, lines[code.first_line - 1].strip()) == (0, "def _backward():")
    assert lines[code.last_line - 1].strip() == "other.grad += out.grad"
    leaf = recording.codes[0]
    assert leaf.first_line == leaf.last_line
    assert "lambda: None" in lines[leaf.first_line - 1]


def test_variables_of_partials_defaults_and_callable_objects_are_told():
    recording = record("""
from functools import partial

class Value:
    def __init__(self, data, children=()):
        self.data, self.grad, self._prev = data, 0.0, children
        self._backward = None

class Send:
    def __init__(self, out, to):
        self.out, self.to = out, to
    def __call__(self):
        self.to.grad += self.out.grad

def send(out, to):
    to.grad += out.grad

a = Value(1.0)
b = Value(a.data, (a,))
b._backward = partial(send, b, to=a)
c = Value(b.data, (b,))
c._backward = Send(c, b)
d = Value(c.data, (c,))
def last(out=d, *, to=c):
    to.grad += out.grad
d._backward = last
""")
    assert variables(recording, "b") == {"out": "b", "to": "a"}
    assert variables(recording, "c") == {"self.out": "c", "self.to": "b"}
    assert variables(recording, "d") == {"out": "d", "to": "c"}
    assert recording.trace(Mode.ACCUMULATE).final[0] == 1.0


def test_the_text_of_every_file_that_steps_speak_of_is_there():
    recording = record("from micrograd.engine import Value\na = Value(1.0)\nb = a + a\n")
    assert recording.text(0) == recording.source
    file = recording.codes[1].file
    assert recording.files[file].endswith("engine.py")
    line = recording.text(file).splitlines()[recording.codes[1].first_line - 1]
    assert line.strip() == "def _backward():"
    assert recording.text(99) == ""


# -- Values by number ----------------------------------------------------------------------

ENGINES = {
    "ours": "from chainstep import Value\n",
    "micrograd": "from micrograd.engine import Value\n",
    **{
        name: SHAPES[name].partition("a = Value(2.0)")[0]
        for name in ("slots", "dataclass", "dataclass_with_slots", "data_and_grad_as_properties")
    },
}
USES = """
for _ in range(3):
    Value(9.0)
a = Value(2.0)
b = Value(3.0)
c = a * b
d = c + a
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_values_are_numbered_in_the_order_in_which_the_program_made_them(engine):
    recording = record(ENGINES[engine] + USES)
    assert [node.serial for node in recording.nodes] == [3, 4, 5, 6]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_value_gets_another_number_before_anything_is_computed_from_it(engine):
    recording = record(ENGINES[engine] + USES + "print(a.data, d.data)\n", data=((3, 5.0),))
    assert [node.data for node in recording.nodes] == [5.0, 3.0, 15.0, 20.0]
    assert recording.trace(Mode.ACCUMULATE).final == {0: 4.0, 1: 5.0, 2: 1.0, 3: 1.0}
    assert recording.output == "5.0 20.0\n"
    inner = record(ENGINES[engine] + USES, data=((5, -1.0), (4, 0.5)))
    assert [node.data for node in inner.nodes] == [2.0, 0.5, -1.0, 1.0]


def test_another_number_goes_past_setters_and_frozen_classes():
    recording = record(
        """
class Value:
    def __init__(self, data, _prev=()):
        self._d, self.grad, self._prev = data, 0.0, _prev
        self._backward = lambda: None
    @property
    def data(self):
        return self._d
    @data.setter
    def data(self, number):
        raise AttributeError("read only")
    def __add__(self, other):
        return Value(self.data + other.data, (self, other))
a = Value(1.0)
b = a + a
""",
        data=((0, 4.0),),
    )
    assert [node.data for node in recording.nodes] == [4.0, 8.0]


# -- the edges -----------------------------------------------------------------------------


def test_a_negative_zero_stays_one():
    recording = record("""
from chainstep import Value
a = Value(0.0)
b = a * -1.0
a.grad = -0.0
b.backward()
""")
    trace = recording.trace(Mode.AS_WRITTEN)
    outside = trace.steps[0]
    assert math.copysign(1.0, outside.after) == -1.0
    first = next(step for step in trace.steps if step.kind is Kind.WRITE and step.target == 0)
    assert math.copysign(1.0, first.before) == -1.0


def test_a_node_that_is_called_without_belonging_to_the_pass_joins_it():
    recording = record("""
from chainstep import Value
a = Value(1.0)
b = a + a
other = Value(7.0)
other.grad = 2.5
class Mine(Value):
    __slots__ = ()
    def backward(self):
        super().backward()
        other._backward()
c = Mine(1.0, (b,))
c.backward()
""")
    trace = recording.trace(Mode.AS_WRITTEN)
    called = next(node.id for node in recording.nodes if node.name == "other")
    assert trace.sequence[-1] == called
    assert trace.initial[called] == 0.0
    assert trace.final[called] == 2.5


def test_writes_before_a_pass_that_are_too_many_leave_no_pass_open_and_begin_no_other():
    source = DIAMOND + "spare = a + a\nfor _ in range(30):\n    a.grad = 0.0\ne.backward()\n"
    limited = record(source, limits=Limits(steps=25))
    assert limited.outcome.status is Status.TOO_LARGE
    assert limited.traces == ()
    within = record(source.replace("30", "20"), limits=Limits(steps=25))
    assert within.outcome.status is Status.TOO_LARGE
    assert {trace.mode for trace in within.traces} == {Mode.AS_WRITTEN}
    assert all(trace.error is not None for trace in within.traces)
    assert {recording_root(within, trace) for trace in within.traces} == {"e"}


def recording_root(recording, trace):
    return recording.nodes[trace.root].name
