"""What a run may use, and how it is to be recorded. Plain data, shared by parent and child."""

from __future__ import annotations

from dataclasses import dataclass, field

from chainstep.trace import Order


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a program may use before it is stopped. All are protection against accidents.

    Attributes:
        time_s: Wall-clock seconds from the start of the program.
        memory_mib: Resident memory of the program and all it started, in MiB.
        output_kib: What it may print, in KiB.
        nodes: How many nodes a recording may hold.
        steps: How many steps all traces together may hold.
    """

    time_s: float = 10.0
    memory_mib: int = 1024
    output_kib: int = 1024
    nodes: int = 20_000
    steps: int = 1_000_000


@dataclass(frozen=True, slots=True)
class Options:
    """How to run and record a program.

    Attributes:
        seed: Seeds `random`, and numpy's where the program loads it.
        order: Order of the forced traces; not AS_WRITTEN.
        root: Name of the node to start from in a program that calls no `backward()`.
        python: Path of another interpreter (3.10 or newer); None for the one that runs this.
        limits: When to stop.
        data: Values that get another number than the program gives them, as (serial, number):
            the number is there before anything is computed from it. See `Node.serial`.
        check: Whether to gather evidence for finding faults: reads of numbers are heard, and each
            operation is called again on fresh Values once the program has ended.
        zeroing: Whether gradients are zeroed between updates: True sees to it, False leaves out
            the program's own zeroing, None lets it do as it does; see `rewriting`.
        mirrored: Whether updates of leaves go the other way; see `rewriting`.
        ours: Name of the program's own Value class for which Chainstep's stands in as soon as it
            is defined; empty for none. See `substitution`.
        guarded: Whether the run ends before it does anything beyond its process: it writes no
            file, starts no process, sends nothing. See `guard`.
    """

    seed: int = 0
    order: Order = Order.DEPTH_FIRST
    root: str | None = None
    python: str | None = None
    limits: Limits = field(default_factory=Limits)
    data: tuple[tuple[int, float], ...] = ()
    check: bool = False
    zeroing: bool | None = None
    mirrored: bool = False
    ours: str = ""
    guarded: bool = False
