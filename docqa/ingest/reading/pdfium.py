"""What pdfium knows of a file's pages: whether it opens, their sizes, labels, glyphs and pictures.

pdfium is not safe with threads: unlocked use from several has crashed whole processes. Every call
into it, closing included, is made under one lock, and no document outlives the call that opened
it, so that nothing is left for the garbage collector to close outside the lock.
"""

import io
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Literal

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
from docqa.ingest.geometry.text import is_garbled
from docqa.ingest.geometry.words import around
from docqa.ingest.reading.hidden_text import unseen
from docqa.ingest.reading.note_marks import with_marks
from docqa.ingest.reading.pdfium_page import Sheet, displayed, raw
from docqa.settings import Settings
from docqa.types.document import KINDS, Box, PageHealth, TextSource

if TYPE_CHECKING:
    from PIL.Image import Image

HEADER_WITHIN = 1024  # bytes; pdfium looks no further for %PDF- either
MAX_PIXELS = 12_000_000  # of one rendered page: a letter page at 5x, 36 MB while it is drawn
JPEG_QUALITY = 85
LINE = re.compile(r"[^\ufffe]+\ufffe?|\ufffe")  # pdfium ends none at the hyphen of a broken word
ENDING_OF_A_KIND = re.compile(r"\.[a-z]{2,5}")  # of a name; not the end of "Lease v2.1"
LEADERS = re.compile(r"(?:[.…·]\s?){5,}")  # the reader leaves them out of contents

# Only an uncompressed page tree can be looked at so; a compressed empty one counts as damaged.
SMALL_FILE = 64 * 1024  # bytes
PAGE_TREE = re.compile(rb"<<[^<>]*/Type\s*/Pages\b[^<>]*>>")
EMPTY_TREE = re.compile(rb"/Kids\s*\[\s*\]|/Count\s+0\b")

_locks: list[Any] = [threading.Lock()]


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
    garbled: bool = False
    unseen: str = ""

    def health(self, characters: int, *warnings: str) -> PageHealth:
        """The health of a page of whose text layer so many characters were read."""
        source: TextSource = "text layer" if characters else "none"
        return PageHealth(
            self.page, self.label, self.width, self.height, characters, source, warnings
        )


def share_lock(lock: Any) -> None:
    """Use another library's pdfium lock from now on, where it calls pdfium in this process too."""
    _locks[0] = lock


def preflight(path: Path, *, password: str | None = None, limits: Settings) -> int:
    """The number of pages of a file that can be read.

    Raises a `FileError`: `FileMissing`, `EmptyFile`, `NotAPdf`, `TooLarge`, `PasswordNeeded`,
    `PasswordWrong`, `UnsupportedEncryption`, `DamagedPdf`, `NoPages`, or `ReadingFailed` where
    the system will not let it be read.
    """
    name = path.name
    _check_file(path, name, limits)
    if _declares_no_pages(path):
        raise NoPages(name)
    with _opened(path, password) as document:
        count = len(document)
        if count > limits.reading.max_pages:
            raise TooLarge(name, what=f"{count} pages", limit=f"{limits.reading.max_pages} pages")
        # A file of whose first pages none has a size is no use. Their contents are not looked at,
        # which may take gigabytes: this is not the reading process, which may be ended.
        if not any(_has_area(document, index) for index in range(min(count, 20))):
            raise DamagedPdf(name)
    return count


def _check_file(path: Path, name: str, limits: Settings) -> None:
    try:
        size = path.stat().st_size
        if size == 0:
            raise EmptyFile(name)
        if size > limits.reading.max_file_size:
            raise TooLarge(
                name, what=_megabytes(size), limit=_megabytes(limits.reading.max_file_size)
            )
        with path.open("rb") as file:
            head = file.read(HEADER_WITHIN)
    except FileNotFoundError as error:
        raise FileMissing(name) from error
    except OSError as error:
        raise ReadingFailed(name, reason=error.strerror or "the system refused it") from error
    if b"%PDF-" not in head:
        ending = PurePath(name).suffix.lower()
        if ending in KINDS or not ENDING_OF_A_KIND.fullmatch(ending):
            raise NotAPdf(name)
        raise ReadingFailed(name, reason=f"{ending} files are not read, only {', '.join(KINDS)}")


def _declares_no_pages(path: Path) -> bool:
    """Whether a small file has an empty page tree, which pdfium calls a damaged file."""
    if path.stat().st_size > SMALL_FILE:
        return False
    trees = PAGE_TREE.findall(path.read_bytes())
    return bool(trees) and all(EMPTY_TREE.search(tree) for tree in trees)


def _megabytes(size: int) -> str:
    return f"{size / 1024**2:.0f} MB" if size >= 1024**2 else f"{size} bytes"


def _has_area(document: Any, index: int) -> bool:
    import pypdfium2  # type: ignore[import-untyped]

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
    with _opened(path, password) as document:
        end = min(last or len(document), len(document))
        return [_facts_and_lines(document, number)[0] for number in range(first, end + 1)]


