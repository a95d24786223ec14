"""What is right by mathematics where the code does something else, as an answer and in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chainstep.explain import gift, named
from chainstep.figures import short
from chainstep.formula import factors_of, product
from chainstep.history import history
from chainstep.reckoning import due
from chainstep.trace import Kind, Mode

if TYPE_CHECKING:
    from chainstep.answer import Figure
    from chainstep.reckoning import Due
    from chainstep.trace import Recording, Step, Trace


@dataclass(frozen=True, slots=True)
class Correction:
    """A number that is right, and is not what the code leaves or hands on.

    Attributes:
        number: It.
        words: What is right and what the code does, in one sentence without its full stop.
    """

    number: float
    words: str

    def fits(self, figure: Figure) -> bool:
        """Whether an answer is that number."""
        return figure.fits(self.number)


def contribution_due(recording: Recording, trace: Trace, step: Step) -> Correction | None:
    """What a write should have brought; None where it did, or where nobody can say."""
    right = due(recording.nodes, trace, step)
    return None if right is None else _contribution(recording, step, right)


def _contribution(recording: Recording, step: Step, right: Due) -> Correction:
    number, op = right.contribution, _op(recording, step)
    gives = f"this class gives {_given(recording, step)}"
    return Correction(number, f"{short(number)} is what {op} should give; {gives}")


def as_foreseen(recording: Recording, trace: Trace, step: Step) -> str:
    """What is to be said to who foresaw what wrong code brings; empty where it is right."""
    right = due(recording.nodes, trace, step)
    if right is None:
        return ""
    where, op = _where(recording, step), _op(recording, step)
    return f"That is what this class gives{where}; {op} should give {_product(right)}."


def as_done(recording: Recording, trace: Trace, step: Step) -> str:
    """What wrong code should bring and what it brings; empty where it is right."""
    right = due(recording.nodes, trace, step)
    if right is None:
        return ""
    should = f"{_op(recording, step)} should give {_product(right)}"
    return f"{should}; this class gives {_given(recording, step)}."


def gradients_due(recording: Recording, trace: Trace, number: int) -> list[Correction]:
    """What a gradient should be after a step, the most thorough first; none where it is that.

    Wrong may be what the code brings and, where that was the program's own choice, that it stores
    with `=` what should be added.
    """
    step = trace.steps[number]
    if step.kind is Kind.SEED:
        return _seed_due(recording, trace, step)
    if step.kind is not Kind.WRITE or step.before is None or step.after is None:
        return []
    found = []
    brings = contribution_due(recording, trace, step)
    brought = (step.contribution or 0.0) if brings is None else brings.number
    leaves = f"and leaves {short(step.after)}"
    if trace.mode is Mode.AS_WRITTEN and step.accumulates is False and _held(trace, number):
        right = step.before + brought
        held = f"the {short(step.before)} that {_name(recording, step.target)} held"
        stores = f"this class stores with ={_where(recording, step)}"
        words = f"{short(right)} is right: += keeps {held}; {stores}, {leaves}"
        found.append(Correction(right, words))
    kept = 0.0 if step.accumulates is False else step.before
    if brings is not None and kept:
        right = kept + brought
        should = f"{_op(recording, step)} should add {short(brought)}"
        adds = f"this class adds {_given(recording, step)}"
        found.append(Correction(right, f"{short(right)} is right: {should}; {adds}, {leaves}"))
    elif brings is not None:
        found.append(brings)
    return found


def _held(trace: Trace, number: int) -> bool:
    """Whether the target of a write has got something in this pass that counts."""
    step = trace.steps[number]
    assert step.target is not None
    return bool(step.before) and bool(history(trace)[step.target].kept(number))


def accepted(
    recording: Recording, trace: Trace, step: Step, figure: Figure, *, is_local: bool
) -> str:
    """What to say about a right contribution, or local derivative; empty for a wrong one.

    Right is what the code hands on, and where that is wrong, also what it should hand on.
    """
    real = step.local if is_local else step.contribution
    if real is not None and figure.fits(real):
        foreseen = as_foreseen(recording, trace, step)
        return " ".join(filter(None, (handed(recording, step), foreseen)))
    right = due(recording.nodes, trace, step)
    if right is None or not figure.fits(right.local if is_local else right.contribution):
        return ""
    words = _contribution(recording, step, right).words
    return f"{words}. The pass goes on with {short(step.contribution or 0.0)}."


def handed(recording: Recording, step: Step) -> str:
    """`d hands a 15.0: 3.0 × 5.0.`: what a write brought, and how it came about."""
    taker = recording.nodes[step.target or 0]
    given = f"{_name(recording, step.node)} hands {gift(taker, short(step.contribution or 0.0))}"
    factors = factors_of(step)
    return f"{given}." if factors is None else f"{given}: {product(*factors)}."


def _seed_due(recording: Recording, trace: Trace, step: Step) -> list[Correction]:
    if step.after is None or step.after == 1 or trace.mode is not Mode.AS_WRITTEN:
        return []
    root = _name(recording, step.target)
    gives = f"this program gives it {short(step.after)}{_where(recording, step)}"
    return [Correction(1.0, f"1.0 is what the root {root} should get; {gives}")]


def _where(recording: Recording, step: Step) -> str:
    """`, in line 22`: where the code stands, as a part of a sentence."""
    if step.line is None:
        return ""
    file = f" of {recording.files[step.file]}" if 0 < step.file < len(recording.files) else ""
    return f", in line {step.line}{file}"


def _given(recording: Recording, step: Step) -> str:
    """`-6.0, in line 22`: what a write brought, and where."""
    return f"{short(step.contribution or 0.0)}{_where(recording, step)}"


def _op(recording: Recording, step: Step) -> str:
    return "" if step.node is None else recording.nodes[step.node].op


def _product(right: Due) -> str:
    return product(right.local, right.upstream, right.contribution)


def _name(recording: Recording, node_id: int | None) -> str:
    return "" if node_id is None else named(recording.nodes[node_id])
