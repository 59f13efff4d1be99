"""Documents side by side: figures, terms, passages, and changes between versions."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal

from docqa.types.answer import NO_USAGE, Citation, Usage
from docqa.types.document import Block, Document, place_name
from docqa.types.search import Hit
from docqa.types.units import SCALE_NAMES, SYMBOLS


@dataclass(frozen=True, slots=True)
class Alignment:
    """Passages of two or three documents that speak of the same thing, in document order."""

    similarity: float  # 0–1
    passages: tuple[Hit, ...]

    @property
    def places(self) -> set[tuple[str, int]]:
        """Ids of documents and indices of blocks, but for headings."""
        return {place for hit in self.passages for place in hit.places}


@dataclass(frozen=True, slots=True)
class Figure:
    """A labelled number in a document. ``value`` has its scale applied ("$1.2M" is 1200000)."""

    label: str
    period: str  # "2024", "FY2018", "three months ended June 30, 2022", or ""
    value: Decimal
    unit: str  # "USD", "%", "sq ft", "days", …, or "" for a bare number
    text: str  # as printed
    document_id: str
    document: str
    block: Block
    statement: bool = False  # stands in a main statement of the document, as a balance sheet
    doubt: str = ""  # why its scale is uncertain; it is not subtracted then
    addends: tuple["Figure", ...] = ()  # what it is the sum of, where it is not printed itself

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks that it stands in, or that its addends do."""
        return tuple(each.block for each in self.addends) or (self.block,)

    @property
    def shown(self) -> str:
        """As printed, with currency and scale where these stand elsewhere: "$97.3 million"."""
        bare = re.fullmatch(r"(-?\(?)[$€£\s]*(\(?)([\d,.]*\d)(\)?)", self.text)
        if not bare or self.unit == "date":
            return self.text
        printed = Decimal(bare[3].replace(",", ""))
        if printed == abs(self.value) or not printed:
            return self.text
        factor = abs(self.value) / printed
        if factor not in SCALE_NAMES:
            return f"{self.text} ({self.value:,f})"
        scale = SCALE_NAMES[int(factor)]
        symbol = SYMBOLS.get(self.unit, f"{self.unit} " if self.unit else "")
        return f"{bare[1]}{bare[2]}{symbol}{bare[3]}{bare[4]} {scale}"


PERIODS_DIFFER = "The periods differ but have the same length."


@dataclass(frozen=True, slots=True)
class FigureComparison:
    """One labelled figure across documents. ``difference`` is first minus second, as text.

    ``difference`` is "" where it was refused, and ``note`` then says why. ``percent`` is how much
    the first is over the second ("+9.1%"), "" where that says nothing. ``apart`` is the difference
    as a number, days for dates, None where it was refused. ``leading`` says that it is one of those
    that documents of this kind are compared on first.
    """

    label: str
    period: str
    unit: str
    values: tuple[Figure, ...]
    difference: str = ""
    note: str = ""
    percent: str = ""
    apart: Decimal | None = None
    leading: bool = False


@dataclass(frozen=True, slots=True)
class TermSide:
    """What one document says on a topic; where nothing, ``nearest_page`` is worth a look.

    ``quote`` is verbatim from ``blocks``, both empty where nothing was found. ``chance`` is how
    likely it is that it settles the topic, or what is nearest, 0-1; 1 where that is told by no
    wording. Where what stands nearest may well settle it, it is ``likely``.
    """

    document_id: str
    document: str
    quote: str = ""
    blocks: tuple[Block, ...] = ()
    nearest_page: int = 0
    nearest_place: str = ""  # as of a `Block`
    nearest_quote: str = ""  # what stands there, where it was judged to settle something else
    chance: float = 1.0
    likely: bool = False

    @property
    def page(self) -> int:
        return self.blocks[0].page if self.blocks else 0

    @property
    def where(self) -> str:
        """Where the quote stands, or what is worth a look; "" for neither."""
        if self.blocks:
            return self.blocks[0].where
        return place_name(self.nearest_page, self.nearest_place) if self.nearest_page else ""


ONE_SIDE = "one side only"


@dataclass(frozen=True, slots=True)
class TermComparison:
    """A topic of contracts ("Governing law") and what each document says on it, in order."""

    topic: str
    sides: tuple[TermSide, ...]
    note: str = ""  # "differs", "same wording", "nearest, worded differently", "only in A.pdf"

    @property
    def verdict(self) -> str:
        """The note in few words: who alone has it shows beside it.

        >>> TermComparison("Rent", (), "only in A.pdf").verdict
        'one side only'
        """
        known = ("differs", "same wording", "worded differently")
        return next((each for each in known if self.note.endswith(each)), ONE_SIDE)


ChangeKind = Literal["unchanged", "changed", "moved", "moved and changed", "new", "gone"]


@dataclass(frozen=True, slots=True)
class Edit:
    """A run of words that both versions have, or only the first (gone) or the second (new)."""

    kind: Literal["same", "gone", "new"]
    text: str


@dataclass(frozen=True, slots=True)
class Change:
    """What became of one paragraph, clause or row between two versions of a document.

    ``edits`` lead from the first wording to the second, () where they are the same. ``number`` is
    the clause's ("4.2"), "" without one; ``figures_changed`` says that numbers in it did, and
    ``minor`` that only capitals, punctuation, spaces or the clause's own number did.
    """

    kind: ChangeKind
    number: str
    first: str
    second: str
    first_blocks: tuple[Block, ...] = ()
    second_blocks: tuple[Block, ...] = ()
    edits: tuple[Edit, ...] = ()
    figures_changed: bool = False
    minor: bool = False


@dataclass(frozen=True, slots=True)
class Nearest:
    """The passage of another document that comes nearest to one without a partner.

    ``alike`` is set where the two would be a pair if that one were not another's partner.
    """

    passage: Hit
    similarity: float
    alike: bool = False


@dataclass(frozen=True, slots=True)
class Comparison:
    """Documents side by side. ``nearest`` maps the id of a chunk in ``only_in`` to what is nearest.

    The citations' labels are ``DocA:p5``, the first document being A. ``partial`` says that a
    model's words on it broke off; what was computed is whole all the same.
    """

    documents: tuple[Document, ...]
    question: str
    figures: tuple[FigureComparison, ...]
    pairs: tuple[Alignment, ...]
    only_in: Mapping[str, tuple[Hit, ...]]  # document id to passages without a partner
    text: str
    answerer: str = "extractive"
    citations: tuple[Citation, ...] = ()
    warnings: tuple[str, ...] = ()
    usage: Usage = NO_USAGE
    seconds: float = 0.0
    terms: tuple[TermComparison, ...] = ()
    nearest: Mapping[str, Nearest] = field(default_factory=dict)
    changes: tuple[Change, ...] = ()  # between two versions of one text, in the second's order
    narrowed: bool = False  # its changes are those of the clauses that the question names
    summary: str = ""  # of figures, terms and changes, where these are shown beside it
    partial: bool = False
    period: str = ""  # that its figures were asked for; "" for the latest
    whole: "Comparison | None" = None  # with every line, where a person has left some out

    @property
    def lines(self) -> tuple[str, ...]:
        """The labels of its figures and terms, each once, in order."""
        labels = (*(row.label for row in self.figures), *(row.topic for row in self.terms))
        return tuple(dict.fromkeys(labels))


def short_names(documents: Sequence[Document]) -> dict[str, str]:
    """Document id to the short name it has in a comparison of these: DocA, DocB, DocC."""
    return {document.id: f"Doc{chr(65 + n)}" for n, document in enumerate(documents)}
