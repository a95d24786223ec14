"""A step, and the chain rule of a node, as text that can be pasted: plain, LaTeX, Markdown."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from chainstep.chainrule import SIGNS
from chainstep.notation import escaped, latex

if TYPE_CHECKING:
    from chainstep.chainrule import ChainRule, Term
    from chainstep.explain import Explanation
    from chainstep.gates import Remark


class Form(Enum):
    """What it is written as."""

    TEXT = "text"
    LATEX = "LaTeX"
    MARKDOWN = "Markdown"


@dataclass(frozen=True, slots=True)
class Told:
    """All that is said about one place.

    Attributes:
        step: The step.
        remark: Its gate, and what is still missing.
        rule: The chain rule of the selected node; None where none is selected.
        name: What that node is called; empty without one.
    """

    step: Explanation
    remark: Remark
    rule: ChainRule | None = None
    name: str = ""


def written(told: Told, form: Form) -> str:
    """All of it in one form."""
    return {Form.TEXT: _text, Form.LATEX: _latex, Form.MARKDOWN: _markdown}[form](told)


def _formulas(told: Told) -> list[str]:
    return [line for line in (told.step.symbols, told.step.numbers) if line]


def _remarks(told: Told) -> str:
    return " ".join(part for part in (told.remark.gate, told.remark.missing) if part)


def _term(term: Term) -> tuple[str, str, str]:
    """(sign and words, formula, where)."""
    sign, words = SIGNS[term.arrival]
    formula = f"{term.symbols} = {term.numbers}" if term.numbers else term.symbols
    where = f", step {term.position}" if term.position is not None and term.numbers else ""
    return f"{sign} {words}{where}", formula, words


def _text(told: Told) -> str:
    parts = [told.step.title, " ".join(told.step.sentences), *_formulas(told), _remarks(told)]
    if told.rule is not None:
        parts += ["", f"Chain rule for {told.name}", told.rule.line]
        parts += [f"{state}: {formula}" for state, formula, _ in map(_term, told.rule.terms)]
        parts.append(told.rule.told)
    return "\n".join(part for place, part in enumerate(parts) if part or place > 4)


def _latex(told: Told) -> str:
    words = f"{' '.join(told.step.sentences)} {_remarks(told)}".strip()
    lines = [rf"\textbf{{{escaped(told.step.title)}.}} {escaped(words)}"]
    lines += [rf"\[ {latex(line)} \]" for line in _formulas(told)]
    if told.rule is not None:
        lines += [rf"\textbf{{Chain rule for {escaped(told.name)}.}} {escaped(told.rule.told)}"]
        lines.append(rf"\[ {latex(told.rule.line)} \]")
        terms = [
            rf"  \item {escaped(words)}: \( {latex(formula)} \)"
            for _, formula, words in map(_term, told.rule.terms)
        ]
        if terms:
            lines += [r"\begin{itemize}", *terms, r"\end{itemize}"]
    return "\n".join(lines)


def _markdown(told: Told) -> str:
    parts = [f"**{_plain(told.step.title)}**", _plain(" ".join(told.step.sentences))]
    parts += [f"$${latex(line)}$$" for line in _formulas(told)]
    parts.append(_plain(_remarks(told)))
    if told.rule is not None:
        parts += [f"**Chain rule for {_plain(told.name)}**", f"$${latex(told.rule.line)}$$"]
        terms = [
            f"- {state}: ${latex(formula)}$" for state, formula, _ in map(_term, told.rule.terms)
        ]
        parts += ["\n".join(terms), _plain(told.rule.told)]
    return "\n\n".join(part for part in parts if part)


def _plain(text: str) -> str:
    """Words in which Markdown sees no sign of its own."""
    return "".join(f"\\{sign}" if sign in "\\`*_[]<>#" else sign for sign in text)
