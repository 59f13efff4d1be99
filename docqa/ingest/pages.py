"""What pdfium knows of a file's pages: whether it opens, their sizes, labels, glyphs and pictures.

pdfium is not safe with threads: unlocked use from several has crashed whole processes. Every call
into it, closing included, is made under one lock, and no document outlives the call that opened
it, so that nothing is left for the garbage collector to close outside the lock.
"""

import ctypes
import io
import re
import threading
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docqa.errors import (
    DamagedPdf,
    EmptyFile,
    FileError,
    FileMissing,
    NoPages,
    NotAPdf,
    PasswordNeeded,
    PasswordWrong,
    ReadingFailed,
    TooLarge,
    UnsupportedEncryption,
)
from docqa.ingest.text import is_garbled
from docqa.ingest.words import around
from docqa.settings import Settings
from docqa.types import Box

if TYPE_CHECKING:
    from PIL.Image import Image

HEADER_WITHIN = 1024  # bytes; pdfium looks no further for %PDF- either
SAMPLED = 12  # every so many letters one is looked at for its colour
PALE = 225  # of 255, each of red, green and blue: paler letters may not be seen on paper
UNSEEN_CONTRAST = 16  # of 255, between the lightest and the darkest point of a letter's place
BAR_WIDTH, BAR_HEIGHT = 8.0, 4.0  # points; smaller shapes hide no word
FEW_UNSEEN = 12  # letters on a page; fewer are strays of the program that wrote it
UNSEEN_SHOWN = 300  # characters of what is not seen that are kept
MAX_PIXELS = 12_000_000  # of one rendered page: a letter page at 5x, 36 MB while it is drawn
JPEG_QUALITY = 85
LEADERS = re.compile(r"(?:[.…·]\s?){5,}")  # the reader leaves them out of contents

# Only an uncompressed page tree can be looked at so; a compressed empty one counts as damaged.
SMALL_FILE = 64 * 1024  # bytes
PAGE_TREE = re.compile(rb"<<[^<>]*/Type\s*/Pages\b[^<>]*>>")
EMPTY_TREE = re.compile(rb"/Kids\s*\[\s*\]|/Count\s+0\b")

_locks: list[Any] = [threading.Lock()]


@cache
def _raw() -> Any:
    """pdfium's own functions, imported at first use; asked for at every letter."""
    from pypdfium2 import raw  # type: ignore[import-untyped]

    return raw


@dataclass(frozen=True, slots=True)
class PageFacts:
    """One page as pdfium sees it. ``width`` and ``height`` are in points, as displayed.

    ``glyphs`` counts the characters within the page, without blanks and dots that lead to a page
    number; those of a hidden text layer count.
    A page that cannot be opened has width, height and glyphs 0. ``garbled`` says that its text
    layer is no text: glyphs without letters, or letters that make no words. ``unseen`` begins
    the text that is drawn without being seen: as pale as what is behind it, without ink, or
    outside of the page. The text a scan has under its picture is none of it.
    """

    page: int
    width: float
    height: float
    label: str  # the number printed on the page where the file declares one, else ""
    glyphs: int
    rotation: int = 0  # degrees clockwise the stored page is turned by: 0, 90, 180, 270
    garbled: bool = False
    unseen: str = ""

    @property
    def opens(self) -> bool:
        return self.width > 0 and self.height > 0


def share_lock(lock: Any) -> None:
    """Use another library's pdfium lock from now on, where it calls pdfium in this process too."""
    _locks[0] = lock


