from __future__ import annotations

import subprocess
import sys
from collections import Counter
from dataclasses import replace
from itertools import islice

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from recordings import repeatable

from chainstep.graph import (
    Edge,
    Graph,
    Node,
    breadth_first,
    depth_first,
    recursive,
    topological,
)

LONG = 100_000


@st.composite
def acyclic(draw):
    """Operands of each node, all made before it; the last one is the root."""
    size = draw(st.integers(1, 9))
    return [
        draw(st.lists(st.integers(0, place - 1), max_size=3)) if place else []
        for place in range(size)
    ]


@st.composite
def any_graph(draw):
    """Operands of each node, any of them, itself included; the last one is the root."""
    size = draw(st.integers(1, 7))
    operands = st.lists(st.integers(0, size - 1), max_size=3)
    return [draw(operands) for _ in range(size)]


def in_networkx(operands):
    """Consumer -> operand, one edge per slot."""
    graph = nx.MultiDiGraph()
    graph.add_nodes_from(range(len(operands)))
    graph.add_edges_from((place, child) for place, held in enumerate(operands) for child in held)
    return graph


def build_topo(operands, root):
    """Micrograd's own sort, word for word but for the names."""
    topo, visited = [], set()

    def build(v):
        if v not in visited:
            visited.add(v)
            for child in operands[v]:
                build(child)
            topo.append(v)

    build(root)
    return topo


def nodes_of(operands):
    return tuple(
        Node(place, f"n{place}", "+" if held else "", 1.0, tuple(held))
        for place, held in enumerate(operands)
    )


# -- orders --------------------------------------------------------------------------------


@repeatable(100)
@given(any_graph())
def test_the_topological_list_is_the_one_that_micrograd_builds(operands):
    root = len(operands) - 1
    assert topological(root, operands.__getitem__) == build_topo(operands, root)
    assert list(depth_first(root, operands.__getitem__)) == build_topo(operands, root)[::-1]


@repeatable(100)
@given(acyclic())
def test_both_right_orders_run_what_the_root_reaches_consumers_first(operands):
    root = len(operands) - 1
    graph = in_networkx(operands)
    reached = nx.descendants(graph, root) | {root}
    for order in (depth_first, breadth_first):
        found = list(order(root, operands.__getitem__))
        assert Counter(found) == Counter(reached)
        at = {node: place for place, node in enumerate(found)}
        assert all(at[a] < at[b] for a, b in graph.subgraph(reached).edges())


@repeatable(100)
@given(acyclic())
def test_breadth_first_goes_generation_by_generation(operands):
    root = len(operands) - 1
    graph = in_networkx(operands)
    reached = graph.subgraph(nx.descendants(graph, root) | {root})
    generations = [set(layer) for layer in nx.topological_generations(reached)]
    found = breadth_first(root, operands.__getitem__)
    assert [set(islice(found, len(layer))) for layer in generations] == generations


@repeatable(100)
@given(any_graph())
def test_breadth_first_leaves_out_what_waits_for_a_cycle(operands):
    root = len(operands) - 1
    graph = in_networkx(operands)
    reached = graph.subgraph(nx.descendants(graph, root) | {root})
    on_cycles = {
        node
        for part in nx.strongly_connected_components(reached)
        for node in part
        if len(part) > 1 or reached.has_edge(node, node)
    }
    waiting = on_cycles.union(*(nx.descendants(reached, node) for node in on_cycles))
    found = list(breadth_first(root, operands.__getitem__))
    assert Counter(found) == Counter(set(reached) - waiting)


@repeatable(100)
@given(acyclic())
def test_the_recursive_order_runs_a_node_once_for_every_path_from_the_root(operands):
    root = len(operands) - 1
    graph = in_networkx(operands)
    paths = Counter({root: 1})
    for node in nx.topological_sort(graph):
        for child in operands[node]:
            paths[child] += paths[node]
    assert Counter(recursive(root, operands.__getitem__)) == +paths


@repeatable(100)
@given(any_graph())
def test_the_recursive_order_is_a_call_and_at_once_the_calls_of_its_operands(operands):
    def call(node, room):
        found = [node]
        for child in operands[node]:
            if len(found) < room:
                found += call(child, room - len(found))
        return found

    root = len(operands) - 1
    assert list(islice(recursive(root, operands.__getitem__), 50)) == call(root, 50)


def test_the_diamond_runs_in_each_order_as_worked_out_by_hand():
    # a b, c = a + b, d = a * b, e = c * d
    operands = {"e": "cd", "d": "ab", "c": "ab", "b": "", "a": ""}.__getitem__
    assert topological("e", operands) == list("abcde")
    assert list(depth_first("e", operands)) == list("edcba")
    assert list(breadth_first("e", operands)) == list("ecdab")
    assert list(recursive("e", operands)) == list("ecabdab")


