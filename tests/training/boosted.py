"""Boosted trees in the form that `docqa.language.trees` reads."""

from collections.abc import Sequence
from typing import Any


def as_numbers(model: Any, names: Sequence[str]) -> dict[str, Any]:
    """The trees of a LightGBM ``model`` over features of these ``names``."""
    kept: dict[str, list[list[float]]] = {
        name: [] for name in ("feature", "threshold", "below", "above", "value")
    }
    flat = [_nodes(tree["tree_structure"]) for tree in model.dump_model()["tree_info"]]
    widest = max(map(len, flat))
    for nodes in flat:
        padded = [*nodes, *[(-1, 0.0, 0, 0, 0.0)] * (widest - len(nodes))]
        for name, column in zip(kept, zip(*padded, strict=True), strict=True):
            kept[name].append([_brief(number) for number in column])
    return {"features": list(names), "base": 0.0, **kept}


def _nodes(tree: dict[str, Any]) -> list[tuple[float, ...]]:
    """A tree's nodes, the root first: feature (-1 of a leaf), threshold, where to go on, value."""
    if "leaf_value" in tree:
        return [(-1, 0.0, 0, 0, tree["leaf_value"])]
    below, above = _nodes(tree["left_child"]), _nodes(tree["right_child"])

    def moved(nodes: list[tuple[float, ...]], by: int) -> list[tuple[float, ...]]:
        return [(f, t, one + by, other + by, v) for f, t, one, other, v in nodes]

    first = (tree["split_feature"], tree["threshold"], 1, 1 + len(below), 0.0)
    return [first, *moved(below, 1), *moved(above, 1 + len(below))]


def _brief(number: float) -> float:
    """A number as short as it can be written to four places."""
    return int(number) if number == int(number) else round(number, 4)
