"""How well scanned pages are read: pages as pictures, their words held against the text layer.

    python -m tests.eval.scans [FILE.pdf PAGE]...

rasterises each page at 200 dots to the inch, reads it by OCR, and prints the F1 of its words.
Without arguments two pages of the samples are read: one of prose, one with a table.
"""

import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pypdfium2  # type: ignore[import-untyped]

from docqa import installation
from docqa.ingest.reading import parse
from docqa.settings import DEFAULTS

DOTS = 200  # to the inch


def scanned(path: Path, page: int, target: Path) -> Path:
    """One page of a file as a picture in a file of its own."""
    document = pypdfium2.PdfDocument(path)
    picture = document[page - 1].render(scale=DOTS / 72).to_pil().convert("L")
    document.close()
    picture.save(target, "PDF", resolution=DOTS)
    return target


def words_of(path: Path, page: int) -> Counter[str]:
    """The words of a page's text layer as pdfium has them."""
    document = pypdfium2.PdfDocument(path)
    text = document[page - 1].get_textpage().get_text_bounded()
    document.close()
    return words(text)


def words(text: str) -> Counter[str]:
    """Runs of letters and digits with what stands inside them ("25,000", "first-class")."""
    return Counter(re.findall(r"\w+(?:[.,'’/&-]\w+)*", text.casefold()))


def f1(found: Counter[str], wanted: Counter[str]) -> float:
    """The harmonic mean of precision and recall over words with their counts.

    >>> f1(Counter("ab"), Counter("abbb"))
    0.6666666666666666
    """
    return 2 * (found & wanted).total() / max(found.total() + wanted.total(), 1)


def score(path: Path, page: int) -> tuple[float, int]:
    """Word F1 of a page read by OCR, and how many words it has."""
    with tempfile.TemporaryDirectory() as folder:
        scan = scanned(path, page, Path(folder) / "scan.pdf")
        read = parse.read(scan, settings=DEFAULTS)
    text = "\n".join(block.text for block in read.blocks)
    wanted = words_of(path, page)
    return f1(words(text), wanted), wanted.total()


def _chosen(arguments: Sequence[str]) -> Iterator[tuple[Path, int]]:
    if not arguments:
        samples = {path.name: path for path in installation.sample_paths()}
        yield next(path for name, path in samples.items() if "Lease" in name), 2
        yield samples["Property_A_Offering_Memo.pdf"], 3
    for path, page in zip(arguments[::2], arguments[1::2], strict=True):
        yield Path(path), int(page)


def main() -> None:
    for path, page in _chosen(sys.argv[1:]):
        value, count = score(path, page)
        print(f"{path.name} p. {page}: word F1 {value:.3f} (n={count} words)")


if __name__ == "__main__":
    main()