def preflight(
    path: Path, *, password: str | None = None, limits: Settings, name: str | None = None
) -> int:
    """The number of pages of a file that can be read.

    ``name`` is what errors call the file, where its path is temporary. Raises a `FileError`:
    `FileMissing`, `EmptyFile`, `NotAPdf`, `TooLarge`, `PasswordNeeded`, `PasswordWrong`,
    `UnsupportedEncryption`, `DamagedPdf`, `NoPages`, or `ReadingFailed` where the system will
    not let it be read.
    """
    shown = name or path.name
    _check_file(path, shown, limits)
    if _declares_no_pages(path):
        raise NoPages(shown)
    with _opened(path, password, shown) as document:
        count = len(document)
        if count > limits.max_pages:
            raise TooLarge(shown, what=f"{count} pages", limit=f"{limits.max_pages} pages")
        if not _any_page_opens(document, count):
            raise DamagedPdf(shown)
    return count


def _check_file(path: Path, name: str, limits: Settings) -> None:
    try:
        size = path.stat().st_size
        if size == 0:
            raise EmptyFile(name)
        if size > limits.max_file_size:
            raise TooLarge(name, what=_megabytes(size), limit=_megabytes(limits.max_file_size))
        with path.open("rb") as file:
            head = file.read(HEADER_WITHIN)
    except FileNotFoundError as error:
        raise FileMissing(name) from error
    except OSError as error:
        raise ReadingFailed(name, reason=error.strerror or "the system refused it") from error
    if b"%PDF-" not in head:
        raise NotAPdf(name)


def _declares_no_pages(path: Path) -> bool:
    """Whether a small file has an empty page tree, which pdfium calls a damaged file."""
    if path.stat().st_size > SMALL_FILE:
        return False
    trees = PAGE_TREE.findall(path.read_bytes())
    return bool(trees) and all(EMPTY_TREE.search(tree) for tree in trees)


def _megabytes(size: int) -> str:
    return f"{size / 1024**2:.0f} MB" if size >= 1024**2 else f"{size} bytes"


def _any_page_opens(document: Any, count: int) -> bool:
    """Whether one of the first pages has a size; a file of which none has is no use.

    Their contents are not looked at: inflating them may take gigabytes, and this is not the
    reading process, which may be ended.
    """
    return any(_has_area(document, index) for index in range(min(count, 20)))


def _has_area(document: Any, index: int) -> bool:
    import pypdfium2

    try:
        return bool(min(document.get_page_size(index)) > 0)
    except pypdfium2.PdfiumError:
        return False


def page_facts(
    path: Path, *, password: str | None = None, first: int = 1, last: int | None = None
) -> list[PageFacts]:
    """The facts of the pages from ``first`` to ``last`` (the file's last), in order.

    Takes about 10 ms for a dense page. Raises the errors of an unreadable file, as `preflight`.
    """
    with _opened(path, password, path.name) as document:
        end = min(last or len(document), len(document))
        return [_facts(document, number) for number in range(first, end + 1)]


