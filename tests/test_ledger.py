from __future__ import annotations

import scenes
from hypothesis import given
from recordings import recordings, repeatable

from chainstep.ledger import Ledger, ledger
from chainstep.stepper import Stepper
from chainstep.trace import Kind, Mode, Order, Step, Trace

A, B, C, D, E = range(5)


def diamond(mode=Mode.ACCUMULATE):
    return ledger(scenes.trace(scenes.diamond(), mode))


def columns(entries, *names):
    return [tuple(getattr(entry, name) for name in names) for entry in entries]


def test_the_account_of_a_sums_what_d_and_c_gave():
    # seed 1, e 2-4, d 5-7, c 8-10: d gives a 3 times 5, then c gives it 1 times 6
    assert columns(
        diamond().entries(A),
        *("position", "consumer", "slot", "local", "upstream", "contribution", "before", "after"),
    ) == [(6, D, 0, 3.0, 5.0, 15.0, 0.0, 15.0), (9, C, 0, 1.0, 6.0, 6.0, 15.0, 21.0)]


def test_accumulating_loses_nothing_and_overwriting_all_but_the_last():
    assert columns(diamond().entries(A), "lost_at") == [(None,), (None,)]
    entries = diamond(Mode.OVERWRITE).entries(A)
    assert columns(entries, "contribution", "after", "lost_at") == [
        (15.0, 15.0, 9),
        (6.0, 6.0, None),
    ]
    assert [entries[0].is_lost(position) for position in (6, 8, 9, 12)] == [
        *(False, False),
        *(True, True),
    ]


def test_an_operand_used_twice_has_two_entries_from_one_consumer():
    both = ledger(scenes.trace(scenes.reuse())).entries(0)
    assert columns(both, "consumer", "slot", "after") == [(1, 0, 1.0), (1, 1, 2.0)]
    lost = ledger(scenes.trace(scenes.reuse(), Mode.OVERWRITE)).entries(0)
    assert columns(lost, "slot", "after", "lost_at") == [(0, 1.0, 4), (1, 1.0, None)]


def test_the_root_is_seeded():
    (entry,) = diamond().entries(E)
    assert (entry.position, entry.kind, entry.after) == (1, Kind.SEED, 1.0)


def carried_over():
    """Two writes on top of what an earlier pass left, then zeroing, then one write."""
    write = (Kind.WRITE, 1, 0, 0, 1.0, 2.0, 2.0)
    steps = (
        Step(*write, 5.0, 7.0, True),
        Step(*write, 7.0, 9.0, True),
        Step(Kind.OUTSIDE, target=0, before=9.0, after=0.0, accumulates=False),
        Step(*write, 0.0, 2.0, True),
    )
    return ledger(Trace(0, Mode.AS_WRITTEN, Order.AS_WRITTEN, 1, {0: 5.0, 1: 0.0}, steps, {}))


def test_zeroing_loses_everything_before_it():
    account = carried_over()
    assert columns(account.entries(0), "kind", "lost_at") == [
        (Kind.WRITE, 3),
        (Kind.WRITE, 3),
        (Kind.OUTSIDE, None),
        (Kind.WRITE, None),
    ]


def test_what_an_earlier_pass_left_opens_the_account():
    account = carried_over()
    assert account.opening(0) == 5.0
    assert account.opening_lost_at(0) == 3
    assert diamond().opening(A) == 0.0
    assert diamond().opening_lost_at(A) is None
    assert account.gradients(0) == [(0, 5.0), (1, 7.0), (2, 9.0), (3, 0.0), (4, 2.0)]


def test_who_wrote_a_gradient_last_is_found_from_any_position():
    account = diamond()
    assert [account.last_write(A, position) for position in (0, 5, 6, 8, 9, 12)] == [
        *(None, None),
        *(6, 6),
        *(9, 9),
    ]
    assert [account.next_write(A, position) for position in (0, 5, 6, 9)] == [6, 6, 9, None]
    assert [account.previous_write(A, position) for position in (12, 9, 6, 0)] == [9, 6, None, None]


def test_a_node_that_nothing_writes_has_an_empty_account():
    account = diamond()
    assert account.entries(99) == ()
    assert account.gradients(99) == [(0, 0.0)]
    assert account.last_write(99, 5) is None


def test_a_ledger_is_made_once_for_a_trace():
    trace = scenes.trace(scenes.diamond())
    assert ledger(trace) is ledger(trace)
    assert ledger(trace).entries(A) is ledger(trace).entries(A)
    assert trace == scenes.trace(scenes.diamond())


@repeatable(100)
@given(recordings())
def test_the_account_ends_where_the_trace_does(recording):
    for trace in recording.traces:
        stepper = Stepper(trace, len(recording.nodes))
        account = Ledger(trace)
        for node in recording.nodes:
            for position, gradient in account.gradients(node.id):
                stepper.seek(position)
                assert repr(stepper.gradients[node.id]) == repr(gradient)
            last = account.entries(node.id)[-1:]
            assert all(entry.lost_at is None for entry in last)
            changes = [n for n, step in enumerate(trace.steps, 1) if step.target == node.id]
            assert list(account.writes(node.id)) == changes
