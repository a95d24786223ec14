"""The documentation of the findings: one page per kind, with an example that shows just that."""

from __future__ import annotations

import importlib.resources
import re
from dataclasses import dataclass

from chainstep.finding import KINDS

_PAGE = re.compile(
    r"# (?P<code>CS\d{3}) (?P<kind>[a-z-]+)\n\n(?P<title>.+)\n\n(?P<meaning>.+?)\n\n"
    r"## Example\n\n```python\n(?P<example>.+?)```\n\n## How to mend it\n\n(?P<remedy>.+)\n",
    re.DOTALL,
)
"""The form of a page: Markdown with these headings in this order."""


@dataclass(frozen=True, slots=True)
class Page:
    """What the documentation says of one kind of finding.

    Attributes:
        code: `CS101`.
        kind: Key of :data:`chainstep.finding.KINDS`.
        title: What is wrong, in a few words.
        meaning: What it means, in Markdown.
        example: The smallest program that shows it, and nothing else.
        remedy: How to mend it, in Markdown.
    """

    code: str
    kind: str
    title: str
    meaning: str
    example: str
    remedy: str


def page(kind: str) -> Page:
    """The page of a kind in the table of findings.

    >>> page("seed-missing").code
    'CS201'
    """
    code = KINDS[kind].code
    parts = _PAGE.fullmatch(text(kind))
    assert parts is not None, f"the page of {code} has another form"
    return Page(**parts.groupdict())


def text(kind: str) -> str:
    """The whole page of a kind, in Markdown."""
    folder = importlib.resources.files("chainstep.resources") / "findings"
    return (folder / f"{KINDS[kind].code}.md").read_text("utf-8")
