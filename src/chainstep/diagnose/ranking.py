"""Which findings come first, and which are left out since others explain them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chainstep.finding import KINDS, Severity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chainstep.finding import Finding

_ORDER = frozenset({"seed-missing", "order-not-reversed", "order-recursive", "topo-appends-self"})
_STOPPED = frozenset({"exception-midway", "numeric-error-forward", "numeric-error-backward"})
_TWICE = frozenset({"backward-twice", "stale-interior-grad"})
_NO_CLOSURE = frozenset({"op-without-backward", "backward-not-attached", "child-missing"})

EXPLAINS: dict[str, frozenset[str]] = {
    "syntax-error": frozenset({"exception-midway", "no-value"}),
    "bad-data-type": frozenset(
        {*_STOPPED, *_NO_CLOSURE, "nan-source", "missing-operator", "wrong-forward", "no-value"}
        | {"backward-never-called"}
    ),
    "nested-value": frozenset(
        {*_STOPPED, *_NO_CLOSURE, "nan-source", "missing-operator", "wrong-forward", "no-value"}
        | {"wrong-local-derivative", "detached-graph", "bad-data-type", "backward-never-called"}
    ),
    "cyclic-graph": frozenset(
        {*_ORDER, *_STOPPED, "recursion-limit", "infinite-loop", "infinite-recursion"}
        | {"in-place-mutation"}
    ),
    "infinite-recursion": frozenset(
        {*_STOPPED, "recursion-limit", "output-flood", "infinite-loop"}
    ),
    "missing-operator": frozenset({*_STOPPED}),
    "recursion-limit": frozenset({*_STOPPED, "infinite-loop"}),
    "numeric-error-forward": frozenset({"exception-midway"}),
    "numeric-error-backward": frozenset({"exception-midway"}),
    "backward-called-early": frozenset(
        {*_ORDER, *_STOPPED, *_NO_CLOSURE, "merged-by-value", "overwrite-grad", "zero-misplaced"}
        | {"wrong-local-derivative", "backward-in-grad"}
    ),
    "backward-in-grad": frozenset({*_ORDER, *_STOPPED, *_NO_CLOSURE, "merged-by-value"}),
    "backward-not-attached": frozenset({*_ORDER, *_STOPPED, "op-without-backward"}),
    "closure-late-binding": frozenset(
        {*_ORDER, *_NO_CLOSURE, "wrong-local-derivative", "overwrite-grad", "merged-by-value"}
    ),
    "merged-by-value": frozenset({*_ORDER, "child-missing"}),
    "child-missing": frozenset({"detached-graph", "wrong-local-derivative", "order-recursive"}),
    "detached-graph": frozenset({*_NO_CLOSURE, "wrong-local-derivative", "seed-missing"}),
    "in-place-mutation": frozenset(
        {"data-changed", "wrong-forward", "wrong-local-derivative", *_NO_CLOSURE}
    ),
    "upstream-ignored": frozenset({"wrong-local-derivative", *_ORDER}),
    "wrong-forward": frozenset({"missing-operator"}),
    "seed-everywhere": frozenset({*_ORDER, *_TWICE, "overwrite-grad"}),
    "topo-appends-self": frozenset({"order-recursive", "order-not-reversed", "seed-missing"}),
    "order-not-reversed": frozenset({"order-recursive"}),
    "zero-misplaced": frozenset({"seed-missing", "missing-zero-grad", *_TWICE}),
    "backward-twice": frozenset({"stale-interior-grad"}),
    "backward-never-called": frozenset({"update-has-no-effect"}),
    "missing-zero-grad": frozenset({"nan-source", *_STOPPED}),
    "wrong-update-sign": frozenset({"nan-source", *_STOPPED}),
    "nan-source": frozenset({"saturated-unit"}),
    "exception-midway": frozenset({"no-value", "seed-missing", "order-recursive"}),
    "infinite-loop": frozenset({"no-value", "seed-missing", "order-recursive"}),
    "hard-exit": frozenset({"no-value"}),
    "exit-code": frozenset({"no-value"}),
    "needs-input": frozenset({"exception-midway", "no-value", "bad-data-type", "infinite-loop"}),
    "memory": frozenset({"no-value", "infinite-loop"}),
    "output-flood": frozenset({"no-value", "infinite-loop"}),
}
"""What follows from a finding of each kind, and is then no finding of its own."""

_BY_CODE = sorted(KINDS, key=lambda kind: KINDS[kind].code)
FIRST = ("syntax-error", "infinite-recursion", "missing-operator", "bad-data-type", "nested-value")
"""What stops a program before anything else could go wrong."""


def ranked(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings that stand for themselves, each kind once per line, most important first."""
    kinds = {found.kind for found in findings}
    explained = {kind for cause in kinds for kind in EXPLAINS.get(cause, ()) if kind != cause}
    kept: dict[tuple[str, int | None, int], Finding] = {}
    for found in findings:
        if found.kind not in explained:
            kept.setdefault((found.kind, found.line, found.file), found)
    places = {kind: place for place, kind in enumerate(dict.fromkeys((*FIRST, *_BY_CODE)))}
    return tuple(
        sorted(
            kept.values(),
            key=lambda found: (found.severity is not Severity.FAULT, places[found.kind]),
        )
    )
