"""Reviews: made, changed, looked at, filled in the background, and settled cell by cell."""

import json
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from docqa.app.filling import Filling, Job, Means
from docqa.app.model import answerer_kind
from docqa.app.resources import Resources
from docqa.app.review_price import estimate
from docqa.app.review_table import table_of
from docqa.errors import (
    ColumnsUnreadable,
    EmptyQuestion,
    NoColumns,
    SettledMeanwhile,
    UnknownReview,
)
from docqa.library.reviews import Key
from docqa.library.rows import timestamp
from docqa.question.read import read
from docqa.review.questions import answered
from docqa.review.templates import column_of, fitting, template_named, templates
from docqa.review.values import in_unit_of, valued
from docqa.settings import Settings, key_to_use
from docqa.types.answer import Citation
from docqa.types.costs import CellsEstimate
from docqa.types.document import Document
from docqa.types.review import (
    Cell,
    Column,
    FillProgress,
    Found,
    Review,
    ReviewTable,
    Ruling,
    TableAnswer,
    Template,
)

Said = Literal["accepted", "corrected"]
TEMPLATES = "templates"  # the folder of the library's own


class Reviewing:
    """The reviews of one library. What changes one raises `LibraryReadOnly` where it is only read.

    Methods may be called from several threads. Those that take a review's id raise
    `UnknownReview` where it is gone.
    """

    def __init__(self, resources: Resources) -> None:
        self._resources = resources
        self._kept = kept = resources.catalog.reviews
        self.all, self.get, self.copy = kept.all, kept.get, kept.copy
        self._lock = threading.Lock()
        self._fillings: dict[str, Filling] = {}

    def close(self) -> None:
        """Let the cells under way be kept, and begin no other; filling goes on another time."""
        with self._lock:
            fillings, self._fillings = list(self._fillings.values()), {}
        for each in fillings:
            each.cancel()
        for each in fillings:
            each.wait()

    # Reviews

    def named(self, name: str) -> Review:
        """The review of that name, whatever its capitals. Raises `UnknownReview`."""
        wanted = " ".join(name.split()).casefold()
        for each in self.all():
            if each.name.casefold() == wanted:
                return each
        raise UnknownReview(name)

    def create(
        self,
        name: str,
        columns: Sequence[Column],
        *,
        document_ids: Sequence[str] = (),
        tag: str = "",
    ) -> Review:
        """A new review of these documents, those with the tag, or all; a taken name gets a number.

        Raises `NoColumns`, and `EmptyQuestion` where a column has none.
        """
        review = Review("", name, tuple(columns), tuple(document_ids), tag)
        return self._kept.add(_checked(review))

    def change(self, review_id: str, change: Callable[[Review], Review]) -> Review:
        """Change a review as it stands, whoever else changed it meanwhile.

        Cells of a question that is another now are empty; those of a column that is gone are
        deleted, but a column with settled cells is hidden instead. Raises `NoColumns` and
        `EmptyQuestion`.
        """
        return self._kept.change(review_id, lambda before: _checked(change(before)))

    def ask_instead(self, review_id: str, columns: Sequence[Column]) -> Review:
        """Give a review these columns; those it has already keep their cells.

        A column that is not among them goes, or is hidden where a person settled a cell of it.
        """

        def merged(review: Review) -> Review:
            known = {(each.title, each.asked): each for each in review.columns}
            wanted = tuple(known.get((each.title, each.asked), each) for each in columns)
            return replace(review, columns=wanted)

        return self.change(review_id, merged)

    def remove(self, review_id: str) -> None:
        """Delete a review with all that was settled in it."""
        self.cancel(review_id)
        self._kept.remove(review_id)

    # Templates

    def templates(self) -> list[Template]:
        """Those of docqa and of the library's folder “templates”. Raises `TemplateUnreadable`."""
        return templates(self.templates_folder)

    @property
    def templates_folder(self) -> Path:
        return self._resources.folder / TEMPLATES

    def template(self, name: str) -> Template:
        """The template of that name. Raises `UnknownTemplate`."""
        return template_named(name, self.templates())

    def suggested(self, documents: Sequence[Document]) -> Template | None:
        """The template that fits these documents best; None where none plainly does."""
        return fitting(documents, self.templates())

    def made_for(self, template: Template, documents: Sequence[Document]) -> int:
        """Of how many of the documents, each taken alone, the template is the one that fits."""
        among = self.templates()
        return sum(fitting([each], among) == template for each in documents)

    def two_alike(self, documents: Sequence[Document]) -> Sequence[Document]:
        """The first two that one template fits, as two leases; else the first two."""
        among = self.templates()
        first: dict[str, Document] = {}
        for each in documents:
            template = fitting([each], among)
            if template and template.name in first:
                return first[template.name], each
            if template:
                first[template.name] = each
        return documents[:2]

    @staticmethod
    def columns_in(path: Path) -> tuple[Column, ...]:
        """The columns of a file with a JSON object on each line. Raises `ColumnsUnreadable`."""
        try:
            lines = path.read_text(encoding="utf-8-sig").splitlines()
            columns = tuple(column_of(json.loads(line)) for line in lines if line.strip())
        except (OSError, UnicodeDecodeError, ValueError) as error:
            raise ColumnsUnreadable(path.name, reason=str(error)) from error
        if not columns:
            raise ColumnsUnreadable(path.name, reason="it is empty")
        return columns

    # What a review shows

    def table(self, review_id: str) -> ReviewTable:
        """The review as it stands now, a cell for each document and column."""
        return table_of(self._resources, self.get(review_id))

    def ask(self, review_id: str, question: str) -> TableAnswer:
        """What the table's cells answer to a question about all of it, each cited.

        Raises `EmptyQuestion` and `NoSubject`.
        """
        table = self.table(review_id)
        return answered(read(question, documents=table.documents), table)

    # Filling

    def fill(
        self,
        review_id: str,
        *,
        settings: Settings | None = None,
        key: str | None = None,
        answerer: str = "extractive",
    ) -> None:
        """Fill the empty cells in the background.

        Those of documents still being read stay empty until they are read. Cells that wait in a
        filling under way are filled with what is given here. ``answerer`` is "extractive",
        "claude" or "auto"; the key, else the environment's, is kept for this filling alone. Raises
        `NoKey`.
        """
        self._resources.check_writable()
        means = self._means(settings, key, answerer)
        self.change(review_id, lambda review: replace(review, filling=means.answerer))
        self._begin(review_id, means, ())

    def fill_again(
        self,
        review_id: str,
        places: Iterable[tuple[str, str]],
        *,
        settings: Settings | None = None,
        key: str | None = None,
        answerer: str = "extractive",
    ) -> None:
        """Fill these cells, by document and column id, again: those alone, before any other."""
        self._resources.check_writable()
        means = self._means(settings, key, answerer)
        self._begin(review_id, means, self._jobs(review_id, places, means))

    def price(
        self,
        review_id: str,
        places: Iterable[tuple[str, str]] = (),
        *,
        settings: Settings | None = None,
        key: str | None = None,
    ) -> CellsEstimate:
        """What a model would take for these cells, or for all that are empty; nothing is sent.

        Raises `NoKey`.
        """
        wanted, means = tuple(places), self._means(settings, key, "claude")
        jobs = self._jobs(review_id, wanted, means) if wanted else self._open_cells(review_id)
        kept = self._kept.cells(review_id)
        filled = [each.proposal for each in kept if each.proposal]
        return estimate(self._resources, jobs, filled, means.settings, means.key)

    def _means(self, settings: Settings | None, key: str | None, answerer: str) -> Means:
        settings, key = settings or self._resources.settings, key_to_use(key)
        return Means(answerer_kind(answerer, key, settings), settings, key)

    def _jobs(self, review_id: str, places: Iterable[tuple[str, str]], again: Means) -> list[Job]:
        """These cells, to be filled again."""
        table, wanted = self.table(review_id), set(places)
        return [
            Job(document, column, again)
            for document in table.documents
            for column in table.review.columns
            if (document.id, column.id) in wanted and document.id not in table.waits
        ]

    def _begin(self, review_id: str, means: Means, again: Sequence[Job]) -> None:
        self.get(review_id)
        with self._lock:
            running = self._fillings.get(review_id)
            if running is not None and running.running and not running.cancelled:
                if not again:
                    running.means = means
                running.add(again or self._open_cells(review_id))
                return
            filling = Filling(
                self._resources,
                means,
                open_cells=lambda: [] if again else self._open_cells(review_id),
                keep=lambda job, made: self._kept.keep(
                    (review_id, *job.place), made, again=job.again is not None
                ),
                ended=lambda ended: self._note_end(review_id, ended),
            )
            filling.add(again)
            self._fillings[review_id] = filling
        filling.start()

    def resume(self) -> None:
        """Go on with what was being filled without a key when the program ended."""
        for review in self.all():
            if review.filling == "extractive":
                self.fill(review.id)

    def prefer(self, review_id: str, document_ids: Sequence[str]) -> None:
        """Fill the rows of these documents next: those that are looked at."""
        if filling := self._fillings.get(review_id):
            filling.prefer(document_ids)

    def give_way(self, review_id: str) -> None:
        """Begin no further cell for a moment, in which a person's click is answered."""
        if filling := self._fillings.get(review_id):
            filling.give_way()

    def cancel(self, review_id: str) -> None:
        """Begin no further cell; those under way are kept."""
        if filling := self._fillings.get(review_id):
            filling.cancel()
            filling.wait()

    def wait(self, review_id: str, seconds: float | None = None) -> None:
        """Wait until the review is filled, or stopped."""
        if filling := self._fillings.get(review_id):
            filling.wait(seconds)

    def progress(self, review_id: str) -> FillProgress:
        """How far its filling is; nothing where it was not filled since the library was opened."""
        filling = self._fillings.get(review_id)
        return filling.progress() if filling else FillProgress()

    def _open_cells(self, review_id: str) -> list[Job]:
        try:
            table = self.table(review_id)
        except UnknownReview:
            return []  # deleted while it was being filled
        return [
            Job(document, column)
            for document in table.documents
            if document.id not in table.waits
            for column in table.review.columns
            if table.cell(document.id, column.id).state == "waiting"
        ]

    def _note_end(self, review_id: str, filling: Filling) -> None:
        """Filling has ended of itself, or was stopped; closing the library is neither."""
        with self._lock:
            if self._fillings.get(review_id) is not filling:
                return
        waits = not filling.cancelled and bool(self.table(review_id).waits)
        if not waits:  # else it goes on when they are read
            self.change(review_id, lambda review: replace(review, filling=""))

    # What a person says of a cell

    def accept(self, key: Key, *, seen: str | None = None) -> Cell:
        """Let what docqa found stand. ``seen`` is as in `settle`. Raises `SettledMeanwhile`."""
        return self._rule(key, "accepted", 0, seen)

    def correct(
        self,
        key: Key,
        value: str,
        *,
        citations: Sequence[Citation] = (),
        seen: str | None = None,
    ) -> Cell:
        """Put another value in the cell, with the sources it rests on; docqa's stays beside it.

        Raises `SettledMeanwhile`, and `EmptyQuestion` where the value is empty.
        """
        cell, column = self._cell(key)
        if not value.strip():
            raise EmptyQuestion
        text = " ".join(value.split())
        read = valued(Found("", text, tuple(citations)), column)
        found = read if read.fits and column.kind != "text" else replace(read, value=text)
        if cell.proposal and cell.proposal.found:
            found = in_unit_of(found, cell.proposal.found[0])
        return self._settle(key, Ruling("corrected", column.asked, found), seen)

    def choose(self, key: Key, alternative: int, *, seen: str | None = None) -> Cell:
        """Put another of the findings in the cell: the one at that index of its proposal."""
        return self._rule(key, "corrected", alternative, seen)

    def mark_absent(self, key: Key, *, seen: str | None = None) -> Cell:
        """Say that the document does not have it."""
        _, column = self._cell(key)
        return self._settle(key, Ruling("not in the document", column.asked), seen)

    def unsettle(self, key: Key, *, seen: str | None = None) -> Cell:
        """Take back what was said of a cell: what docqa found stands in it again."""
        return self._settle(key, None, seen)

    def _rule(self, key: Key, said: Said, place: int, seen: str | None) -> Cell:
        """Put the finding at an index of the cell's proposal in the cell."""
        cell, column = self._cell(key)
        if cell.proposal is None or place >= len(cell.proposal.found):
            raise SettledMeanwhile
        return self._settle(key, Ruling(said, column.asked, cell.proposal.found[place]), seen)

    def _settle(self, key: Key, ruling: Ruling | None, seen: str | None) -> Cell:
        said = None if ruling is None else replace(ruling, at=timestamp())
        if not self._kept.settle(key, said, seen=seen):
            raise SettledMeanwhile
        return self._cell(key)[0]

    def _cell(self, key: Key) -> tuple[Cell, Column]:
        """The cell as it stands, and its column. Raises `SettledMeanwhile` where either is gone."""
        review_id, document_id, column_id = key
        table = self.table(review_id)
        try:
            return table.cell(document_id, column_id), table.review.column(column_id)
        except KeyError as error:
            raise SettledMeanwhile from error


def _checked(review: Review) -> Review:
    if not review.columns:
        raise NoColumns
    if not all(any(map(str.isalnum, each.question)) for each in review.columns):
        raise EmptyQuestion
    return review
