"""The page of each kind of finding: there, well-formed, and true, as its example shows."""

from __future__ import annotations

import importlib.resources

import here
import pytest

from chainstep.diagnose import diagnose
from chainstep.finding import KINDS
from chainstep.options import Limits, Options
from chainstep.pages import page, text
from chainstep.program import Program
from chainstep.runner import run

NET_S = 60.0
"""What ends by itself takes as long as the machine takes; this is only a net."""
OURS = "rule-failed"
"""Its example can show nothing: only a fault of ours would."""


def options():
    return Options(limits=Limits(time_s=NET_S, memory_mib=400), check=True)


def test_every_kind_has_a_page_and_every_page_a_kind():
    folder = importlib.resources.files("chainstep.resources") / "findings"
    names = {path.name for path in folder.iterdir()}
    assert names == {f"{kind.code}.md" for kind in KINDS.values()}


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_has_its_parts_and_fits_the_table(kind):
    told = page(kind)
    assert (told.code, told.kind) == (KINDS[kind].code, kind)
    assert told.title == f"{KINDS[kind].title}."
    assert told.meaning
    assert told.remedy
    assert all(len(line) <= 110 for line in text(kind).splitlines())
    if kind != "syntax-error":
        compile(told.example, told.code, "exec")


def test_the_example_of_a_check_that_fails_is_a_right_program():
    recording = run(Program("example.py", page(OURS).example), options())
    assert diagnose(recording) == ()


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != OURS])
def test_the_example_of_a_page_gives_exactly_its_finding(kind):
    recording = here.runs(kind)(Program("example.py", page(kind).example), options())
    found = diagnose(recording)
    assert [each.kind for each in found] == [kind], recording.outcome
    assert found[0].line is not None or kind in ("no-value", "exit-code", "hard-exit")
    assert found[0].remedy
