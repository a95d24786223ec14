"""Numbers that somebody answers a question with: how they are read, and when they are right."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chainstep.figures import short

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from chainstep.trace import Step

ROUNDING = (
    "Rounding is fine: a number counts that is right to the last digit you write and within 1 %. "
    "Fractions and products count too: 2/3, 3 × 5."
)
"""What :meth:`Figure.fits` does, in words for who answers."""
CLOSE = 0.01
"""How far off a rounded answer may be, as a share of the truth."""
COMPUTED = 1e-3
"""The same for a fraction or a product, whose parts may be rounded."""
NOISE = 1e-12
"""What rounding leaves of a sum of numbers that cancel, as a share of them."""
NOT_PLUS = "The chain rule multiplies: local derivative times upstream gradient, not plus."
LEAST_POWER, MOST_POWER = -320, 308
"""Below and above them a power of ten is no float any more."""
WORDS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf, "∞": math.inf, "-∞": -math.inf}
PLAIN = re.compile(r"[-+]?(\d+\.?(?P<places>\d*)|\.(?P<only>\d+))(?:e(?P<power>[-+]?\d{1,6}))?")
SIGNS = str.maketrans({"−": "-", "×": "*", "·": "*", "÷": "/", ",": ".", "(": " ", ")": " "})


@dataclass(frozen=True, slots=True)
class Figure:
    """A number as somebody wrote it.

    Attributes:
        value: What it is.
        half: Half a unit of its last digit; of a fraction or a product, what rounding may do.
    """

    value: float
    half: float

    def fits(self, truth: float, scale: float = 0.0) -> bool:
        """Whether it is that number, up to rounding.

        Args:
            truth: The number.
            scale: The largest number that it was added up from: 0 counts for what is left of
                terms that cancel.
        """
        if not math.isfinite(truth) or not math.isfinite(self.value):
            return self.value == truth or (math.isnan(self.value) and math.isnan(truth))
        off = abs(self.value - truth)
        if off <= NOISE * max(abs(truth), scale):
            return True
        return off <= self.half * (1 + NOISE) and off <= CLOSE * abs(truth)


def read_figure(text: str) -> Figure | None:
    """The number that somebody typed; None where it is none.

    >>> read_figure(" −2.50 "), read_figure("3/4").value, read_figure("2 × -3").value
    (Figure(value=-2.5, half=0.005), 0.75, -6.0)
    >>> read_figure("two") is None
    True
    """
    text = text.translate(SIGNS).strip().lower()
    if text in WORDS:
        return Figure(WORDS[text], 0.0)
    parts = re.split(r"\s*([*/])\s*", text)
    figures = [_plain(part.strip()) for part in parts[::2]]
    if len(figures) == 1:
        return figures[0]
    value = 1.0
    for sign, figure in zip(("*", *parts[1::2]), figures, strict=True):
        if figure is None or (sign == "/" and figure.value == 0):
            return None
        value = value / figure.value if sign == "/" else value * figure.value
    return Figure(value, COMPUTED * abs(value)) if math.isfinite(value) else None


def _plain(text: str) -> Figure | None:
    found = PLAIN.fullmatch(text)
    if found is None:
        return None
    value = float(text)
    if math.isinf(value):  # more than a gradient can be, unless it is typed as inf
        return None
    places = len(found["places"] or found["only"] or "")
    power = int(found["power"] or 0) - places
    return Figure(value, 0.5 * 10.0 ** min(max(power, LEAST_POWER), MOST_POWER))


def mistake(step: Step, figure: Figure, giver: str, taker: str, *, stale: bool = False) -> str:
    """What somebody may have had in mind who gave a wrong gradient after a write.

    Args:
        step: The write.
        figure: The answer.
        giver: What the node is called that runs.
        taker: What the node is called whose gradient changes.
        stale: Whether what it holds before came from before this pass.

    Returns:
        A sentence or two; empty where the number is nothing that we know, or may be two things.
    """
    return _proven(figure, _mistakes(step, giver, taker, stale=stale))


def misgiven(
    step: Step, figure: Figure, giver: str, taker: str, before: float, others: Mapping[str, float]
) -> str:
    """The same for a wrong contribution.

    Args:
        step: The write.
        figure: The answer.
        giver: What the node is called that runs.
        taker: What the node is called that it gives to.
        before: The gradient that this one has before.
        others: What others are known to get from the same node, by name.
    """
    return _proven(figure, _mistaken(step, giver, taker, before, others))


def wrong_local(step: Step, figure: Figure) -> str:
    """The same for a wrong local derivative, where that alone was given."""
    local, contribution = step.local, step.contribution
    found = []
    if contribution is not None and contribution != local:
        words = "That is the contribution; the local derivative is without upstream."
        found.append(("upstream", contribution, words))
    if local:
        found.append(("sign", -local, "The sign of the local derivative is wrong."))
    return _proven(figure, found)


def _proven(figure: Figure, mistakes: Iterable[tuple[str, float, str]]) -> str:
    """What to say about the only kind of mistake that leads to a number."""
    found: dict[str, str] = {}
    for kind, number, words in mistakes:
        if not math.isnan(number) and figure.fits(number):
            found.setdefault(kind, words)
    return next(iter(found.values())) if len(found) == 1 else ""


def _mistakes(
    step: Step, giver: str, taker: str, *, stale: bool
) -> Iterator[tuple[str, float, str]]:
    """Common mistakes: of which kind, the number that one leads to, what to say."""
    assert step.contribution is not None
    assert step.before is not None
    brought, held, truth = step.contribution, step.before, step.after
    adds = step.accumulates is not False
    kept = held if adds else 0.0
    if held and adds:
        whence = "still holds from before this pass" if stale else "holds"
        lost = "" if stale else ": the other path was forgotten"
        forgot = (
            f"That is what = would leave{lost}. "
            f"+= adds the {short(brought)} to the {short(held)} that {taker} {whence}."
        )
        yield "path", brought, forgot
        holds = f"That is what {taker} holds before the write: {giver} adds {short(brought)}."
        yield "path", held, holds
    if held and not adds:
        sum_ = f"That is what += would give. Here = replaces the {short(held)} that {taker} holds."
        yield "path", held + brought, sum_
        yield "path", held, f"That is what {taker} holds before the write: = replaces it."
    local, upstream = step.local, step.upstream
    if local is not None and upstream is not None:
        if local != brought:
            forgot = (
                f"The upstream gradient was forgotten: {short(local)} is the local derivative "
                f"alone, and the gradient of {giver} is {short(upstream)}."
            )
            yield from (("upstream", kept + local, forgot), ("upstream", local, forgot))
        if upstream != brought:
            forgot = (
                f"The local derivative was forgotten: {short(upstream)} is the gradient of "
                f"{giver}, and it is scaled by {short(local)} on its way."
            )
            yield from (("local", kept + upstream, forgot), ("local", upstream, forgot))
        yield "plus", kept + local + upstream, NOT_PLUS
    if truth:
        yield "sign", -truth, "The sign is wrong."
        negative = f"The sign of the contribution is wrong: it is {short(brought)}."
        yield "sign", kept - brought, negative


def _mistaken(
    step: Step, giver: str, taker: str, before: float, others: Mapping[str, float]
) -> Iterator[tuple[str, float, str]]:
    local, upstream, contribution = step.local, step.upstream, step.contribution
    assert contribution is not None
    if local is not None and local != contribution:
        words = f"That is the local derivative alone: times upstream, the gradient of {giver}."
        yield "upstream", local, words
    if local is not None and upstream is not None and upstream != contribution:
        yield "local", upstream, f"That is the gradient of {giver}: times the local derivative."
    if local is not None and upstream is not None:
        yield "plus", local + upstream, NOT_PLUS
    if contribution:
        yield "sign", -contribution, "The sign is wrong."
    if before:
        words = f"That is the gradient of {taker} afterwards: asked is what {giver} adds."
        yield "after", before + contribution, words
    for other, gets in others.items():
        yield "other", gets, f"That is what {other} gets, through the other slot."
