"""A moment as it is drawn: what happens to a node that has no card is shown by the one that has."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from chainstep.figures import precision
from chainstep.trace import Kind
from chainstep.ui.early import Early
from chainstep.ui.moment import Tone

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from chainstep.graph import Edge, Node
    from chainstep.ui.moment import Card, Moment
    from chainstep.visible import Visible

LIT = frozenset({Tone.NOW, Tone.TARGET, Tone.FAILED})
"""Tones of the cards that a moment is about."""
INSIDE = "inside"
"""What stands on the pill of a card that is lit for what is folded into it."""


class Shown(Protocol):
    """What painting asks of a moment."""

    @property
    def selected(self) -> int | None:
        """Id of the selected node."""

    @property
    def pointed(self) -> int | None:
        """Id of the node that is pointed at."""

    @property
    def arrow(self) -> Edge | None:
        """The edge that the moment goes through."""

    @property
    def flows(self) -> Sequence[Edge]:
        """Edges through which numbers go from children to consumer."""

    @property
    def path(self) -> Sequence[Edge]:
        """Edges that led to where the arrow is."""

    @property
    def aside(self) -> tuple[int, str] | None:
        """A card, and words about what happens within it; None where nothing does."""

    def is_made(self, node_id: int) -> bool:
        """Whether a node exists yet."""

    def hidden(self) -> NDArray[np.bool_] | None:
        """Which edges of the drawing do not exist yet."""

    def active(self) -> tuple[int, ...]:
        """Ids of the nodes that the moment is about, the weightiest first."""

    def arithmetic(self, digits: int | None = None) -> tuple[str, ...]:
        """What is written at the arrow."""

    def card(self, node: Node) -> Card:
        """What a node's card says."""

    def tone(self, node_id: int) -> Tone:
        """How a node's card looks."""


@dataclass(frozen=True)
class Sight:
    """A moment, seen through what of the graph is drawn.

    Attributes:
        moment: What happens.
        visible: What is drawn.
    """

    moment: Moment
    visible: Visible

    @property
    def number(self) -> int:
        """How many moments of its phase are over."""
        return self.moment.number

    @property
    def phase(self) -> type[Moment]:
        """What kind of moment it is: one of another kind changes every card."""
        return type(self.moment)

    @property
    def differing(self) -> frozenset[int]:
        """Ids of the nodes whose gradients differ between the modes."""
        return self.moment.differing

    @property
    def wrong(self) -> frozenset[int]:
        """Ids of the nodes whose complete gradients are known to be wrong."""
        return self.moment.wrong

    @property
    def selected(self) -> int | None:
        """Id of the card that the selected node has."""
        return self._card(self.moment.selected)

    @property
    def pointed(self) -> int | None:
        """Id of the card that the node has which is pointed at."""
        return self._card(self.moment.pointed)

    def _card(self, node_id: int | None) -> int | None:
        return None if node_id is None else self.visible.card_of(node_id)

    @property
    def arrow(self) -> Edge | None:
        """The edge that the moment goes through, as it is drawn."""
        arrow = self.moment.arrow
        return None if arrow is None else self.visible.edge_of(arrow)

    @property
    def flows(self) -> Sequence[Edge]:
        """Edges through which numbers go from children to consumer."""
        return self._drawn(self.moment.flows)

    @property
    def path(self) -> Sequence[Edge]:
        """Edges that led to where the arrow is."""
        return self._drawn(self.moment.path)

    def _drawn(self, edges: Sequence[Edge]) -> Sequence[Edge]:
        found = (self.visible.edge_of(edge) for edge in edges)
        return [edge for edge in found if edge is not None]

    def is_made(self, node_id: int) -> bool:
        """Whether a node exists yet."""
        return self.moment.is_made(node_id)

    def hidden(self) -> NDArray[np.bool_] | None:
        """Which edges of the drawing do not exist yet; None where all do."""
        return self.moment.hidden()

    def changed(self, number: int) -> Iterable[int] | None:
        """Ids of nodes whose cards differ from those at another number; None for all of them."""
        changed = self.moment.changed(number)
        return None if changed is None else [self.visible.card_of(node_id) for node_id in changed]

    def active(self) -> tuple[int, ...]:
        """Ids of the cards of the moment, the weightiest first."""
        return tuple(dict.fromkeys(map(self.visible.card_of, self.moment.active())))

    def arithmetic(self, digits: int | None = None) -> tuple[str, ...]:
        """What is written at the arrow; nothing where that lies within a card."""
        key = digits or precision.get()
        if key not in self._written:
            drawn = self.arrow is not None
            self._written[key] = self.moment.arithmetic(digits) if drawn else ()
        return self._written[key]

    @cached_property
    def _written(self) -> dict[int, tuple[str, ...]]:
        """What is written at the arrow, by the digits of its numbers: it is asked for often."""
        return {}

    def remark(self, node: Node) -> Sequence[str]:
        """What else is to be said of a node, as lines."""
        return self.moment.remark(node)

    @cached_property
    def _inside(self) -> dict[int, int]:
        """The cards that are lit for what is folded into them, each with that node."""
        stands = self.visible.stands
        return {stands[n]: n for n in reversed(self.moment.active()) if n in stands}

    def tone(self, node_id: int) -> Tone:
        """How a card looks: lit too where something folded into it is what happens."""
        tone = self.moment.tone(node_id)
        inner = self._inside.get(node_id)
        return tone if inner is None or tone in LIT else self.moment.tone(inner)

    def card(self, node: Node) -> Card:
        """What a card says: the numbers are always those of its own node."""
        card = self.moment.card(self.visible.whole.node(node.id))
        if node.id not in self._inside or card.tone in LIT:
            return card if card.node is node else replace(card, node=node)
        return replace(card, node=node, tone=self.tone(node.id), word=INSIDE)

    @property
    def aside(self) -> tuple[int, str] | None:
        """A card, and words about what happens within it; None where nothing does."""
        moment, stands = self.moment, self.visible.stands
        arrow = moment.arrow
        if arrow is not None and self.visible.edge_of(arrow) is not None:
            return None  # the arithmetic on the edge says it
        about = arrow.child if arrow is not None else moment.now
        if about is None or about not in stands:
            return None
        node = self.visible.whole.node(about)
        name = f"constant {node.name}" if node.constant else node.name
        return stands[about], f"{name} {self._doing(node)}"

    def _doing(self, node: Node) -> str:
        """What happens to a node without a card of its own."""
        moment = self.moment
        if isinstance(moment, Early):
            word = moment.card(node).word
            return "is made" if word == "now" else f"· {word}"
        current = moment.current
        if current is not None and current.kind is Kind.WRITE:
            return f"gets {' '.join(moment.arithmetic())}"
        return "runs _backward"
