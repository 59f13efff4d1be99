"""A part of a page as a picture, with what is cited on it marked."""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from docqa.ingest.reading import pdfium
from docqa.types.document import Box

if TYPE_CHECKING:
    from PIL.Image import Image

AROUND = 48.0  # points kept above and below the marks
SCALE = 2.0  # pixels for a point: 144 dots per inch, sharp on paper
MARKED = (255, 236, 130)  # the colour that darkens what it is laid over, as a marker does
EDGE = 2.0  # points that a mark is larger than its box, all round
JPEG_QUALITY = 80


def cut_out(
    path: Path, page: int, boxes: Sequence[Box], *, password: str | None = None
) -> tuple[bytes, float]:
    """The page from a little above the boxes to a little below, in full width, as JPEG.

    Boxes are in points as displayed; without any the page is whole. The second is the picture's
    width in points. Raises `IndexError` where there is no such page, and `FileError`.
    """
    image, width, height = pdfium.render_image(path, page, scale=SCALE, password=password)
    scale = image.width / width
    marked = _marked(image, boxes, scale)
    top = max(0.0, min((box.top for box in boxes), default=0.0) - AROUND)
    bottom = min(height, max((box.bottom for box in boxes), default=height) + AROUND)
    part = marked.crop((0, round(top * scale), image.width, round(bottom * scale)))
    encoded = io.BytesIO()
    part.save(encoded, "JPEG", quality=JPEG_QUALITY)
    return encoded.getvalue(), width


def _marked(image: "Image", boxes: Sequence[Box], scale: float) -> "Image":
    from PIL import Image, ImageChops, ImageDraw

    paint = Image.new("RGB", image.size, (255, 255, 255))
    draw = ImageDraw.Draw(paint)
    for box in boxes:
        edges = box.left - EDGE, box.top - EDGE, box.right + EDGE, box.bottom + EDGE
        draw.rectangle([edge * scale for edge in edges], fill=MARKED)
    return ImageChops.multiply(image, paint)