def test_a_node_used_twice_by_one_consumer_runs_once_except_recursively():
    operands = {"b": "aa", "a": ""}.__getitem__
    assert list(depth_first("b", operands)) == list("ba")
    assert list(breadth_first("b", operands)) == list("ba")
    assert list(recursive("b", operands)) == list("baa")


def test_sorting_sixty_doublings_does_not_walk_their_paths():
    operands = [[], *([place, place] for place in range(60))]
    expected = list(range(60, -1, -1))
    assert list(depth_first(60, operands.__getitem__)) == expected
    assert list(breadth_first(60, operands.__getitem__)) == expected
    assert list(islice(recursive(60, operands.__getitem__), 100))[:61] == expected


def test_a_chain_of_a_hundred_thousand_nodes_is_an_ordinary_graph():
    nodes = nodes_of([[], *([place] for place in range(LONG - 1))])
    expected = list(range(LONG - 1, -1, -1))
    for order in (depth_first, breadth_first, recursive):
        assert list(order(LONG - 1, lambda n: nodes[n].children)) == expected
    graph = Graph.reached(nodes, LONG - 1)
    assert len(graph) == LONG
    assert graph.consumers(0) == [Edge(0, 1, 0)]


def test_a_node_that_is_its_own_operand_does_not_stop_the_sort():
    assert topological(0, lambda _: [0]) == [0]
    assert list(breadth_first(0, lambda _: [0])) == []
    assert list(islice(recursive(0, lambda _: [0]), 4)) == [0, 0, 0, 0]


# -- the graph -----------------------------------------------------------------------------


@repeatable(100)
@given(any_graph(), st.integers(0, 6), st.sets(st.integers(0, 6)))
def test_a_graph_holds_what_its_root_reaches_and_what_is_asked_for_besides(operands, at, more):
    nodes, size = nodes_of(operands), len(operands)
    root, extra = at % size, {node_id for node_id in more if node_id < size}
    graph = Graph.reached(nodes, root, extra)
    expected = nx.descendants(in_networkx(operands), root) | {root} | extra
    assert [node.id for node in graph.nodes] == sorted(expected)
    assert graph.root == root
    assert len(graph) == len(expected)
    assert all((node_id in graph) is (node_id in expected) for node_id in range(-1, 9))
    assert all(graph.node(node_id) is nodes[node_id] for node_id in expected)
    inside = [
        Edge(child, place, slot)
        for place, held in enumerate(operands)
        for slot, child in enumerate(held)
        if place in expected and child in expected
    ]
    assert list(graph.edges()) == inside
    for node_id in expected:
        uses = [edge for edge in inside if edge.child == node_id]
        assert list(graph.consumers(node_id)) == uses


@repeatable(60)
@given(any_graph())
def test_networkx_gets_one_edge_per_operand_slot(operands):
    graph = Graph(nodes_of(operands), 0)
    converted = graph.to_networkx()
    assert isinstance(converted, nx.MultiDiGraph)
    assert sorted(converted.edges(keys=True)) == sorted(map(tuple, graph.edges()))
    assert dict(converted.nodes(data="node")) == {node.id: node for node in graph.nodes}


def test_networkx_can_sort_the_converted_graph():
    graph = Graph(nodes_of([[], [], [0, 0], [2, 1]]), 3).to_networkx()
    assert graph.number_of_edges(0, 2) == 2
    assert list(nx.lexicographical_topological_sort(graph)) == [0, 1, 2, 3]


def test_a_node_that_the_graph_does_not_hold_is_a_key_error():
    graph = Graph.reached(nodes_of([[], [0], []]), 1)
    assert 2 not in graph
    with pytest.raises(KeyError):
        graph.node(2)
    with pytest.raises(KeyError):
        graph.consumers(2)


def test_graphs_of_the_same_nodes_and_root_are_equal_and_cannot_be_changed():
    one, other = (Graph(nodes_of([[], [0]]), 1) for _ in range(2))
    assert one == other
    assert one != Graph(nodes_of([[], [0]]), 0)
    with pytest.raises(AttributeError):
        one.root = 0
    with pytest.raises(AttributeError):
        one.nodes[0].data = 2.0


def test_the_module_loads_without_networkx():
    code = "import sys, chainstep.graph; sys.exit('networkx' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_graph_of_other_numbers_is_the_one_that_they_would_make():
    nodes = (Node(1, "a", "", 2.0), Node(4, "b", "+", 4.0, (1, 1)), Node(6, "c", "*", 8.0, (1, 4)))
    others = tuple(replace(node, data=node.data + 1) for node in nodes)
    held, made = Graph(nodes, 6).holding(others), Graph(others, 6)
    assert held == made
    for node in others:
        assert held.node(node.id) is node
        assert held.consumers(node.id) == made.consumers(node.id)
    assert Graph(nodes, 6).node(1).data == 2.0
