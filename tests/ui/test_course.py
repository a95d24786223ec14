"""The places of a story and how the keys lead from one to another."""

from dataclasses import replace

import pytest
import scenes
from hypothesis import given
from hypothesis import strategies as st
from recordings import recordings, repeatable

from chainstep.story import Grain, Phase, Story
from chainstep.trace import Order
from chainstep.ui.course import Course, Place

FORWARD, SORT, BACKWARD = Phase


def course(*skipped, order=None, sequence=None):
    recording = scenes.recording(scenes.diamond(), sequence)
    trace = recording.traces[0]
    if order is not None:
        trace = replace(trace, order=order)
    return Course(Story(recording, trace), frozenset(skipped))


def walked(shown, grain, back=False):
    place = shown.last if back else shown.first
    found = [place]
    while True:
        place = (shown.previous if back else shown.next)(place, grain)
        if place == found[-1]:
            return found
        found.append(place)


def test_each_phase_has_a_beginning_and_an_end_of_its_own():
    shown = course()
    assert walked(shown, Grain.INTO) == [
        *(Place(FORWARD, number) for number in range(6)),
        *(Place(SORT, number) for number in range(13)),
        *(Place(BACKWARD, number) for number in range(13)),
    ]


def test_stepping_over_makes_lists_and_runs_one_node_at_a_time():
    shown = course()
    numbers = [
        (phase, [place.number for place in walked(shown, Grain.OVER) if place.phase is phase])
        for phase in Phase
    ]
    assert numbers == [
        (FORWARD, [0, 1, 2, 3, 4, 5]),
        (SORT, [0, 4, 6, 7, 11, 12]),
        (BACKWARD, [0, 1, 4, 7, 10, 11, 12]),
    ]


@pytest.mark.parametrize("grain", Grain)
@pytest.mark.parametrize("skipped", [(), (FORWARD,), (SORT,), (FORWARD, SORT), (BACKWARD,)])
def test_stepping_back_leads_the_same_way(grain, skipped):
    shown = course(*skipped)
    assert walked(shown, grain, back=True) == walked(shown, grain)[::-1]


def test_a_skipped_phase_is_jumped_over_and_can_be_stood_in():
    shown = course(SORT)
    assert {place.phase for place in walked(shown, Grain.INTO)} == {FORWARD, BACKWARD}
    assert shown.next(Place(FORWARD, 5), Grain.INTO) == Place(BACKWARD, 0)
    assert shown.next(Place(SORT, 3), Grain.OVER) == Place(BACKWARD, 0)
    assert shown.previous(Place(SORT, 3), Grain.OVER) == Place(FORWARD, 5)
    assert shown.within(Place(SORT, 3)) == Place(SORT, 3)


def test_where_backward_is_skipped_the_sort_is_the_end():
    shown = course(BACKWARD)
    assert shown.last == Place(SORT, 12)
    assert shown.next(Place(SORT, 12), Grain.INTO) == Place(SORT, 12)
    assert shown.previous(Place(BACKWARD, 4), Grain.INTO) == Place(SORT, 12)


def test_a_story_without_a_sort_leads_from_forward_to_backward():
    shown = course(order=Order.RECURSIVE, sequence=[4, 2, 0, 1, 3, 0, 1])
    assert shown.phases == (FORWARD, BACKWARD)
    assert shown.next(Place(FORWARD, 5), Grain.OVER) == Place(BACKWARD, 0)
    assert shown.within(Place(SORT, 4)) == Place(BACKWARD, 0)


def test_phases_are_reached_from_everywhere():
    shown = course()
    assert shown.next_phase(Place(FORWARD, 2)) == Place(SORT, 0)
    assert shown.next_phase(Place(SORT, 0)) == Place(BACKWARD, 0)
    assert shown.next_phase(Place(BACKWARD, 3)) == Place(BACKWARD, 12)
    assert shown.previous_phase(Place(BACKWARD, 3)) == Place(BACKWARD, 0)
    assert shown.previous_phase(Place(BACKWARD, 0)) == Place(SORT, 0)
    assert shown.previous_phase(Place(SORT, 0)) == Place(FORWARD, 0)
    assert shown.previous_phase(Place(FORWARD, 0)) == Place(FORWARD, 0)


def test_stepping_out_ends_what_is_running():
    shown = course()
    assert shown.out(Place(FORWARD, 2)) == Place(FORWARD, 5)
    assert shown.out(Place(SORT, 3)) == Place(SORT, 4)  # a, which is being visited, is appended
    assert shown.out(Place(SORT, 0)) == Place(SORT, 12)
    assert shown.out(Place(BACKWARD, 5)) == Place(BACKWARD, 7)
    assert shown.out(Place(SORT, 12)) == Place(BACKWARD, 0)


def test_a_position_shows_the_moment_before_it():
    shown = course()
    places = [shown.place(position) for position in (0, 5, 6, 17, 18, 29, 99, -1)]
    assert places == [
        *(Place(FORWARD, 0), Place(FORWARD, 5), Place(SORT, 1), Place(SORT, 12)),
        *(Place(BACKWARD, 1), Place(BACKWARD, 12), Place(BACKWARD, 12), Place(FORWARD, 0)),
    ]
    assert shown.position(Place(SORT, 12)) == shown.position(Place(BACKWARD, 0)) == 17


def test_stops_are_left_out_where_there_are_too_many():
    shown = course()
    assert shown.stops(SORT, most=5) == [4, 6, 7, 11, 12]
    assert shown.stops(SORT, most=4) == ()


@repeatable(100)
@given(recordings(), st.sets(st.sampled_from(list(Phase)), max_size=2))
def test_every_place_of_every_recording_that_opens_has_its_number(recording, skipped):
    for trace in recording.traces:
        shown = Course(Story(recording, trace), frozenset(skipped))
        places = [shown.numbered(number) for number in range(shown.length + 1)]
        assert [shown.number(place) for place in places] == list(range(shown.length + 1))
        assert len(set(places)) == len(places)
        for place in places:
            assert shown.within(place) == place
            for grain in Grain:
                after, before = shown.next(place, grain), shown.previous(place, grain)
                assert shown.number(before) <= shown.number(place) <= shown.number(after)
            assert shown.number(shown.out(place)) >= shown.number(place)
            assert shown.number(shown.next_phase(place)) >= shown.number(place)
            assert shown.number(shown.previous_phase(place)) <= shown.number(place)
            assert shown.next(shown.last, Grain.INTO) == shown.last
