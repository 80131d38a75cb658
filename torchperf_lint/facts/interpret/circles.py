"""The circles of a graph: what leads to each other, by Tarjan's algorithm, without recursion. Knows only numbers."""

from __future__ import annotations


def circles(following: dict[int, list[int]]) -> list[list[int]]:
    """The nodes of a graph by the circles that they form, each circle behind all that lead to it."""
    found: list[list[int]] = []
    place: dict[int, int] = {}
    """The nodes in the order in which they are met."""
    low: dict[int, int] = {}
    """The first node that each leads to, of those whose circles are not known yet."""
    path: list[int] = []
    for start in following:
        under_way = [start] if start not in place else []
        while under_way:
            node = under_way[-1]
            if node not in place:
                place[node] = low[node] = len(place)
                path.append(node)
                under_way += [after for after in following[node] if after not in place]
                continue
            under_way.pop()
            if node not in low:
                continue
            low[node] = min([low[node], *(low[after] for after in following[node] if after in low)])
            if low[node] == place[node]:
                found.append(_taken(path, node))
                for each in found[-1]:
                    del low[each]
    return found[::-1]


def _taken(path: list[int], first: int) -> list[int]:
    """The end of a path, from a node on, which is taken away from it."""
    taken = [path.pop()]
    while taken[-1] != first:
        taken.append(path.pop())
    return taken