def page_lines(
    path: Path, *, password: str | None = None, part: int = 0, of: int = 1
) -> list[tuple[PageFacts, list[tuple[str, Box]]]]:
    """The facts of every page with its lines in the order they were drawn, each with its box.

    Those of one ``part`` (the first is 0) ``of`` so many. Takes 2 to 7 ms a page, so a file of
    150 pages about a second. Raises as `page_facts`.
    """
    with _opened(path, password, path.name) as document:
        first, end = (len(document) * at // of + 1 for at in (part, part + 1))
        return [_facts_and_lines(document, number) for number in range(first, end)]


def _facts(document: Any, number: int) -> PageFacts:
    with _texts(document, number) as (page, text):
        return _facts_of(document, number, page, text)


def _facts_and_lines(document: Any, number: int) -> tuple[PageFacts, list[tuple[str, Box]]]:
    with _texts(document, number) as (page, text):
        facts = _facts_of(document, number, page, text)
        if text is None:
            return facts, []
        lines = list(_lines(page, text))
        outside = " ".join(line for line, box in lines if not _is_on_page(box, *page.get_size()))
        unseen = " ".join(f"{outside} {_unseen(page, text)} {_covered(page, text)}".split())
        inside = [(line, box) for line, box in lines if _is_on_page(box, *page.get_size())]
        return replace(facts, unseen=unseen[:UNSEEN_SHOWN] if _says(unseen) else ""), inside


def _says(text: str) -> bool:
    """Whether a text is more than strays: some letters or digits, one word among them."""
    enough = sum(map(str.isalnum, text)) >= FEW_UNSEEN
    return enough and any(len(word) >= 3 and word.isalpha() for word in text.split())


def _unseen(page: Any, text: Any) -> str:
    """What stands on the page in letters that cannot be told from what is behind them.

    A letter in a dozen is asked for its colour; only where one is pale or has no ink is the page
    drawn, and every such letter looked at.
    """
    count = text.count_chars()
    hits = {at: kind for at in range(0, count, SAMPLED) if (kind := _inkless(text, at))}
    if not hits or (set(hits.values()) == {"no ink"} and _is_scan(page)):
        return ""
    size = page.get_size()
    scale = _bounded(1.0, *size)
    picture = _drawn(page, scale).convert("L")
    frame, turn = page.get_bbox(), page.get_rotation()
    around_hits = {near for at in hits for near in range(at - SAMPLED + 1, at + SAMPLED)}
    found = ""
    for index in sorted(around_hits & set(range(count))):
        letter = text.get_text_range(index, 1)
        if not letter.strip():
            found += " "
        elif _inkless(text, index):
            box = _displayed(text.get_charbox(index), frame, turn)
            if _is_on_page(box, *size) and _is_plain(picture, box, scale):
                found += letter
    return found


def _covered(page: Any, text: Any) -> str:
    """What stands on the page under something that was drawn over it, as under a black bar.

    Only where a filled shape lies over text drawn before it is the page itself drawn, and every
    letter under such a shape looked at: what shows through is not covered.
    """
    bars = _bars(page)
    if not bars:
        return ""
    size = page.get_size()
    scale = _bounded(1.0, *size)
    picture = _drawn(page, scale).convert("L")
    frame, turn = page.get_bbox(), page.get_rotation()
    found = ""
    for index in range(text.count_chars()):
        stored = text.get_charbox(index)
        if any(_holds(bar, stored) for bar in bars):
            letter = text.get_text_range(index, 1)
            box = _displayed(stored, frame, turn)
            hidden = _is_on_page(box, *size) and _is_plain(picture, box, scale)
            found += letter if hidden and not _inkless(text, index) else " "
    return found


def _bars(page: Any) -> list["Edges"]:
    """The filled shapes of a page that lie over text drawn before them, and its annotations."""
    raw = _raw()

    objects = [
        raw.FPDFPage_GetObject(page, index) for index in range(raw.FPDFPage_CountObjects(page))
    ]
    kinds = [raw.FPDFPageObj_GetType(drawn) for drawn in objects]
    text, shape = raw.FPDF_PAGEOBJ_TEXT, raw.FPDF_PAGEOBJ_PATH
    first = kinds.index(text) if text in kinds else len(kinds)
    later = [
        at for at in range(first, len(kinds)) if kinds[at] == shape and _is_filled(objects[at])
    ]
    bars = {at: bar for at in later if _is_bar(bar := _bounds(objects[at]))}
    before = range(first, max(bars, default=first))
    lines = sorted(
        ((bottom + top) / 2, at, left, right)
        for at in before
        if kinds[at] == text
        for left, bottom, right, top in (_bounds(objects[at]),)
    )
    return [*_annotations(page), *(bar for at, bar in bars.items() if _meets(bar, at, lines))]


def _annotations(page: Any) -> Iterator["Edges"]:
    """Where rectangles and redactions that are not carried out were laid over the page."""
    raw = _raw()

    for index in range(raw.FPDFPage_GetAnnotCount(page)):
        note, edges = raw.FPDFPage_GetAnnot(page, index), raw.FS_RECTF()
        try:
            over = raw.FPDFAnnot_GetSubtype(note) in (raw.FPDF_ANNOT_SQUARE, raw.FPDF_ANNOT_REDACT)
            if over and raw.FPDFAnnot_GetRect(note, edges):
                yield edges.left, edges.bottom, edges.right, edges.top
        finally:
            raw.FPDFPage_CloseAnnot(note)


def _bounds(drawn: Any) -> "Edges":
    raw = _raw()

    raw.FPDFPageObj_GetBounds(drawn, *_EDGES)
    left, bottom, right, top = _EDGES
    return left.value, bottom.value, right.value, top.value


def _is_filled(drawn: Any) -> bool:
    raw = _raw()

    raw.FPDFPath_GetDrawMode(drawn, _FILL, _STROKE)
    return bool(_FILL.value)


def _is_bar(edges: "Edges") -> bool:
    """Whether a shape is large enough to hide a word; rules and dots are not."""
    left, bottom, right, top = edges
    return right - left >= BAR_WIDTH and top - bottom >= BAR_HEIGHT


def _meets(bar: "Edges", drawn: int, lines: Sequence[tuple[float, int, float, float]]) -> bool:
    """Whether a shape lies over the middle of a line drawn before it, for a letter's width.

    ``lines`` are the middles of lines in order, when each was drawn, and its left and right.
    """
    inside = slice(
        bisect_right(lines, bar[1], key=_middle), bisect_left(lines, bar[3], key=_middle)
    )
    return any(
        at < drawn and min(bar[2], right) - max(bar[0], left) > BAR_HEIGHT
        for _, at, left, right in lines[inside]
    )


def _holds(bar: "Edges", letter: "Edges") -> bool:
    across, up = (letter[0] + letter[2]) / 2, (letter[1] + letter[3]) / 2
    return bar[0] < across < bar[2] and bar[1] < up < bar[3]


_middle = itemgetter(0)

# Filled under the lock.
_EDGES = tuple(ctypes.c_float() for _ in range(4))
_FILL, _STROKE = ctypes.c_int(), ctypes.c_int()
_SHADES = tuple(ctypes.c_uint() for _ in range(4))


def _inkless(text: Any, index: int) -> str:
    """ "pale" or "no ink" for a letter that may not be seen, else ""."""
    raw = _raw()

    letter = raw.FPDFText_GetTextObject(text, index)
    if not letter:
        return ""
    if raw.FPDFTextObj_GetTextRenderMode(letter) == raw.FPDF_TEXTRENDERMODE_INVISIBLE:
        return "no ink"
    if not raw.FPDFPageObj_GetFillColor(letter, *_SHADES):
        return ""
    red, green, blue, cover = (shade.value for shade in _SHADES)
    return "pale" if min(red, green, blue) >= PALE or cover < 256 - PALE else ""


def _is_scan(page: Any) -> bool:
    """Whether a picture covers half of the page or more."""
    raw = _raw()

    width, height = page.get_size()
    for index in range(raw.FPDFPage_CountObjects(page)):
        drawn = raw.FPDFPage_GetObject(page, index)
        if raw.FPDFPageObj_GetType(drawn) == raw.FPDF_PAGEOBJ_IMAGE:
            left, bottom, right, top = _bounds(drawn)
            area = (right - left) * (top - bottom)
            if area >= width * height / 2:
                return True
    return False


def _is_plain(picture: "Image", box: Box, scale: float) -> bool:
    """Whether nothing can be made out in a place of the page's picture (grey)."""
    left, top = round(box.left * scale), round(box.top * scale)
    right, bottom = round(box.right * scale) + 1, round(box.bottom * scale) + 1
    shades = picture.crop((left, top, right, bottom)).tobytes()
    return max(shades) - min(shades) < UNSEEN_CONTRAST


@contextmanager
def _texts(document: Any, number: int) -> Iterator[tuple[Any, Any]]:
    """A page and its text, closed on leaving; None for what cannot be loaded."""
    import pypdfium2

    with _page(document, number - 1) as page:
        try:
            text = page and page.get_textpage()
        except pypdfium2.PdfiumError:
            text = None
        try:
            yield page, text
        finally:
            if text is not None:
                text.close()


def _facts_of(document: Any, number: int, page: Any, text: Any) -> PageFacts:
    label = str(document.get_page_label(number - 1)).strip()
    if page is None:
        return PageFacts(number, 0.0, 0.0, label, 0)
    (width, height), turn = page.get_size(), page.get_rotation()
    if text is None:
        return PageFacts(number, width, height, label, 0, turn)
    shown = text.get_text_bounded()
    # Some are drawn, but are of no known letter.
    unknown = max(0, text.count_chars() - len(text.get_text_range()))
    glyphs = unknown + len("".join(LEADERS.sub("", shown).split()))
    return PageFacts(number, width, height, label, glyphs, turn, is_garbled(shown, unknown))


def _lines(page: Any, text: Any) -> Iterator[tuple[str, Box]]:
    """Lines of a page as pdfium parts them, those outside of the page too."""
    raw = _raw()

    frame, turn = page.get_bbox(), page.get_rotation()
    size = page.get_size()
    edges = tuple(ctypes.c_double() for _ in range(4))
    left, top, right, bottom = edges
    start = 0
    for line in text.get_text_range().split("\r\n"):
        boxes = []
        for rectangle in range(raw.FPDFText_CountRects(text, start, len(line)) if line else 0):
            raw.FPDFText_GetRect(text, rectangle, *edges)
            stored = left.value, bottom.value, right.value, top.value
            boxes.append(_displayed(stored, frame, turn))
        start += len(line) + 2
        seen = [box for box in boxes if _is_on_page(box, *size)]
        if boxes and line.strip():
            yield line, around(seen or boxes)


def _is_on_page(box: Box, width: float, height: float) -> bool:
    return box.right > 0 and box.bottom > 0 and box.left < width and box.top < height


def page_text(path: Path, page: int, *, password: str | None = None) -> str:
    """The text of a page in the order it was drawn, lines parted by newlines; "" where none is.

    Raises `IndexError` where there is no such page.
    """
    with _opened(path, password, path.name) as document:
        _check_number(document, page)
        with _page(document, page - 1) as opened:
            return "" if opened is None else _text(opened)


def _text(page: Any) -> str:
    text = page.get_textpage()
    try:
        return str(text.get_text_bounded()).replace("\r\n", "\n")
    finally:
        text.close()


def page_words(path: Path, page: int, *, password: str | None = None) -> list[tuple[str, Box]]:
    """The words of a page in the order they were drawn, each with its box.

    Slower than `page_text`, letter by letter. Raises `IndexError` where there is no such page.
    """
    with _opened(path, password, path.name) as document:
        _check_number(document, page)
        with _page(document, page - 1) as opened:
            return [] if opened is None else list(_words(opened))


def _words(page: Any) -> Iterator[tuple[str, Box]]:
    frame, turn = page.get_bbox(), page.get_rotation()
    text = page.get_textpage()
    try:
        word, boxes = "", list[Box]()
        for index in range(text.count_chars()):
            letter = text.get_text_range(index, 1)
            if letter.strip():
                word += letter
                boxes.append(_displayed(text.get_charbox(index, loose=True), frame, turn))
            elif word:
                yield word, around(boxes)
                word, boxes = "", []
        if word:
            yield word, around(boxes)
    finally:
        text.close()


Edges = tuple[float, float, float, float]  # left, bottom, right, top, as PDF has them


def _displayed(box: Edges, frame: Edges, turn: int) -> Box:
    """A box in the stored page's coordinates as it lies on the page displayed.

    ``frame`` is the visible part of the stored page, ``turn`` how far it is turned clockwise.
    """
    (left, bottom, right, top), (first_x, first_y, last_x, last_y) = box, frame
    if turn == 90:
        return Box(bottom - first_y, left - first_x, top - first_y, right - first_x)
    if turn == 180:
        return Box(last_x - right, bottom - first_y, last_x - left, top - first_y)
    if turn == 270:
        return Box(last_y - top, last_x - right, last_y - bottom, last_x - left)
    return Box(left - first_x, last_y - top, right - first_x, last_y - bottom)


def render_page(
    path: Path, page: int, *, scale: float = 2.0, password: str | None = None
) -> tuple[bytes, float, float]:
    """A page as a JPEG, and its width and height in points as displayed.

    ``scale`` is in pixels for a point, less where the picture would exceed `MAX_PIXELS`. Filled
    form fields and annotations are drawn. Raises `IndexError` where there is no such page, and
    `DamagedPdf` where it cannot be drawn.
    """
    image, width, height = render_image(path, page, scale=scale, password=password)
    encoded = io.BytesIO()
    image.save(encoded, "JPEG", quality=JPEG_QUALITY)
    return encoded.getvalue(), width, height


def render_image(
    path: Path, page: int, *, scale: float = 2.0, password: str | None = None
) -> tuple["Image", float, float]:
    """As `render_page`, the picture not yet encoded (RGB)."""
    with _opened(path, password, path.name, forms=True) as document:
        _check_number(document, page)
        with _page(document, page - 1) as opened:
            if opened is None:
                raise DamagedPdf(path.name)
            width, height = opened.get_size()
            return _drawn(opened, _bounded(scale, width, height)), width, height


def _check_number(document: Any, page: int) -> None:
    if not 1 <= page <= len(document):
        raise IndexError(f"page {page} of {len(document)}")


def _bounded(scale: float, width: float, height: float) -> float:
    """The scale, or the largest that keeps the picture within `MAX_PIXELS`."""
    pixels = width * height * scale**2
    bounded: float = scale if pixels <= MAX_PIXELS else scale * (MAX_PIXELS / pixels) ** 0.5
    # A side beyond what JPEG can hold: pages of 14,400 points by a few exist.
    return min(bounded, 60_000 / max(width, height, 1))


def _drawn(page: Any, scale: float) -> "Image":
    bitmap = page.render(scale=scale, rev_byteorder=True)
    try:
        picture: Image = bitmap.to_pil().convert("RGB").copy()  # the bitmap's memory goes with it
        return picture
    finally:
        bitmap.close()


@contextmanager
def _page(document: Any, index: int) -> Iterator[Any]:
    """A page, closed on leaving; None where it cannot be loaded or has no area."""
    import pypdfium2

    try:
        page = document[index]
    except pypdfium2.PdfiumError:
        yield None
        return
    try:
        yield page if min(page.get_size()) > 0 else None
    finally:
        page.close()


@contextmanager
def _opened(path: Path, password: str | None, name: str, *, forms: bool = False) -> Iterator[Any]:
    """The document, open and locked while in the block. Raises the errors of a bad file."""
    import pypdfium2

    with _locks[0]:
        try:
            document = pypdfium2.PdfDocument(path, password=password or None)
        except FileNotFoundError as error:
            raise FileMissing(name) from error
        except pypdfium2.PdfiumError as error:
            raise _translated(error, name, password) from error
        try:
            if forms:
                _draw_forms(document)
            yield document
        finally:
            document.close()


def _draw_forms(document: Any) -> None:
    """Have field contents drawn with the pages; a form that cannot be is left undrawn."""
    import pypdfium2

    try:
        document.init_forms()
    except pypdfium2.PdfiumError:
        return


def _translated(error: Any, name: str, password: str | None) -> FileError:
    raw = _raw()

    if error.err_code == raw.FPDF_ERR_PASSWORD:
        return PasswordWrong(name) if password else PasswordNeeded(name)
    if error.err_code == raw.FPDF_ERR_SECURITY:
        return UnsupportedEncryption(name)
    return DamagedPdf(name)
