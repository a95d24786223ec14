"""Faults over several passes: zeroing, updating, running backward again (CS4xx)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING

from chainstep.diagnose.case import Moment, Place, same
from chainstep.diagnose.goal import is_loss
from chainstep.figures import short
from chainstep.trace import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chainstep.diagnose.case import Case, Pass
    from chainstep.evidence import Change
    from chainstep.finding import Finding
    from chainstep.graph import Node

SHARE = 0.9
"""Part of the updates that have to go along the gradient for the sign to be called wrong."""


# -- no pass ---------------------------------------------------------------------------


def never_called(case: Case) -> Iterator[Finding]:
    """Gradients are read although nothing has computed any."""
    if case.written or not case.evidence.reads or case.evidence.failures:
        return
    if any(step.after != 0 for _, step in case.outside):
        return  # gradients set by hand
    if not any(node.children for node in case.nodes):
        return
    read = case.evidence.reads[0]
    node = case.by_serial.get(read.serial)
    place = Place(read.line)
    name = "a Value" if node is None else case.name(node.id)
    yield case.find(
        "backward-never-called",
        f"The gradient of {name} is read{case.where(place)}, and no backward pass was ever run: "
        "every gradient still is what the constructor gave it.",
        "Call backward() on the root before reading gradients, with its brackets.",
        place,
        node=None if node is None else node.id,
    )


# -- what is carried over --------------------------------------------------------------


def carried_over(case: Case) -> Iterator[Finding]:
    """Gradients of an earlier pass that are still there when another one begins."""
    writers: dict[int, int] = {}
    roots: dict[int, int] = {}
    for each in case.written:
        assert each.written is not None
        carried = {
            node_id: each.base.get(node_id, 0.0)
            for node_id in each.reached
            if node_id in writers and each.base.get(node_id, 0.0) != 0
        }
        yield from _run_again(case, each, carried, roots)
        yield from _never_zeroed(case, each, carried, writers)
        final = each.written.final
        for node_id in final.keys() | each.reached:
            if final.get(node_id, 0.0) != each.base.get(node_id, 0.0):
                writers[node_id] = each.index
        roots[each.root] = each.index


def _run_again(
    case: Case, each: Pass, carried: dict[int, float], roots: dict[int, int]
) -> Iterator[Finding]:
    """The same graph, or a part of it, is run again with its old gradients."""
    assert each.written is not None
    inner = [i for i in carried if case.nodes[i].children and i != each.root]
    place = Place(each.written.line)
    again = each.root in roots
    if again and (inner or any(i != each.root for i in carried)):
        held = max(inner or [i for i in carried if i != each.root])
        yield case.find(
            "backward-twice",
            f"backward() runs from {case.name(each.root)} a second time{case.where(place)} while "
            f"{case.name(held)} still holds {short(carried[held])} from the first: old gradients "
            "are added to and passed on again.",
            "Set every gradient of the graph to 0 before a second pass, or run only one.",
            place,
            at=(each.index, None),
            node=held,
        )
    elif inner:
        held = max(inner)
        yield case.find(
            "stale-interior-grad",
            f"{case.name(held)} still holds {short(carried[held])} from an earlier pass when "
            f"backward() runs from {case.name(each.root)}{case.where(place)}, and sends it on "
            "again together with the new gradient.",
            "Set the gradients of all nodes to 0 between the passes, not only those of the leaves.",
            place,
            at=(each.index, None),
            node=held,
        )


def _never_zeroed(
    case: Case, each: Pass, carried: dict[int, float], writers: dict[int, int]
) -> Iterator[Finding]:
    """A leaf was updated since the pass whose gradient it still holds."""
    assert each.written is not None
    held = []
    for node_id in carried:
        node = case.nodes[node_id]
        if node.children:
            continue
        earlier = case.passes[writers[node_id]]
        if not same(case.data_in(node, earlier), case.data_in(node, each)):
            held.append(node_id)
    if not held:
        return
    place = Place(each.written.line)
    one = held[0]
    yield case.find(
        "missing-zero-grad",
        f"{case.names(held)} still hold the gradients of the passes before the update when "
        f"backward() runs again{case.where(place)} ({case.name(one)} holds "
        f"{short(carried[one])}): each update uses the sum of all gradients so far.",
        "Set the gradients of all parameters to 0 before each backward().",
        place,
        at=(each.index, None),
        node=one,
    )


# -- zeroing ---------------------------------------------------------------------------


def zeroed_away(case: Case) -> Iterator[Finding]:
    """Gradients that are set to 0 after they were computed and before anybody used them."""
    yield from _inside_a_pass(case)
    reads: dict[int, list[Moment]] = defaultdict(list)
    for read in case.evidence.reads:
        reads[read.serial].append(Moment(read.pass_index, read.step))
    lost: dict[Place, list[tuple[Moment, Node]]] = defaultdict(list)
    for moment, step in case.outside:
        if step.after != 0 or not step.before or step.target is None:
            continue
        node = case.nodes[step.target]
        came = _last_pass(case, node, moment)
        if came is None:
            continue
        since = Moment(came + 1, 0)
        seen = reads[node.serial]
        used = bisect_left(seen, since) < bisect_right(seen, moment)
        used = used and not _moves_nothing(case, node, moment)
        used = used or bool(case.changes_within(node, since, moment))
        if not used and _wanted_later(case, node, moment, reads[node.serial]):
            lost[case.called_at(Place(step.line, step.file))].append((moment, node))
    for place, found in lost.items():
        moment, node = found[0]
        yield case.find(
            "zero-misplaced",
            f"The gradient of {case.name(node.id)} is set to 0{case.where(place)} after backward() "
            "has computed it and before anything has used it.",
            "Set gradients to 0 right before the first backward() of a step: zero, backward, "
            "update.",
            place,
            at=(min(moment.pass_index, case.recording.passes - 1), None),
            node=node.id,
        )


def _inside_a_pass(case: Case) -> Iterator[Finding]:
    """A pass itself sets a gradient to 0 that it has just brought."""
    for each in case.written:
        assert each.written is not None
        brought: set[int] = set()
        for number, step in enumerate(each.written.steps):
            node_id = step.target
            if node_id is None:
                continue
            if step.kind is Kind.WRITE or (step.kind is Kind.SEED and step.after != 0):
                brought.add(node_id)
                continue
            if step.after != 0 or not step.before or node_id not in brought:
                continue
            has_passed_on = any(call < number for call in each.calls(node_id))
            if case.nodes[node_id].children and has_passed_on:
                continue  # it is not needed any more
            place = Place(step.line, step.file)
            yield case.find(
                "zero-misplaced",
                f"The pass sets the gradient of {case.name(node_id)} back to 0{case.where(place)} "
                f"after {short(step.before)} had come to it, so that is lost.",
                "Set gradients to 0 before the pass begins, not while it runs.",
                place,
                at=(each.index, number),
                node=node_id,
            )
            return


def _last_pass(case: Case, node: Node, before: Moment) -> int | None:
    """The last pass that brought a node a gradient before a moment, and that was over then."""
    over = bisect_left(case.written, before.pass_index, key=attrgetter("index"))
    for each in reversed(case.written[:over]):
        assert each.written is not None
        final, base_ = each.written.final, each.base
        if node.id in final and final[node.id] != base_.get(node.id, 0.0):
            return each.index
    return None


def _moves_nothing(case: Case, node: Node, zeroed: Moment) -> bool:
    """Whether the next update of a node, in the same turn, leaves it just as it is."""
    for change in case.changes.get(node.serial, ()):
        if Moment(change.pass_index, change.step) > zeroed and _is_step(case, change):
            same_turn = change.pass_index == zeroed.pass_index
            return same_turn and change.before == change.after
    return False


def _wanted_later(case: Case, node: Node, zeroed: Moment, reads: list[Moment]) -> bool:
    """Whether the gradient that was lost would have been used: by the next update, or a print."""
    following = [
        each.index
        for each in case.written
        if each.index >= zeroed.pass_index and node.id in each.reached
    ]
    next_pass = Moment(following[0], 1 << 40) if following else Moment(1 << 40, 0)
    updates = [
        Moment(c.pass_index, c.step) for c in case.changes.get(node.serial, ()) if _is_step(case, c)
    ]
    if any(zeroed < moment <= next_pass for moment in (*updates, *reads)):
        return True
    # Several passes for one update: lost on the way, again and again, and not only at the start.
    later = [moment for moment in updates if moment > zeroed]
    if not later:
        return False
    earlier = [moment for moment in updates if moment < zeroed]
    between = [
        moment
        for moment, step in case.outside_of.get(node.id, ())
        if step.after == 0
        and step.before
        and (not earlier or moment > earlier[-1])
        and moment < later[0]
        and _is_repeated(case, node, moment)
        and (not earlier or Moment(_last_pass(case, node, moment) or 0, 1 << 40) > earlier[-1])
    ]
    return len(between) >= 2 or bool(earlier and len(between) >= 1)


def _is_repeated(case: Case, node: Node, moment: Moment) -> bool:
    """Whether the passes before and after a moment are made by the same line, as in a loop."""
    before = _last_pass(case, node, moment)
    after = next((each for each in case.written if each.index >= moment.pass_index), None)
    if before is None or after is None or after.written is None:
        return False
    earlier = case.passes[before].written
    return earlier is not None and earlier.line == after.written.line


def _is_step(case: Case, change: Change) -> bool:
    """Whether a change of data comes from a gradient: its own was read since, or a class did it."""
    if change.file != 0 or change.in_class:
        return True
    return change.line in case.read_lines or (change.serial, change.pass_index) in case.reads_after


# -- updates ---------------------------------------------------------------------------


def climbing(case: Case) -> Iterator[Finding]:
    """Updates that move the parameters along the gradient of a loss."""
    moves = list(_moves(case))
    along = [(each, change) for each, change, moved in moves if moved > 0]
    if not along or len(along) < SHARE * len(moves):
        return
    each, change = along[0]
    passes = {index.index for index, _ in along}
    if len(passes) < 2 and change.line not in case.read_lines and not change.in_class:
        return  # one nudge, as in a check by differences
    if not is_loss(case, each.root, steps=len(passes)):
        return
    node_changed = case.by_serial[change.serial]
    place = Place(change.line, change.file)
    gradient = _gradient_at(case, each, node_changed.id, change)
    yield case.find(
        "wrong-update-sign",
        f"The update{case.where(place)} moves {case.name(node_changed.id)} from "
        f"{short(change.before)} to {short(change.after)}, along its gradient of "
        f"{short(gradient)}: that makes {case.name(each.root)} grow.",
        "Go against the gradient: p.data -= learning_rate * p.grad.",
        place,
        at=(each.index, None),
        node=node_changed.id,
    )


def _moves(case: Case) -> Iterator[tuple[Pass, Change, float]]:
    """Updates of leaves after a pass, and how far each goes along the gradient."""
    for each in case.written:
        for node_id in each.reached:
            node = case.nodes[node_id]
            if node.children:
                continue
            after = each.index + 1
            for change in case.changes_within(node, Moment(after, 0), Moment(after + 1, 0)):
                if _is_step(case, change):
                    gradient = _gradient_at(case, each, node_id, change)
                    moved = (change.after - change.before) * gradient
                    if moved != 0:
                        yield each, change, moved


def _gradient_at(case: Case, each: Pass, node_id: int, change: Change) -> float:
    """A node's gradient when its data were changed after a pass."""
    assert each.written is not None
    gradient = each.written.final.get(node_id, 0.0)
    moment = Moment(change.pass_index, change.step)
    writes = case.outside_of.get(node_id, [])
    last = bisect_left(writes, moment, key=itemgetter(0)) - 1
    if last >= 0 and writes[last][0] >= Moment(each.index + 1, 0):
        gradient = writes[last][1].after or 0.0
    return gradient


