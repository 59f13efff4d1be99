"""Docling's layout network in its own engine for ONNX: what it sees on a page, as our nouns.

Its preprocessing, its labels and the settling of its overlaps are Docling's; the files are those in
a folder, and nothing is ever fetched.
"""

from math import isfinite
from pathlib import Path

from docling.datamodel.accelerator_options import AcceleratorDevice, AcceleratorOptions
from docling.datamodel.base_models import Cluster
from docling.datamodel.base_models import Page as DoclingPage
from docling.datamodel.document import ConversionResult
from docling.datamodel.object_detection_engine_options import (
    OnnxRuntimeObjectDetectionEngineOptions,
)
from docling.datamodel.pipeline_options import (
    LayoutObjectDetectionOptions,
    LayoutPostprocessorOptions,
)
from docling.datamodel.stage_model_specs import ObjectDetectionModelSpec
from docling.models.inference_engines.object_detection import ObjectDetectionEngineInput
from docling.models.stages.layout.layout_object_detection_model import LayoutObjectDetectionModel
from docling.utils.layout_postprocessor import LayoutPostprocessor
from docling_core.types.doc.labels import DocItemLabel
from PIL import Image

from docqa.ingest.geometry.layout import Sight
from docqa.types.document import BlockKind, Box

SMALLEST = 1.0  # points: a region less wide or high is none

# What holds other regions (forms) and what holds no words (boxes to tick) is left out.
KINDS: dict[DocItemLabel, BlockKind] = {
    DocItemLabel.TEXT: "text",
    DocItemLabel.FORMULA: "text",
    DocItemLabel.SECTION_HEADER: "heading",
    DocItemLabel.TITLE: "heading",
    DocItemLabel.LIST_ITEM: "list",
    DocItemLabel.TABLE: "table",
    DocItemLabel.DOCUMENT_INDEX: "table",
    DocItemLabel.CAPTION: "caption",
    DocItemLabel.FOOTNOTE: "footnote",
    DocItemLabel.PAGE_HEADER: "header",
    DocItemLabel.PAGE_FOOTER: "footer",
    DocItemLabel.CODE: "code",
    DocItemLabel.PICTURE: "picture",
}


class LayoutNetwork:
    """The network of a folder, loaded and tried once. Raises whatever keeps it from running."""

    def __init__(self, folder: Path, *, threads: int) -> None:
        options = LayoutObjectDetectionOptions(
            # Docling looks for ARTIFACTS/REPOSITORY, and would download without the former.
            model_spec=ObjectDetectionModelSpec(name=folder.name, repo_id=folder.name),
            engine_options=OnnxRuntimeObjectDetectionEngineOptions(),
        )
        accelerator = AcceleratorOptions(num_threads=threads, device=AcceleratorDevice.CPU)
        self._model = LayoutObjectDetectionModel(folder.parent, accelerator, options)
        labels = set(self._model._label_map.values())
        if unknown := labels - set(LayoutPostprocessor.CONFIDENCE_THRESHOLDS):
            raise ValueError(f"it tells of {', '.join(sorted(unknown))}")
        blank = Image.new("RGB", (612, 792), "white")
        self._model.engine.predict_batch([ObjectDetectionEngineInput(image=blank)])

    def look(self, run: ConversionResult, page: DoclingPage) -> tuple[Sight, ...]:
        """What is on a page, overlaps settled; its boxes in points from the top left."""
        [seen] = self._model.predict_layout(run, [page])
        page._image_cache.clear()
        whole = [cluster for cluster in seen.clusters if _has_area(cluster)]
        options = LayoutPostprocessorOptions(skip_cell_assignment=True)
        settled = LayoutPostprocessor(page, whole, options).postprocess()
        return tuple(_sight(each) for each in settled if each.label in KINDS)


def _has_area(cluster: Cluster) -> bool:
    box = cluster.bbox
    return (
        all(map(isfinite, (box.l, box.t, box.r, box.b)))
        and box.r - box.l >= SMALLEST
        and box.b - box.t >= SMALLEST
    )


def _sight(cluster: Cluster) -> Sight:
    box = cluster.bbox
    return Sight(KINDS[cluster.label], Box(box.l, box.t, box.r, box.b))
