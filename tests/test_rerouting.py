"""Cards moved by hand, and the edges that follow them."""

import numpy as np
import pytest
from drawn import polyline
from scenes import diamond, network, reuse

from chainstep.graph import Edge
from chainstep.layout import layered
from chainstep.rerouting import moved


def test_a_moved_card_takes_its_ends_of_edges_along_and_leaves_all_others() -> None:
    before = layered(diamond())
    after = moved(before, {2: (30.0, -50.0)})
    for node_id, box in before.boxes.items():
        by = (30.0, -50.0) if node_id == 2 else (0.0, 0.0)
        assert (after.boxes[node_id].x, after.boxes[node_id].y) == (box.x + by[0], box.y + by[1])
    for edge, route in before.routes.items():
        start, end = after.routes[edge].points[0], after.routes[edge].points[-1]
        first = (30.0, -50.0) if edge.child == 2 else (0.0, 0.0)
        last = (30.0, -50.0) if edge.consumer == 2 else (0.0, 0.0)
        assert np.subtract(start, route.points[0]) == pytest.approx(first)
        assert np.subtract(end, route.points[-1]) == pytest.approx(last)
        if 2 not in edge[:2]:
            assert after.routes[edge] is route


def test_cards_moved_together_take_the_edges_between_them_as_they_are() -> None:
    before = layered(reuse())
    after = moved(before, {0: (7.0, 9.0), 1: (7.0, 9.0)})
    for edge, route in before.routes.items():
        shifted = [(x + 7.0, y + 9.0) for x, y in route.points]
        assert np.array(after.routes[edge].points) == pytest.approx(np.array(shifted))


@pytest.mark.parametrize("downward", [False, True])
def test_an_edge_goes_round_a_card_that_stands_in_its_way(downward: bool) -> None:
    before = layered(diamond(), downward=downward)
    # a is put far before d, with b between the two and level with them.
    along = (0.0, -600.0) if downward else (-600.0, 0.0)
    b, d, a = before.boxes[1], before.boxes[3], before.boxes[0]
    across = (d.x - a.x, 0.0) if downward else (0.0, d.y - a.y)
    to_b = (d.x - b.x, 0.0) if downward else (0.0, d.y - b.y)
    after = moved(before, {0: (along[0] + across[0], along[1] + across[1]), 1: to_b})
    line = polyline(after.routes[Edge(0, 3, 0)].points)
    box = after.boxes[1]
    inside = (
        (line[:, 0] > box.x)
        & (line[:, 0] < box.x + box.width)
        & (line[:, 1] > box.y)
        & (line[:, 1] < box.y + box.height)
    )
    assert not inside.any()


def test_a_card_behind_its_consumer_has_an_edge_all_the_same() -> None:
    before = layered(diamond())
    after = moved(before, {0: (900.0, 0.0)})
    points = after.routes[Edge(0, 2, 0)].points
    assert points[1][0] > points[0][0]
    assert points[-2][0] < points[-1][0]


def test_nodes_that_have_no_card_are_passed_over() -> None:
    before = layered(network())
    assert moved(before, {10_000: (1.0, 1.0)}) == before
