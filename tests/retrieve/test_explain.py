from collections.abc import Iterator
from pathlib import Path

import pytest

from docqa.question.queries import NO_FILTERS, make_plan
from docqa.question.read import read
from docqa.retrieve.explain import explain
from docqa.retrieve.search import LEAST_POOL, Trace, traced
from docqa.settings import DEFAULTS, Settings, adjust
from docqa.types.question import Filters
from tests.retrieve.library import Library, opened

CLAUSE = "The notice period is 60 days."


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with opened(tmp_path) as made:
        texts = [CLAUSE, "The rent is late.", CLAUSE, "The roof is new."]
        made.add("Lease.pdf", texts, footer="Strictly confidential", unread=[5])
        made.add("Other.pdf", ["The parking fee is $20."], discards=["Seite 7 / 12"])
        yield made


def run(
    library: Library,
    question: str,
    *,
    document_ids: tuple[str, ...] = (),
    filters: Filters = NO_FILTERS,
    settings: Settings = DEFAULTS,
    top_k: int = 2,
) -> Trace:
    documents = library.catalog.documents()
    asked = read(question, documents=documents, document_ids=document_ids)
    plan = make_plan(asked, filters=filters)
    return traced(
        plan,
        catalog=library.catalog,
        index=library.index,
        encoder=library.encoder,
        settings=settings,
        top_k=top_k,
    )


def stages(library: Library, trace: Trace, phrase: str) -> list[str]:
    return [fate.stage for fate in explain(trace, catalog=library.catalog, phrase=phrase).fates]


def test_a_hit_and_its_repetition(library: Library) -> None:
    trace = run(library, "notice period")
    assert stages(library, trace, "NOTICE\nperiod is 60") == ["hit", "repetition"]


def test_a_document_that_was_not_chosen(library: Library) -> None:
    trace = run(library, "notice", document_ids=("Other.pdf",))
    assert stages(library, trace, CLAUSE) == ["not searched", "not searched"]


def test_a_passage_the_filters_leave_out(library: Library) -> None:
    trace = run(library, "roof", filters=Filters(pages=(1, 3)))
    assert stages(library, trace, "The roof is new.") == ["not searched"]


def test_a_passage_in_no_list(library: Library) -> None:
    trace = run(library, "notice period", settings=adjust(DEFAULTS, candidates=1))
    assert stages(library, trace, "The roof is new.") == ["not a candidate"]


def test_a_passage_behind_the_last_place_has_its_ranks(library: Library) -> None:
    trace = run(library, "notice period", top_k=1)
    (fate,) = explain(trace, catalog=library.catalog, phrase="the roof is new").fates
    assert fate.stage == "outranked"
    assert fate.dense_rank > 1
    assert fate.keyword_rank == 0
    assert fate.fused_rank > 1


def test_a_candidate_too_far_behind_to_be_looked_at(library: Library) -> None:
    library.add("Fees.pdf", [f"The fee of unit {number} is due." for number in range(LEAST_POOL)])
    trace = run(library, "fee", settings=adjust(DEFAULTS, candidates=2 * LEAST_POOL))
    last = next(one for one in trace.fused if one not in {hit.chunk.id for hit in trace.pool})
    (chunk,) = library.catalog.chunks([last])
    (fate,) = explain(trace, catalog=library.catalog, phrase=chunk.text).fates[:1]
    assert fate.stage == "outranked"
    assert fate.fused_rank == LEAST_POOL + 1
    assert fate.remedy.startswith(f"Ask for {LEAST_POOL + 1} hits")


def test_what_was_left_out_when_the_file_was_read(library: Library) -> None:
    trace = run(library, "Seite 7")
    (fate,) = explain(trace, catalog=library.catalog, phrase="seite 7").fates
    assert (fate.stage, fate.document, fate.reason) == (
        "not indexed",
        "Other.pdf",
        "It was left out when the file was read: too short.",
    )


def test_every_passage_of_a_page(library: Library) -> None:
    trace = run(library, "rent")
    (fate,) = explain(trace, catalog=library.catalog, document_id="Lease.pdf", page=2).fates
    assert (fate.text, fate.stage) == ("The rent is late.", "hit")


def test_what_is_nowhere_has_no_fate(library: Library) -> None:
    assert stages(library, run(library, "rent"), "the sky is blue") == []
    told = explain(run(library, "rent"), catalog=library.catalog, phrase="the sky is blue")
    assert told.summary.startswith("“the sky is blue” is on no page as it was read. No text")
    assert "Lease.pdf, p. 5" in told.summary


def test_what_would_have_kept_a_passage(library: Library) -> None:
    few = adjust(DEFAULTS, candidates=1)
    told = explain(
        run(library, "notice period", settings=few),
        catalog=library.catalog,
        phrase="the roof is new",
        deeper=run(library, "notice period"),
    )
    (fate,) = told.fates
    assert fate.stage == "not a candidate"
    assert "with “candidates” at 4 it would have been kept" in fate.remedy
    assert told.summary.startswith("It stands in Lease.pdf, p. 4.")


def test_a_phrase_that_runs_over_two_passages(library: Library) -> None:
    told = explain(run(library, "rent"), catalog=library.catalog, phrase="is late. The notice")
    assert [fate.page for fate in told.fates] == [2, 3]


def test_a_running_footer_is_said_to_be_one(library: Library) -> None:
    told = explain(run(library, "rent"), catalog=library.catalog, phrase="strictly confidential")
    (fate,) = told.fates
    assert fate.stage == "not indexed"
    assert fate.reason == "It is a running footer, which is not indexed."
