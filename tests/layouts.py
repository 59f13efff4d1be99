"""Layout networks that see what they are told to, with the inputs and outputs of Docling's own.

The one that Docling offers takes a page's picture as bytes and gives 300 regions; these take bytes
or shares of one, as their preprocessing says, and give a few.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper

# As in the configuration of docling-layout-heron.
LABELS = (
    "caption", "footnote", "formula", "list_item", "page_footer", "page_header", "picture",
    "section_header", "table", "text", "title", "document_index", "code", "checkbox_selected",
    "checkbox_unselected", "form", "key_value_region",
)  # fmt: skip
REPOSITORY = "docling-project--docling-layout-heron-onnx"


@dataclass(frozen=True, slots=True)
class Seen:
    """A region by its label and its left, top, right and bottom, as shares of the page's."""

    label: str
    box: tuple[float, float, float, float]
    score: float = 0.9


def layout_models(
    folder: Path,
    seen: Sequence[Seen],
    *,
    labels: Sequence[str] = LABELS,
    of_bytes: bool = True,
    blank_alone: bool = False,
    inputs: tuple[str, str] = ("images", "orig_target_sizes"),
) -> Path:
    """A folder with the network's folder in it, as Docling downloads it.

    ``blank_alone``: it runs on white pages and fails on all others.
    """
    home = folder / REPOSITORY
    home.mkdir(parents=True)
    names = {str(at): label for at, label in enumerate(labels)}
    _write(home / "config.json", {"model_type": "rt_detr_v2", "id2label": names})
    _write(
        home / "preprocessor_config.json",
        {
            "image_processor_type": "RTDetrImageProcessor",
            "do_normalize": False,
            "do_rescale": not of_bytes,
            "do_resize": True,
            "size": {"height": 640, "width": 640},
        },
    )
    onnx.save(_network(seen, labels, of_bytes, blank_alone, inputs), home / "model.onnx")
    return folder


def _write(path: Path, content: dict[str, object]) -> None:
    path.write_text(json.dumps(content), encoding="utf-8")


def _network(
    seen: Sequence[Seen],
    labels: Sequence[str],
    of_bytes: bool,
    blank_alone: bool,
    inputs: tuple[str, str],
) -> onnx.ModelProto:
    """Boxes are the fixed shares times the page's size; scores hang on the picture's whiteness."""
    count, (image, size) = len(seen), inputs
    constants = [
        _constant("shares", TensorProto.FLOAT, [1, count, 4], [each.box for each in seen]),
        _constant("sure", TensorProto.FLOAT, [1, count], [each.score for each in seen]),
        _constant(
            "kinds", TensorProto.INT64, [1, count], [labels.index(each.label) for each in seen]
        ),
        _constant("axis", TensorProto.INT64, [1], [1]),
        _constant("white", TensorProto.FLOAT, [], 255.0 if of_bytes else 1.0),
        _constant("one", TensorProto.FLOAT, [1], [1.0]),
    ]
    nodes = [
        helper.make_node("Cast", [size], ["points"], to=TensorProto.FLOAT),
        helper.make_node("Concat", ["points", "points"], ["edges"], axis=1),
        helper.make_node("Unsqueeze", ["edges", "axis"], ["around"]),
        helper.make_node("Mul", ["shares", "around"], ["boxes"]),
        helper.make_node("Cast", [image], ["shades"], to=TensorProto.FLOAT),
        helper.make_node("ReduceMin", ["shades"], ["darkest"], keepdims=0),
        helper.make_node("Sub", ["white", "darkest"], ["ink"]),
        helper.make_node("Ceil", ["ink"], ["inked"]),
        helper.make_node("Cast", ["inked"], ["place"], to=TensorProto.INT64),
        helper.make_node("Gather" if blank_alone else "Identity",
                         ["one", "place"] if blank_alone else ["one"], ["kept"]),
        helper.make_node("Mul", ["sure", "kept"], ["scores"]),
        helper.make_node("Identity", ["kinds"], ["labels"]),
    ]  # fmt: skip
    pixels = TensorProto.UINT8 if of_bytes else TensorProto.FLOAT
    graph = helper.make_graph(
        nodes,
        "layout",
        [
            helper.make_tensor_value_info(image, pixels, ["n", 3, 640, 640]),
            helper.make_tensor_value_info(size, TensorProto.INT64, ["n", 2]),
        ],
        [
            helper.make_tensor_value_info("labels", TensorProto.INT64, ["n", count]),
            helper.make_tensor_value_info("boxes", TensorProto.FLOAT, ["n", count, 4]),
            helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["n", count]),
        ],
        constants,
    )
    opset = helper.make_opsetid("", 18)
    made: onnx.ModelProto = helper.make_model(graph, opset_imports=[opset], ir_version=10)
    return made


def _constant(name: str, kind: int, shape: list[int], values: object) -> onnx.TensorProto:
    flat = np.asarray(values).ravel()
    made: onnx.TensorProto = helper.make_tensor(name, kind, shape, flat)
    return made