def page_lines(
    path: Path, *, password: str | None = None, part: int = 0, of: int = 1
) -> list[tuple[PageFacts, list[tuple[str, Box]]]]:
    """The facts of every page with its lines in the order they were drawn, each with its box.

    Those of one ``part`` (the first is 0) ``of`` so many. Takes 2 to 7 ms a page, so a file of
    150 pages about a second. Raises as `page_facts`.
    """
    with _opened(path, password) as document:
        first, end = (len(document) * at // of + 1 for at in (part, part + 1))
        return [_facts_and_lines(document, number) for number in range(first, end)]


def _facts_and_lines(document: Any, number: int) -> tuple[PageFacts, list[tuple[str, Box]]]:
    with _sheet(document, number) as (page, sheet):
        facts = _facts_of(document, number, page, sheet)
        if sheet is None:
            return facts, []
        lines = list(_lines(sheet))
        outside = " ".join(line for line, box in lines if not sheet.shows(box))
        scale = _bounded(1.0, *page.get_size())
        found = unseen(sheet, outside, cache(lambda: (_drawn(page, scale, "L"), scale)))
        return replace(facts, unseen=found), [each for each in lines if sheet.shows(each[1])]


@contextmanager
def _sheet(document: Any, number: int) -> Iterator[tuple[Any, Sheet | None]]:
    """A page, and it with its text, closed on leaving; None for what cannot be loaded."""
    import pypdfium2

    with _page(document, number - 1) as page:
        try:
            text = page and page.get_textpage()
        except pypdfium2.PdfiumError:
            text = None
        with nullcontext() if text is None else closing(text):
            yield page, None if text is None else Sheet(page, text)


def _facts_of(document: Any, number: int, page: Any, sheet: Sheet | None) -> PageFacts:
    label = str(document.get_page_label(number - 1)).strip()
    width, height = (0.0, 0.0) if page is None else page.get_size()
    if sheet is None:
        return PageFacts(number, width, height, label, 0)
    shown = sheet.text.get_text_bounded()
    # Some are drawn, but are of no known letter.
    unknown = max(0, sheet.count - len(sheet.written))
    glyphs = unknown + len("".join(LEADERS.sub("", shown).split()))
    return PageFacts(number, width, height, label, glyphs, is_garbled(shown, unknown))


def _lines(sheet: Sheet) -> Iterator[tuple[str, Box]]:
    """Lines of a page as pdfium parts them, those outside of the page too."""
    start = 0
    for written in sheet.written.split("\r\n"):
        for line in LINE.findall(written):
            edges = sheet.rectangles(start, len(line))
            if edges and line.strip():
                yield with_marks(sheet, start, line), _around(sheet, edges)
            start += len(line)
        start += 2


def _around(sheet: Sheet, edges: Sequence[float]) -> Box:
    """The smallest box around stored ones as displayed; around those on the page, if any are."""
    lefts, tops, rights, bottoms = (edges[at::4] for at in range(4))
    inner = sheet.displayed((max(lefts), max(bottoms), min(rights), min(tops)))
    if sheet.shows(inner):  # so is each of them
        return sheet.displayed((min(lefts), min(bottoms), max(rights), max(tops)))
    stored = zip(lefts, bottoms, rights, tops, strict=True)
    boxes = [sheet.displayed(each) for each in stored]
    return around([box for box in boxes if sheet.shows(box)] or boxes)


def page_words(path: Path, page: int, *, password: str | None = None) -> list[tuple[str, Box]]:
    """The words of a page in the order they were drawn, each with its box.

    Raises `IndexError` where there is no such page.
    """
    with _opened(path, password) as document:
        _check_number(document, page)
        with _page(document, page - 1) as opened:
            return [] if opened is None else list(_words(opened))


def _words(page: Any) -> Iterator[tuple[str, Box]]:
    frame, turn = page.get_bbox(), page.get_rotation()
    with closing(page.get_textpage()) as text:
        word, boxes = "", list[Box]()
        for index in range(text.count_chars()):
            letter = text.get_text_range(index, 1)
            if letter.strip():
                word += letter
                boxes.append(displayed(text.get_charbox(index, loose=True), frame, turn))
            elif word:
                yield word, around(boxes)
                word, boxes = "", []
        if word:
            yield word, around(boxes)


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
    with _opened(path, password, forms=True) as document:
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


def _drawn(page: Any, scale: float, mode: Literal["RGB", "L"] = "RGB") -> "Image":
    """A page's picture, in colour or in grey."""
    with closing(page.render(scale=scale, rev_byteorder=True)) as bitmap:
        picture: Image = bitmap.to_pil().convert(mode)  # a copy: the bitmap's memory goes
        return picture


@contextmanager
def _page(document: Any, index: int) -> Iterator[Any]:
    """A page, closed on leaving; None where it cannot be loaded or has no area."""
    import pypdfium2

    try:
        page = document[index]
    except pypdfium2.PdfiumError:
        yield None
        return
    with closing(page):
        yield page if min(page.get_size()) > 0 else None


@contextmanager
def _opened(path: Path, password: str | None, *, forms: bool = False) -> Iterator[Any]:
    """The document, open and locked while in the block. Raises the errors of a bad file."""
    import pypdfium2

    with _locks[0]:
        try:
            document = pypdfium2.PdfDocument(path, password=password or None)
        except FileNotFoundError as error:
            raise FileMissing(path.name) from error
        except pypdfium2.PdfiumError as error:
            raise _translated(error, path.name, password) from error
        with closing(document):
            if forms:
                with suppress(pypdfium2.PdfiumError):  # a form that cannot be drawn is left undrawn
                    document.init_forms()
            yield document


def _translated(error: Any, name: str, password: str | None) -> FileError:
    if error.err_code == raw().FPDF_ERR_PASSWORD:
        return PasswordWrong(name) if password else PasswordNeeded(name)
    if error.err_code == raw().FPDF_ERR_SECURITY:
        return UnsupportedEncryption(name)
    return DamagedPdf(name)
