"""The passages of an answer, to be asked where a figure, a date or a quotation stands."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from decimal import Decimal
from functools import cache, cached_property
from itertools import pairwise

from docqa.answer.check.places import Passage, Place, places_of, read_passage, texts_of
from docqa.answer.check.quotation import Wording, stands_in, wording
from docqa.language.numbers import worded_numbers
from docqa.language.periods import Date, dates_in, years_in
from docqa.language.words import fold
from docqa.types.answer import Check, CheckResult, Evidence
from docqa.types.document import ENDING

_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?|\.\d+")
_POWERS = (1.0, 1e3, 1e6, 1e9, 1e12, 1e-3, 1e2, 1e-2)  # scales, and basis points
_NAME = re.compile(r"\b[A-Z][\w&.’'-]*(?:[ _](?:[A-Z][\w&.’'-]*|\d+))*")
_BESIDE_OTHER = re.compile(
    r"\b(?:unlike|than|against|versus|vs\.?|compared (?:with|to)|like)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_LONGEST = 25  # digits of a number that is looked for
_MOST = 60  # places of one number that are looked at


BlockKey = tuple[str, int]  # a passage's label, and a block of it from 0


class EvidenceIndex:
    """Read once for an answer; what is asked of it is read further when it is first asked."""

    def __init__(self, evidence: Sequence[Evidence]) -> None:
        self.passages: dict[str, Passage] = {each.label: read_passage(each) for each in evidence}
        self.documents = {each.hit.document.id: each.hit.document for each in evidence}
        self.places = cache(self._places)
        self.dates, self.years = cache(self._dates), cache(self._years)
        self._wording, self._said = cache(self._wording_of), cache(self._said_of)
        stated = {d: Counter[int]() for d in self.documents}
        for passage in self.passages.values():
            if passage.scale and passage.lines:  # a chart's scale is its own
                stated[passage.piece.hit.document.id][passage.scale] += 1
        # Where all that is stated in a document is one scale, it is that of its other tables too.
        self._scales = {d: next(iter(n)) for d, n in stated.items() if len(n) == 1}
        saying = (
            each.piece.hit.document.id for each in self.passages.values() if each.of_sentences
        )
        self._of_sentences = frozenset(saying)

    def _places(self, label: str, number: int) -> tuple[Place, ...]:
        """The figures of a passage's block (from 0)."""
        passage = self.passages[label]
        document = passage.piece.hit.document.id
        scale = self._scales.get(document, 0)
        of_sentences = scale if document in self._of_sentences else 0
        return places_of(passage, number, scale=scale, scale_of_sentences=of_sentences)

    def like(
        self,
        value: Decimal,
        slack: Decimal,
        *,
        words: bool = False,
        within: Set[BlockKey] | None = None,
        without: Set[BlockKey] = frozenset(),
    ) -> Iterator[Place]:
        """The figures whose digits are those of ``value``, whatever their scale.

        Looked for in the blocks ``within``, or in all but those ``without``; number words count
        with ``words``.
        """
        size, off = abs(float(value)), float(slack)
        numbers = (
            self._numbers
            if within is None
            else sorted(each for block in within for each in self._by_block.get(block, ()))
        )
        if words:
            numbers = sorted([*numbers, *self._numbers_in_words])
        seen: set[BlockKey] = set(without)
        for power in _POWERS:
            low, high = (size - off) / power, (size + off) / power
            at = bisect_left(numbers, (low * (1 - 1e-9), "", 0))
            while at < len(numbers) and numbers[at][0] <= high * (1 + 1e-9):
                block = numbers[at][1:]
                at += 1
                if block in seen or (within is not None and block not in within):
                    continue
                seen.add(block)
                if len(seen) - len(without) <= _MOST:
                    yield from self.places(*block)

    @cached_property
    def _by_block(self) -> dict[BlockKey, list[tuple[float, str, int]]]:
        """Every number in digits, by its block."""
        found: dict[BlockKey, list[tuple[float, str, int]]] = {}
        for label, passage in self.passages.items():
            for number, block in enumerate(passage.piece.hit.chunk.blocks):
                own = {digits.replace(",", "") for digits in _NUMBER.findall(block.text)}
                found[label, number] = [
                    (float(digits), label, number) for digits in own if len(digits) < _LONGEST
                ]
        return found

    @cached_property
    def _numbers(self) -> list[tuple[float, str, int]]:
        return sorted(each for numbers in self._by_block.values() for each in numbers)

    @cached_property
    def _numbers_in_words(self) -> list[tuple[float, str, int]]:
        return [
            (float(value), label, number)
            for label, passage in self.passages.items()
            for number, block in enumerate(passage.piece.hit.chunk.blocks)
            for value, _, _ in worded_numbers(block.text)
        ]

    def cited(self, labels: Sequence[str]) -> Iterator[Place]:
        """The figures of the blocks that labels stand for."""
        for label in labels:
            for passage, number in self.blocks(label):
                yield from self.places(passage, number)

    def blocks(self, label: str) -> Iterator[tuple[str, int]]:
        """The blocks (from 0) that a label stands for."""
        name, _, run = label.partition(".")
        if name not in self.passages:
            return
        count = len(self.passages[name].piece.hit.chunk.blocks)
        first, _, last = run.partition("-")
        start = int(first) if first.isdecimal() else 1
        stop = int(last) if last.isdecimal() else start if first else count
        for number in range(start - 1, min(stop, count)):
            yield name, number

    def quoted(self, quote: str, label: str) -> bool:
        """Whether a quotation stands in a passage."""
        return stands_in(quote, self._wording(label))

    def _wording_of(self, label: str) -> Wording:
        chunk = self.passages[label].piece.hit.chunk
        return wording("\n".join((*chunk.headings, chunk.text)))

    def named_in(self, text: str) -> dict[str, str]:
        """The ids of the documents that a text names, each with the name as it stands there."""
        if len(self.documents) < 2:
            return {}
        found: dict[str, str] = {}
        for match in _NAME.finditer(text):
            if _BESIDE_OTHER.search(text[: match.start()]):
                continue
            for name in _parts_of(match.group()):
                plain = re.sub(r"[^a-z0-9]", "", name.casefold())
                if owner := self._own_names.get(plain):
                    found.setdefault(owner, name)
        return found

    @cached_property
    def _own_names(self) -> dict[str, str]:
        """Words of documents' names, pairs of them, and pairs of words of their titles, that one
        alone has, with their owner."""
        owners: dict[str, set[str]] = {}
        for number, document in self.documents.items():
            words = re.findall(
                r"[A-Za-z0-9]+", re.sub(rf"{ENDING}$", "", document.name, flags=re.I)
            )
            titled = re.findall(r"[A-Za-z0-9]+", document.title)
            pairs = {a + b for said in (words, titled) for a, b in pairwise(said)}
            alone = {word for word in words if len(word) > 3 and word.isalpha()}
            for name in pairs | alone:
                owners.setdefault(name.casefold(), set()).add(number)
        return {name: next(iter(of)) for name, of in owners.items() if len(of) == 1}

    def of_another(self, text: str, document: str) -> bool:
        """Whether a text names other documents than this one, by names that this one never uses."""
        named = self.named_in(text)
        if not named or document in named:
            return False
        return not any(fold(name) in self._said(document) for name in named.values())

    def _said_of(self, document: str) -> str:
        """All that was given of a document, for comparison."""
        own = [p for p in self.passages.values() if p.piece.hit.document.id == document]
        return fold("\n".join(text for p in own for text in texts_of(p)))

    def _dates(self, name: str) -> list[tuple[Date, int]]:
        """The dates of a passage with their blocks (from 0; -1 for what stands over it)."""
        return [(day, at) for text, at in self._texts_with_heads(name) for day in dates_in(text)]

    def _years(self, name: str) -> list[tuple[int, int]]:
        """The years named in a passage or over it, with their blocks as of `dates`."""
        texts = self._texts_with_heads(name)
        return [(year, at) for text, at in texts for year, _ in years_in(text)]

    def _texts_with_heads(self, name: str) -> list[tuple[str, int]]:
        """A passage's texts, and the heads over each of its rows, with their blocks."""
        passage = self.passages[name]
        texts = [(text.replace("_", " "), at) for at, text in enumerate(texts_of(passage), -1)]
        lines = passage.lines.items()
        heads = (
            (said, at) for at, line in lines for said in (line.over, *(c.head for c in line.cells))
        )
        return [*texts, *dict.fromkeys(heads)]

    def years_of(self, label: str) -> frozenset[int]:
        """The years named in one block."""
        name, _, number = label.partition(".")
        return frozenset(year for year, at in self.years(name) if at == int(number) - 1)

    def names(self, labels: Sequence[str]) -> list[str]:
        """The names of all passages, those that the labels cite first."""
        cited = (label.partition(".")[0] for label in labels)
        return [n for n in dict.fromkeys((*cited, *self.passages)) if n in self.passages]

    def text(self, block: BlockKey) -> str:
        name, number = block
        return self.passages[name].piece.hit.chunk.blocks[number].text

    def settled(
        self,
        check: Check,
        result: CheckResult,
        label: str = "",
        said: str = "",
        *,
        labels: tuple[str, ...] = (),
    ) -> Check:
        """The check with its result and where it stands; unsupported where what is said names
        another document than that."""
        if label:
            owner = self.passages[label.partition(".")[0]].piece.hit.document
            if self.of_another(said, owner.id):
                reason = f"it stands in {owner.name}"
                return replace(check, result="not supported", labels=(label,), reason=reason)
        return replace(check, result=result, labels=labels or ((label,) if label else ()))


def _parts_of(name: str) -> Iterator[str]:
    """A run of capitalised words, and every one, two and three of them."""
    words = [re.sub(r"['’]s?$|[.,]$", "", word) for word in name.split()]
    for size in (3, 2, 1):
        for at in range(len(words) - size + 1):
            yield " ".join(words[at : at + size])
