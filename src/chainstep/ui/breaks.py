"""The breakpoints and watches of a session: the list, and where they hit in the story on show."""

from __future__ import annotations

import contextlib
import json
import threading
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Qt, Signal, Slot

from chainstep.errors import ChainstepError
from chainstep.trace import Mode

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chainstep.breakpoints import Breakpoint, Hits, NodeName
    from chainstep.story import Story
    from chainstep.trace import Trace
    from chainstep.ui.session import Session

BESIDE = {Mode.ACCUMULATE: Mode.OVERWRITE, Mode.OVERWRITE: Mode.ACCUMULATE}
MOST_STORIES = 3
"""Stories whose hits are kept: one per mode."""
T = TypeVar("T")
QUICK = 20_000
"""Moments of a story up to which it is found at once where a breakpoint hits."""
NEVER: tuple[int, ...] = ()


@dataclass
class _Known:
    """Where some breakpoints hit in one story; None before it is known of any."""

    story: Story
    hits: Hits
    items: tuple[Breakpoint, ...] | None = None


class Breakpoints(QObject):
    """What a session stops at and watches.

    Where a breakpoint hits is looked for once per story, when it is first asked for.

    Args:
        session: Whose story it is about.
    """

    changed = Signal()
    """Another breakpoint or watch, or one less; or it has been found where they hit."""
    _found = Signal(object, object)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._known: list[_Known] = []
        self._looking = False
        self._found.connect(self._take_found, Qt.ConnectionType.QueuedConnection)
        self.items: tuple[Breakpoint, ...] = ()
        self.watches: tuple[NodeName, ...] = ()

    # -- the list -----------------------------------------------------------------------

    def set(
        self, items: Sequence[Breakpoint] | None = None, watches: Sequence[NodeName] | None = None
    ) -> None:
        """Take these breakpoints or watches instead of those before."""
        self.items = self.items if items is None else tuple(items)
        self.watches = self.watches if watches is None else tuple(watches)
        self.changed.emit()

    def forget(self) -> None:
        """Begin anew for another program; nothing is said of it."""
        self.items, self.watches, self._known = (), (), []

    def add(self, item: Breakpoint) -> None:
        """Stop there too, if that is not on the list already."""
        if replace(item, enabled=True) not in {replace(each, enabled=True) for each in self.items}:
            self.set((*self.items, item))

    def remove(self, number: int) -> None:
        """Stop no longer at the one with that number."""
        self.set([each for n, each in enumerate(self.items) if n != number])

    def enable(self, number: int, enabled: bool) -> None:
        """Let the one with that number hit, or not for now."""
        items = list(self.items)
        items[number] = replace(items[number], enabled=enabled)
        self.set(items)

    def toggle(self, node_id: int) -> None:
        """Stop at a node, or no longer."""
        from chainstep.breakpoints import Breakpoint, NodeName  # noqa: PLC0415  not at start

        rest = [each for each in self.items if self._plain(each) != node_id]
        if len(rest) == len(self.items) and (recording := self._session.recording) is not None:
            rest.append(Breakpoint(NodeName.of(recording.nodes[node_id])))
        self.set(rest)

    def stops_at(self, node_id: int) -> bool:
        """Whether a breakpoint is set on just that node."""
        return any(self._plain(each) == node_id for each in self.items)

    def _plain(self, item: Breakpoint) -> int | None:
        """The node of a breakpoint that is about nothing else."""
        if item.op or item.condition or item.node is None:
            return None
        return self._find(item.node)

    def _find(self, name: NodeName) -> int | None:
        story = self._session.story
        return None if story is None else name.find(story)

    def toggle_watch(self, node_id: int) -> None:
        """Watch a node, or no longer."""
        from chainstep.breakpoints import NodeName  # noqa: PLC0415  not at start

        rest = [name for name in self.watches if self._find(name) != node_id]
        if len(rest) == len(self.watches) and (recording := self._session.recording) is not None:
            rest.append(NodeName.of(recording.nodes[node_id]))
        self.set(watches=rest)

    def watched(self) -> list[tuple[NodeName, int | None]]:
        """The watches, each with the id of its node in this pass; None where it has none."""
        return [(name, self._find(name)) for name in self.watches]

    def is_watched(self, node_id: int) -> bool:
        """Whether a node is among the watches."""
        return any(found == node_id for _, found in self.watched())

    # -- where they hit -----------------------------------------------------------------

    @property
    def hits(self) -> Hits | None:
        """Where they hit in the story on show; None where nothing does, or it is not known yet.

        In a long story that takes a while: it is looked for in a thread of its own, and
        `changed` says that it is known.
        """
        story = self._session.story
        if story is None or not self.items:
            return None
        known = next((each for each in self._known if each.story is story), None)
        if known is None:
            known = self._new(story)
        if known.items is not self.items and not self._looking:
            if story.length <= QUICK:
                known.hits.set(self.items)
                known.items = self.items
            else:
                self._looking = True
                threading.Thread(target=self._look, args=(known, self.items), daemon=True).start()
        return known.hits if known.items is self.items else None

    @property
    def looking(self) -> bool:
        """Whether it is being looked for where they hit."""
        return self._looking

    def _new(self, story: Story) -> _Known:
        from chainstep.breakpoints import Hits  # noqa: PLC0415  not at start

        made = _Known(story, Hits(story, self._beside(story)))
        self._known = [made, *self._known[: MOST_STORIES - 1]]
        return made

    def _look(self, known: _Known, items: tuple[Breakpoint, ...]) -> None:
        known.hits.set(items)
        with contextlib.suppress(RuntimeError):  # the window has been closed meanwhile
            self._found.emit(known, items)

    @Slot(object, object)
    def _take_found(self, known: _Known, items: tuple[Breakpoint, ...]) -> None:
        known.items = items
        self._looking = False
        self.changed.emit()

    def _beside(self, story: Story) -> Trace | None:
        """The same pass in the other mode."""
        other = BESIDE.get(story.trace.mode)
        stepper = self._session.stepper(other) if other is not None else None
        return stepper.trace if stepper is not None else None

    @property
    def positions(self) -> Sequence[int]:
        """Positions of the story at which an enabled one hits, ascending."""
        hits = self.hits
        return NEVER if hits is None else hits.positions

    def from_here(self, forward: bool = True) -> int | None:
        """The next (or previous) hit, as a position of the story; None where there is none."""
        hits, here = self.hits, self._session.position
        if hits is None:
            return None
        return hits.next(here) if forward else hits.previous(here)

    @property
    def here(self) -> tuple[Breakpoint, ...]:
        """Those that hit at the session's position."""
        hits = self.hits
        if hits is None or self._session.moment is None:
            return ()
        return hits.at(self._session.position)

    def marks(self) -> dict[int, bool]:
        """The nodes that a breakpoint names, itself or by op, and whether it is enabled."""
        story = self._session.story
        found: dict[int, bool] = {}
        if story is None:
            return found
        for item in self.items:
            if item.node is None and not item.op:
                continue
            for node in item.nodes(story):
                found[node] = found.get(node, False) or item.enabled
        return found

    # -- as text ------------------------------------------------------------------------

    def to_text(self) -> str:
        """All of it as JSON; empty where there is nothing."""
        if not self.items and not self.watches:
            return ""
        data = {
            "breakpoints": [item.to_data() for item in self.items],
            "watches": [name.to_data() for name in self.watches],
        }
        return json.dumps(data, ensure_ascii=False)

    def take_text(self, text: str) -> None:
        """Take what :meth:`to_text` gave; an entry that makes no sense is left out."""
        from chainstep.breakpoints import Breakpoint, NodeName  # noqa: PLC0415  not at start

        try:
            data = json.loads(text) if text else {}
        except (ValueError, RecursionError):
            data = {}
        self.set(
            _read(data, "breakpoints", Breakpoint.from_data),
            _read(data, "watches", NodeName.from_data),
        )


def _read(data: object, key: str, make: Callable[[object], T]) -> list[T]:
    """What can be made of the entries under a key."""
    entries = data.get(key) if isinstance(data, dict) else None
    made = (_made(entry, make) for entry in (entries if isinstance(entries, list) else []))
    return [each for each in made if each is not None]


def _made(entry: object, make: Callable[[object], T]) -> T | None:
    try:
        return make(entry)
    except ChainstepError:
        return None
