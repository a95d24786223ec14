"""Numbers that somebody answers a question with: how they are read, and when they are right."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chainstep.figures import quoted, short

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from chainstep.trace import Step

ROUNDING = (
    "Rounding is fine: a number counts that is right to the last digit you write and within 1 %. "
    "Fractions, products and sums count too: 2/3, 15 + 2 × 3."
)
"""What :meth:`Figure.fits` does, in words for who answers."""
CLOSE = 0.01
"""How far off a rounded answer may be, as a share of the truth."""
COMPUTED = 1e-3
"""The same for a fraction, a product or a sum, whose parts may be rounded."""
NOISE = 1e-12
"""What rounding leaves of a sum of numbers that cancel, as a share of them."""
NOT_PLUS = "The chain rule multiplies: local derivative times upstream gradient, not plus."
LEAST_POWER, MOST_POWER = -320, 308
"""Below and above them a power of ten is no float any more."""
WORDS = {"nan": math.nan} | {
    sign + word: float(f"{sign}inf") for sign in ("", "+", "-") for word in ("inf", "infinity", "∞")
}
PLAIN = re.compile(r"[-+]?(\d+\.?(?P<places>\d*)|\.(?P<only>\d+))(?:e(?P<power>[-+]?\d{1,6}))?")
PART = re.compile(r"\s*((?:\d+\.?\d*|\.\d+)(?:e[-+]?\d{1,6})?|[-+*/()])")
"""A number without its sign, or a sign of arithmetic."""
GROUPED = re.compile(r"(?<![\d.,])[1-9]\d{0,2}(?:,\d{3})+(?![\d,])")
"""A whole number with its thousands set apart; with one comma it may be a decimal one too."""
LONGEST = 200
"""Signs of an answer: nobody types more, and brackets inside one another cost a call each."""
SIGNS = str.maketrans({"−": "-", "–": "-", "×": "*", "·": "*", "÷": "/"})


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

    >>> read_figure(" −2.50 "), read_figure("3/4").value, read_figure("15 + 2 × -3").value
    (Figure(value=-2.5, half=0.005), 0.75, 9.0)
    >>> read_figure("two") is None
    True
    """
    text = text.translate(SIGNS).strip().lower()
    if text in WORDS:
        return Figure(WORDS[text], 0.0)
    text = _with_points(text)
    if len(text) > LONGEST or "," in text:
        return None
    return _plain(text) or _Arithmetic(text).figure()


def unreadable(text: str, asked: str = "type one") -> str:
    """What is to be said where that gives None."""
    grouped = GROUPED.search(text)
    if grouped is not None and read_figure(text.replace(",", "")) is not None:
        one, other = grouped[0].replace(",", ""), grouped[0].replace(",", ".")
        return f"{quoted(text)} may be {one} or {other}: type it without a comma."
    return f"{quoted(text)} is no number: {asked}, as 6, -0.25 or 2/3."


def _with_points(text: str) -> str:
    """Decimal commas as points, and no commas between thousands; what may be either stays."""

    def settled(found: re.Match[str]) -> str:
        is_sure = found[0].count(",") > 1 or text[found.end() : found.end() + 1] == "."
        return found[0].replace(",", "") if is_sure else found[0]

    grouped = GROUPED.sub(settled, text)
    if GROUPED.search(grouped):
        return grouped
    return re.sub(r"(?<=\d),(?=\d)|(?<!\d),(?=\d)", ".", grouped)


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


class _NoNumberError(Exception):
    """What was typed cannot be worked out."""


class _Arithmetic:
    """Works out sums, products and fractions of numbers, with brackets."""

    def __init__(self, text: str) -> None:
        self._parts = PART.findall(text)
        self._is_whole = PART.sub("", text).strip() == ""
        self._at = 0
        self._largest = 0.0

    def figure(self) -> Figure | None:
        """The number; None where the text is none."""
        if not self._is_whole or not self._parts:
            return None
        try:
            value = self._sum()
        except (_NoNumberError, ZeroDivisionError):
            return None
        if self._at < len(self._parts) or not math.isfinite(value):
            return None
        others = [part for part in self._parts if part not in "()+-"]
        if len(others) == 1:  # a number with signs and brackets around it
            plain = _plain(others[0])
            return None if plain is None else Figure(value, plain.half)
        return Figure(value, COMPUTED * max(abs(value), self._largest))

    @property
    def _next(self) -> str:
        return self._parts[self._at] if self._at < len(self._parts) else ""

    def _take(self) -> str:
        part = self._next
        self._at += 1
        return part

    def _sum(self) -> float:
        value = self._product()
        while self._next in {"+", "-"}:
            sign, term = self._take(), self._product()
            self._largest = max(self._largest, abs(value), abs(term))
            value = value + term if sign == "+" else value - term
        return value

    def _product(self) -> float:
        value = self._signed()
        while self._next in {"*", "/"}:
            sign, factor = self._take(), self._signed()
            value = value * factor if sign == "*" else value / factor
        return value

    def _signed(self) -> float:
        if self._next in {"+", "-"}:
            return -self._number() if self._take() == "-" else self._number()
        return self._number()

    def _number(self) -> float:
        part = self._take()
        if part == "(":
            value = self._sum()
            if self._take() != ")":
                raise _NoNumberError
            return value
        figure = _plain(part) if part not in {"+", "-", "*", "/", ")"} else None
        if figure is None:
            raise _NoNumberError
        return figure.value


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
