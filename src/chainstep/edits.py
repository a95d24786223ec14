"""Other numbers for the leaves of a program: tried out, undone, redone, kept.

The program's text stays as it is: the numbers go into `Options.data`, and the program runs again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chainstep.errors import ChainstepError
from chainstep.figures import short
from chainstep.validation import index, number, text, typed, unnumber

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chainstep.graph import Node

    Data = tuple[tuple[int, float], ...]


class EditsError(ChainstepError):
    """Edits that were kept cannot be read."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of the numbers that leaves have instead of their own.

    Attributes:
        label: What it is, for a menu: `a = 3.5`.
        before: The numbers before it, as (serial, number); see `Options.data`.
        after: The numbers after it.
        serial: The leaf that it changed; None where it changed others or all.
    """

    label: str
    before: Data
    after: Data
    serial: int | None = None


@dataclass(frozen=True, slots=True)
class Edits:
    """What was tried out with one program, to be undone and redone. Never changed, only replaced.

    Attributes:
        done: The edits that count, in order.
        undone: Those that were taken back; the last one is redone first.
    """

    done: tuple[Edit, ...] = ()
    undone: tuple[Edit, ...] = ()

    @property
    def data(self) -> Data:
        """The numbers that leaves have instead of their own, for `Options.data`."""
        if self.done:
            return self.done[-1].after
        return self.undone[-1].before if self.undone else ()

    def number(self, serial: int) -> float | None:
        """The number that a leaf has instead of its own; None where it has its own."""
        return dict(self.data).get(serial)

    def with_number(self, node: Node, value: float, *, joins: bool = False) -> Edits:
        """Give a leaf another number.

        Args:
            node: The leaf.
            value: The number.
            joins: Whether this goes on with the edit before it, as when a slider is drawn: if
                that was of the same leaf, both are one.
        """
        data = dict(self.data)
        data[node.serial] = value
        edit = Edit(f"{node.name} = {short(value)}", self.data, _sorted(data), node.serial)
        last = self.done[-1] if self.done else None
        if joins and last is not None and last.serial == node.serial and not self.undone:
            joined = Edit(edit.label, last.before, edit.after, node.serial)
            return Edits((*self.done[:-1], joined))
        return self._with(edit)

    def without_number(self, node: Node) -> Edits:
        """Give a leaf its own number again."""
        data = dict(self.data)
        data.pop(node.serial, None)
        return self._with(Edit(f"{node.name} as in the program", self.data, _sorted(data)))

    def reset(self) -> Edits:
        """Give every leaf its own number again. This can be undone too."""
        return self._with(Edit("all as in the program", self.data, ()))

    def _with(self, edit: Edit) -> Edits:
        return self if repr(edit.after) == repr(self.data) else Edits((*self.done, edit))

    def undo(self) -> Edits:
        """Take back the last edit; the same where there is none."""
        return Edits(self.done[:-1], (*self.undone, self.done[-1])) if self.done else self

    def redo(self) -> Edits:
        """Do again what was taken back last; the same where there is nothing."""
        return Edits((*self.done, self.undone[-1]), self.undone[:-1]) if self.undone else self

    @property
    def undoes(self) -> str:
        """The label of what :meth:`undo` takes back; empty where it does nothing."""
        return self.done[-1].label if self.done else ""

    @property
    def redoes(self) -> str:
        """The label of what :meth:`redo` does again; empty where it does nothing."""
        return self.undone[-1].label if self.undone else ""

    # -- keeping them -------------------------------------------------------------------

    def to_data(self) -> dict[str, object]:
        """As JSON can hold it."""
        return {
            "done": [_edit_to_data(edit) for edit in self.done],
            "undone": [_edit_to_data(edit) for edit in self.undone],
        }

    @classmethod
    def from_data(cls, data: object) -> Edits:
        """What :meth:`to_data` gave.

        Raises:
            EditsError: It is something else.
        """
        try:
            fields = typed(dict, data)
            done, undone = (typed(list, fields[key]) for key in ("done", "undone"))
            return cls(
                tuple(_edit_from_data(edit) for edit in done),
                tuple(_edit_from_data(edit) for edit in undone),
            )
        except (LookupError, ValueError, TypeError, ChainstepError) as error:
            raise EditsError(f"The edits that were kept are damaged: {error}.") from None


def _sorted(data: Mapping[int, float]) -> Data:
    return tuple(sorted(data.items()))


def _edit_to_data(edit: Edit) -> list[object]:
    return [edit.label, _data_to_rows(edit.before), _data_to_rows(edit.after), edit.serial]


def _data_to_rows(data: Data) -> list[list[object]]:
    return [[serial, number(value)] for serial, value in data]


def _edit_from_data(data: object) -> Edit:
    label, before, after, serial = typed(list, data)
    return Edit(
        text(label),
        _data_from(before),
        _data_from(after),
        None if serial is None else index(serial),
    )


def _data_from(rows: object) -> Data:
    return tuple((index(serial), unnumber(value)) for serial, value in typed(list, rows))