# -- data changed after use ------------------------------------------------------------


def changed_data(case: Case) -> Iterator[Finding]:
    """Numbers that were changed after something had been computed from them."""
    told: set[tuple[int, int]] = set()
    for each in case.written:
        start = Moment(each.index, each.start)
        for node_id in each.reached:
            node = case.nodes[node_id]
            last = case.last_change(node, start)
            if last is None:
                continue
            now = last.after
            users = [i for i in case.consumers.get(node_id, ()) if i in each.reached]
            users += [node_id] if node.children else []
            stale = [
                user
                for user in users
                if not same(case.data_at(node, _seen_at(case, node, user)), now)
                and _matters(case, user, node_id, now)
            ]
            if not stale:
                continue
            clock = max(_seen_at(case, node, user) for user in stale)
            first = case.first_change(node, clock)
            change = last if first is None or first.clock > last.clock else first
            if (change.file, change.line) in told:
                continue
            told.add((change.file, change.line))
            place = Place(change.line, change.file)
            yield case.find(
                "data-changed",
                f"{case.name(node_id)} goes from {short(change.before)} to {short(change.after)}"
                f"{case.where(place)}, after {case.names(stale)} had been computed from it: the "
                "backward pass uses the new number with the old graph.",
                "Run backward() before changing data, or compute the expression again afterwards.",
                place,
                at=(each.index, None),
                node=node_id,
            )


def _seen_at(case: Case, node: Node, user: int) -> int:
    """The clock at which a node's number was used: when its consumer was made, or it itself."""
    return case.nodes[user].serial if user != node.id else node.serial + 1


def _matters(case: Case, user: int, node_id: int, now: float) -> bool:
    """Whether another number of an operand changes what a node hands over."""
    node = case.nodes[user]
    if user == node_id:
        return node.op not in {"+", "-", "neg"}
    data = [now if child == node_id else case.nodes[child].data for child in node.children]
    old, new = case.table(node), case.table(node, data)
    if old is None or new is None:
        return node.op not in {"+", "-", "neg", "add", "sub"}
    return not all(same(a, b) for a, b in zip(old, new, strict=True))


RULES = (never_called, carried_over, zeroed_away, climbing, changed_data)
