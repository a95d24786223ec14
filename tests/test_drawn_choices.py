"""What is drawn of a graph on request: without constants, helpers folded, from the top down."""

from dataclasses import replace
from itertools import combinations

import pytest
from scenes import Scene, diamond, network

from chainstep.graph import Edge, Graph
from chainstep.layout import CARD_HEIGHT, CARD_WIDTH, layered
from chainstep.visible import PLAIN, Choices, visible

FOLDS = Choices(folds=True)
HIDES = Choices(hides_constants=True)


def difference() -> Graph:
    """y = 2 * (a - b) / c: ids a 0, b 1, c 2, -1 3, b*-1 4, a-b 5, 2 6, product 7, 1/c 8, y 9."""
    scene = Scene()
    a, b, c = (scene.leaf(name, data) for name, data in (("a", 4.0), ("b", 3.0), ("c", 2.0)))
    minus = scene.leaf("-1", -1.0, constant=True)
    total = scene.op("a - b", "+", a, scene.op("-b", "*", b, minus))
    two = scene.leaf("2", 2.0, constant=True)
    product = scene.op("", "*", two, total)
    scene.op("y", "*", product, scene.op("", "**-1", c))
    return scene.graph


def test_without_a_choice_the_graph_is_drawn_as_it_is() -> None:
    graph = difference()
    seen = visible(graph, PLAIN)
    assert seen.graph is graph
    assert not seen.stands
    assert all(seen.edge_of(edge) == edge for edge in graph.edges())


def test_a_difference_and_a_quotient_are_one_card_each() -> None:
    seen = visible(difference(), FOLDS)
    assert [node.id for node in seen.graph.nodes] == [0, 1, 2, 5, 6, 7, 9]
    assert (seen.graph.node(5).op, seen.graph.node(5).children) == ("-", (0, 1))
    assert (seen.graph.node(9).op, seen.graph.node(9).children) == ("/", (7, 2))
    assert seen.stands == {3: 5, 4: 5, 8: 9}
    assert seen.folded == 3


def test_an_edge_into_a_folded_node_ends_at_the_card_that_stands_for_it() -> None:
    seen = visible(difference(), FOLDS)
    assert seen.edge_of(Edge(0, 5, 0)) == Edge(0, 5, 0)
    assert seen.edge_of(Edge(1, 4, 0)) == Edge(1, 5, 1)
    assert seen.edge_of(Edge(2, 8, 0)) == Edge(2, 9, 1)
    for within in (Edge(4, 5, 1), Edge(3, 4, 1), Edge(8, 9, 1)):
        assert seen.edge_of(within) is None


def test_a_negation_that_stands_alone_keeps_its_card_and_loses_its_factor() -> None:
    scene = Scene()
    minus = scene.leaf("-1", -1.0, constant=True)
    scene.op("y", "*", scene.leaf("x", 2.0), minus)
    seen = visible(scene.graph, FOLDS)
    assert [(n.id, n.op, n.children) for n in seen.graph.nodes] == [(1, "", ()), (2, "-", (1,))]
    assert seen.stands == {0: 2}


def test_what_has_other_uses_or_the_first_place_is_not_folded() -> None:
    scene = Scene()
    a, b = scene.leaf("a", 2.0), scene.leaf("b", 3.0)
    inverse = scene.op("", "**-1", b)
    first = scene.op("", "*", inverse, a)
    scene.op("y", "*", first, inverse)
    assert not visible(scene.graph, FOLDS).stands


def test_only_leaves_without_a_name_of_their_own_are_hidden() -> None:
    seen = visible(difference(), HIDES)
    assert seen.stands == {3: 4, 6: 7}
    assert seen.constants == 2
    assert seen.graph.node(7).children == (5,)
    assert seen.edge_of(Edge(5, 7, 1)) == Edge(5, 7, 0)
    assert seen.edge_of(Edge(6, 7, 0)) is None


def test_a_hidden_constant_of_a_folded_node_belongs_to_the_card_of_that() -> None:
    scene = Scene()
    four = scene.leaf("4", 4.0, constant=True)
    scene.op("y", "*", scene.leaf("x", 2.0), scene.op("", "**-1", four))
    seen = visible(scene.graph, Choices(hides_constants=True, folds=True))
    assert [(n.id, n.op, n.children) for n in seen.graph.nodes] == [(1, "", ()), (3, "/", (1,))]
    assert seen.stands == {0: 3, 2: 3}
    assert (seen.constants, seen.folded) == (1, 1)


def test_the_root_is_never_hidden() -> None:
    scene = Scene()
    scene.leaf("1", 1.0, constant=True)
    assert not visible(scene.graph, Choices(hides_constants=True, folds=True)).stands


@pytest.mark.parametrize("graph", [diamond(), difference(), network()], ids=str)
def test_from_the_top_down_every_edge_leaves_below_and_enters_above(graph: Graph) -> None:
    layout = layered(graph, downward=True)
    assert layout.downward
    assert {(b.width, b.height) for b in layout.boxes.values()} == {(CARD_WIDTH, CARD_HEIGHT)}
    for one, other in combinations(layout.boxes.values(), 2):
        beside = one.x + one.width <= other.x or other.x + other.width <= one.x
        assert beside or one.y + one.height <= other.y or other.y + other.height <= one.y
    for edge, route in layout.routes.items():
        child, consumer = layout.boxes[edge.child], layout.boxes[edge.consumer]
        assert route.points[0][1] == pytest.approx(child.y + child.height)
        assert child.x < route.points[0][0] < child.x + child.width
        assert consumer.y - 30 < route.points[-1][1] < consumer.y + 1
        assert consumer.x < route.points[-1][0] < consumer.x + consumer.width


@pytest.mark.parametrize("choices", [PLAIN, FOLDS, HIDES])
def test_the_same_is_drawn_of_a_graph_that_holds_other_numbers(choices) -> None:
    graph = difference()
    nodes = [n if n.constant else replace(n, data=n.data + 0.5) for n in graph.nodes]
    others = Graph(tuple(nodes), graph.root)
    assert visible(graph, choices).of(others) == visible(others, choices)
