"""Findings: what is wrong with a program, where, why, and how to mend it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chainstep.finding import Finding
    from chainstep.trace import Recording


def diagnose(recording: Recording) -> tuple[Finding, ...]:  # noqa: ARG001
    """What the rules find in a recording: nothing yet."""
    return ()
