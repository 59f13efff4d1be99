"""The whole path on real PDFs: real reading, real encoder, real catalog and index."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from docqa import installation
from docqa.app import reindex
from docqa.app.records import refresh_descriptions
from docqa.app.resources import Resources
from docqa.errors import EmptyQuestion, EncoderMismatch, NoDocuments, NoKey, UnknownDocument
from docqa.ingest.prepare import UNWATCHED, recipe
from docqa.ingest.reading.reader import ReadingProcess
from docqa.library import reindex_store
from docqa.models.load import BUNDLED, load_encoder
from docqa.models.registry import MINILM
from docqa.settings import DEFAULTS, adjust, models_folder
from docqa.types.answer import Answer
from docqa.types.comparison import Comparison
from docqa.types.document import Document
from docqa.types.evaluation import GoldQuestion, Judgement, Rate
from docqa.types.progress import Progress
from docqa.types.search import Hit
from docqa.workspace import Workspace
from tests import pdfs
from tests.messages_server import MessagesServer, Refusal, Script, Turn, text

MEMO = "Property_A_Offering_Memo.pdf"
FINAL = "Property_B_Final_OM.pdf"


@pytest.fixture
def empty(tmp_path: Path, reader: ReadingProcess) -> Iterator[Workspace]:
    with Workspace(tmp_path / "library", reader=reader) as opened:
        yield opened


def named(workspace: Workspace, name: str) -> Document:
    return next(each for each in workspace.documents() if each.name == name)


def answer(workspace: Workspace, question: str, **options: object) -> Answer:
    *_, last = workspace.ask(question, **options)  # type: ignore[arg-type]
    assert isinstance(last, Answer)
    return last


def test_documents_say_what_was_read(workspace: Workspace) -> None:
    memo = named(workspace, MEMO)
    assert memo.page_count == len(workspace.contents.health(memo.id)) > 3
    assert memo.description.startswith("Alder Point: Offering Memorandum, February 2025. Sections:")
    assert memo.chunk_count == len(workspace.resources.catalog.document_chunks(memo.id)) > 0
    assert memo.title


def test_search_finds_the_page_and_shows_its_scores(workspace: Workspace) -> None:
    memo = named(workspace, MEMO)
    result = workspace.search("What is the net operating income?", document_ids=[memo.id])
    best = result.hits[0]
    assert {hit.document.id for hit in result.hits} == {memo.id}
    assert "rrf" in best.scores
    assert best.scores.keys() & {"dense", "bm25"}
    assert "1.2" in " ".join(hit.chunk.text for hit in result.hits[:3])
    assert [entry.document for entry in result.coverage] == [MEMO]
    assert result.seconds > 0


def test_what_is_asked_of_each_document_is_answered_of_each(workspace: Workspace) -> None:
    leases = [each for each in workspace.documents() if each.name.startswith("Lease_")]
    found = answer(workspace, "Which leases allow assignment?", answerer="extractive")
    assert len(leases) == 2
    assert {each.document_id for each in found.citations} == {each.id for each in leases}
    assert [each.document_id for each in found.coverage] == [each.id for each in leases]


def test_boxes_lie_on_their_page(workspace: Workspace) -> None:
    for document in workspace.documents():
        sizes = {each.page: each for each in workspace.contents.health(document.id)}
        for block in workspace.contents.blocks(document.id):
            page = sizes[block.page]
            assert -1 <= block.box.left < block.box.right <= page.width + 1
            assert -1 <= block.box.top < block.box.bottom <= page.height + 1


def test_an_answer_without_a_key_quotes_the_page(workspace: Workspace) -> None:
    found = answer(workspace, "What is the cap rate of Property A?", answerer="extractive")
    assert found.answerer == "extractive"
    assert "6.2%" in found.text
    cited = next(each for each in found.citations if "6.2%" in each.quote)
    assert cited.document == MEMO
    assert cited.verified == "verified"
    assert f"[{cited.label}]" in found.text
    page = " ".join(each.text for each in workspace.contents.blocks(cited.document_id, cited.page))
    assert cited.blocks[0].text in page


def test_a_question_nothing_answers_is_not_answered(workspace: Workspace) -> None:
    found = answer(workspace, "Who won the football world cup in 1998?", answerer="extractive")
    assert not found.found
    assert found.text.startswith("Nothing was found that answers this.")


def test_a_comparison_computes_the_differences(workspace: Workspace) -> None:
    chosen = [named(workspace, MEMO).id, named(workspace, FINAL).id]
    *_, last = workspace.comparisons.make(chosen, "Compare the cap rates, NOI and purchase price")
    assert isinstance(last, Comparison)
    differences = {each.difference for each in last.figures}
    assert {"+0.4 pts", "+$100K", "+$400K"} <= differences
    assert last.pairs
    assert all(f"[{each.label}]" in last.text for each in last.citations)


def test_a_question_that_compares_documents_is_a_comparison_and_kept(workspace: Workspace) -> None:
    conversation = workspace.conversations.begin("Two memos")
    question = "Compare the NOI, cap rate and purchase price of Property A and Property B."
    *_, last = workspace.ask(question, conversation_id=conversation, answerer="extractive")
    assert isinstance(last, Comparison)
    assert [each.name for each in last.documents] == [MEMO, FINAL]
    assert {"+0.4 pts", "+$100K", "+$400K"} == {each.difference for each in last.figures}
    _, kept = workspace.conversations.messages(conversation)
    assert kept.answer is not None
    assert (kept.answer.text, kept.answer.citations) == (last.text, last.citations)
    assert kept.answer.evidence
    workspace.conversations.remove(conversation)


def test_of_two_documents_that_are_asked_all_are_compared_where_they_have_anything_to_compare(
    workspace: Workspace,
) -> None:
    two = [named(workspace, MEMO).id, named(workspace, FINAL).id]
    *_, made = workspace.ask("How do they compare on cap rate?", document_ids=two)
    assert isinstance(made, Comparison)
    assert "+0.4 pts" in made.text
    *_, given = workspace.ask("What changed in the moon landing?", document_ids=two)
    assert isinstance(given, Answer)
    assert given.likely or not given.found


def test_a_comparison_of_too_many_is_answered_and_says_so(workspace: Workspace) -> None:
    found = answer(workspace, "Compare the rents in all documents", answerer="extractive")
    assert found.warnings[0] == "The question may mean 5 documents; at most 3 are compared at once."
    alone = workspace.ask("Compare Property A and Property B", sides=())
    assert isinstance(list(alone)[-1], Answer)
    settled = [each.id for each in workspace.documents()[:2]]
    *_, last = workspace.ask("Compare the rents in all documents", sides=settled)
    assert isinstance(last, Comparison)
    assert [each.id for each in last.documents] == settled


def written_by_a_model(workspace: Workspace, script: Script) -> Comparison:
    chosen = [named(workspace, MEMO).id, named(workspace, FINAL).id]
    with MessagesServer(script) as server:
        settings = adjust(workspace.settings, base_url=server.url, max_retries=0)
        *_, last = workspace.comparisons.make(chosen, "NOI", api_key="key", settings=settings)
    assert isinstance(last, Comparison)
    return last


def test_with_a_key_a_model_writes_the_comparison_up_and_is_corrected(workspace: Workspace) -> None:
    table = "| | A | B | Difference |\n|---|---|---|---|\n| NOI | $1.2M | $1.1M | +$200K |"
    found = written_by_a_model(workspace, Turn([text(table)]))
    assert found.answerer == workspace.settings.answering.model
    assert "~~+$200K~~ +$100K (+9.1%)" in found.text
    assert any("+$200K" in warning for warning in found.warnings)
    assert found.figures[0].difference == "+$100K"


def test_a_model_that_fails_leaves_the_comparison_made_without_it(workspace: Workspace) -> None:
    found = written_by_a_model(workspace, Refusal(401, "authentication_error"))
    assert found.answerer == "extractive"
    assert "+$100K" in found.text
    assert any(w.endswith("The comparison shown was made without a model.") for w in found.warnings)


def test_a_conversation_is_kept(workspace: Workspace) -> None:
    conversation = workspace.conversations.begin("Memo")
    given = answer(
        workspace, "What is the NOI?", conversation_id=conversation, answerer="extractive"
    )
    asked, kept = workspace.conversations.messages(conversation)
    assert (asked.role, asked.text) == ("user", "What is the NOI?")
    assert kept.answer == given
    workspace.conversations.remove(conversation)


def test_a_page_is_shown_as_an_image(workspace: Workspace) -> None:
    memo = named(workspace, MEMO)
    jpeg, width, height = workspace.contents.page_image(memo.id, 1)
    assert jpeg.startswith(b"\xff\xd8")
    first = workspace.contents.health(memo.id)[0]
    assert (width, height) == pytest.approx((first.width, first.height))


def test_the_same_file_and_a_renamed_copy_are_noticed(workspace: Workspace, tmp_path: Path) -> None:
    source = installation.sample_paths()[0]
    copy = shutil.copy(source, tmp_path / "Copy.pdf")
    results = workspace.add([source, Path(copy)])
    assert [each.status for each in results] == ["already there", "already there"]
    assert len(workspace.documents()) == 5


def test_what_is_refused_at_once(workspace: Workspace, empty: Workspace) -> None:
    with pytest.raises(EmptyQuestion):
        workspace.ask("  ")
    with pytest.raises(NoDocuments):
        empty.ask("What is the rent?")
    with pytest.raises(NoKey):
        workspace.ask("What is the rent?", answerer="claude")
    with pytest.raises(UnknownDocument):
        workspace.remove("0" * 64)


def test_bad_files_get_a_sentence_and_the_rest_goes_on(empty: Workspace, tmp_path: Path) -> None:
    bad = [
        pdfs.empty_file(tmp_path / "empty.pdf"),
        pdfs.not_a_pdf(tmp_path / "letter.pdf"),
        pdfs.truncated(tmp_path / "cut.pdf"),
        pdfs.encrypted(tmp_path / "locked.pdf"),
        tmp_path / "missing.pdf",
    ]
    good = pdfs.structured(tmp_path / "good.pdf")
    results = empty.add([*bad, good])
    assert [each.status for each in results] == ["failed"] * 5 + ["added"]
    for result in results[:5]:
        assert result.file in result.error
        assert result.error.endswith(".")
    assert [each.name for each in empty.documents()] == ["good.pdf"]
    assert empty.resources.index.count() == empty.resources.catalog.chunk_count() > 0


def test_two_files_of_one_name_stay_apart(empty: Workspace, tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    first = pdfs.text_pages(tmp_path / "old" / "Lease.pdf", ["The rent is $25,000 a month. " * 5])
    second = pdfs.text_pages(tmp_path / "Lease.pdf", ["The rent is $31,500 a month. " * 5])
    empty.add([first, second])
    assert [each.name for each in empty.documents()] == ["Lease.pdf", "Lease (2).pdf"]


def test_a_protected_file_opens_with_its_password(empty: Workspace, tmp_path: Path) -> None:
    locked = pdfs.encrypted(tmp_path / "locked.pdf")
    [result] = empty.add([locked], passwords={"locked.pdf": pdfs.PASSWORD})
    assert result.status == "added"
    assert result.document is not None
    jpeg, _, _ = empty.contents.page_image(result.document.id, 1)
    assert jpeg.startswith(b"\xff\xd8")


def test_cancelling_keeps_nothing(empty: Workspace, tmp_path: Path) -> None:
    path = pdfs.structured(tmp_path / "good.pdf")
    [result] = empty.add([path], cancelled=lambda: True)
    assert result.status == "cancelled"
    assert empty.documents() == []


def test_progress_names_its_stages(empty: Workspace, tmp_path: Path) -> None:
    seen: list[Progress] = []
    empty.add([pdfs.structured(tmp_path / "good.pdf")], progress=seen.append)
    stages = [each.stage for each in seen]
    assert stages[-1] == "done"
    assert {"reading", "embedding", "saving"} <= set(stages)


@pytest.fixture
def kept(tmp_path: Path, reader: ReadingProcess) -> tuple[Path, tuple[Hit, ...]]:
    """A closed library with one lease in it, and what it found when it was open."""
    source = pdfs.text_pages(tmp_path / "Lease.pdf", ["The monthly rent is $25,000. " * 6])
    with Workspace(tmp_path / "library", reader=reader) as opened:
        opened.add([source])
        return opened.folder, opened.search("monthly rent").hits


def test_a_restart_keeps_everything_and_a_removal_nothing(
    kept: tuple[Path, tuple[Hit, ...]],
) -> None:
    folder, before = kept
    with Workspace(folder) as opened:
        assert opened.search("monthly rent").hits == before
        opened.remove(opened.documents()[0].id)
        assert opened.documents() == []
        assert opened.resources.index.count() == 0
    assert not list(folder.rglob("*.pdf"))


def test_a_library_from_before_descriptions_gets_them_from_its_texts(workspace: Workspace) -> None:
    told = workspace.documents()
    assert all(each.description for each in told)
    for each in told:
        workspace.resources.catalog.amend(replace(each, description=""))
    refresh_descriptions(workspace.resources.catalog)
    assert not any(each.description for each in workspace.documents())  # made by these rules
    workspace.resources.catalog.set_setting("descriptions", "0")
    refresh_descriptions(workspace.resources.catalog)
    assert workspace.documents() == told


def test_a_lost_index_is_rebuilt_from_the_catalog(kept: tuple[Path, tuple[Hit, ...]]) -> None:
    folder, before = kept
    shutil.rmtree(folder / "vectors")
    with Workspace(folder) as opened:
        assert opened.search("monthly rent").hits == before


def test_indexing_again_finds_the_same(kept: tuple[Path, tuple[Hit, ...]]) -> None:
    folder, before = kept
    with Workspace(folder) as opened:
        assert opened.maintenance.reindex() == opened.resources.encoder.name
        assert opened.search("monthly rent").hits == before


class StoppedError(Exception):
    """Ends the work in the middle, as a kill would."""


def stop_at_second(progress: Progress) -> None:
    if progress.file == "South.pdf":
        raise StoppedError


@pytest.fixture
def two(tmp_path: Path, reader: ReadingProcess) -> Path:
    """A closed library with two leases in it."""
    paths = [
        pdfs.text_pages(tmp_path / "North.pdf", ["The monthly rent is $25,000. " * 40] * 2),
        pdfs.text_pages(tmp_path / "South.pdf", ["The monthly rent is $31,500. " * 40] * 2),
    ]
    with Workspace(tmp_path / "library", reader=reader) as opened:
        opened.add(paths)
    return tmp_path / "library"


SMALLER = adjust(DEFAULTS, chunk_chars=300, overlap_chars=0)


def test_indexing_again_is_taken_up_where_it_broke_off(two: Path) -> None:
    with Workspace(two, SMALLER) as opened:
        before = opened.search("monthly rent").hits
        with pytest.raises(StoppedError):
            opened.maintenance.reindex(progress=stop_at_second)
        assert opened.search("monthly rent").hits == before  # until it is done, all is as it was
    told: list[Progress] = []
    with Workspace(two, SMALLER) as opened:
        opened.maintenance.reindex(progress=told.append)
        assert {each.file for each in told} == {"South.pdf"}
        assert [(each.done, each.total) for each in told][-1] == (4, 4)
        resources = opened.resources
        assert resources.index.count() == resources.catalog.chunk_count() > len(before)
        assert {hit.document.name for hit in opened.search("monthly rent").hits} == {
            "North.pdf",
            "South.pdf",
        }
    assert not (two / reindex_store.FOLDER_NAME).exists()


def test_passages_are_cut_in_one_way_until_all_are_cut_in_another(
    two: Path, tmp_path: Path, reader: ReadingProcess
) -> None:
    west = pdfs.text_pages(tmp_path / "West.pdf", ["The monthly rent is $19,250. " * 40] * 2)
    with Workspace(two, SMALLER, reader=reader) as opened:
        opened.add([west])
        north, _, added = opened.documents()
        assert added.chunk_count == north.chunk_count
        opened.maintenance.reindex()
        north, _, added = opened.documents()
        assert added.chunk_count == north.chunk_count


def test_what_was_set_aside_for_other_settings_is_not_mixed_in(two: Path) -> None:
    with Workspace(two, SMALLER) as opened, pytest.raises(StoppedError):
        opened.maintenance.reindex(progress=stop_at_second)
    told: list[Progress] = []
    with Workspace(two) as opened:
        before = opened.resources.catalog.chunk_count()
        opened.maintenance.reindex(progress=told.append)
        assert opened.resources.catalog.chunk_count() == before
    assert {each.file for each in told} == {"North.pdf", "South.pdf"}


def test_a_document_deleted_meanwhile_is_not_brought_back(two: Path) -> None:
    with Workspace(two, SMALLER) as opened:
        with pytest.raises(StoppedError):
            opened.maintenance.reindex(progress=stop_at_second)
        north, south = opened.documents()
        opened.remove(north.id)
        opened.rename(south.id, "Renamed.pdf")
        holding = [path for path in two.rglob("*") if path.is_file()]
        assert not [path.name for path in holding if b"$25,000" in path.read_bytes()]
        opened.maintenance.reindex()
        assert [each.name for each in opened.documents()] == ["Renamed.pdf"]


def test_an_end_between_taking_over_and_tidying_loses_nothing(two: Path) -> None:
    with Workspace(two, SMALLER) as opened:
        resources, encoder = opened.resources, opened.resources.encoder
        with reindex_store.opened(two, recipe=recipe(encoder.name, SMALLER)) as done:
            reindex.set_aside(resources, done, encoder, UNWATCHED)
            assert reindex.take_over(resources, done, encoder)
        count = opened.resources.catalog.chunk_count()
        assert opened.resources.catalog.unfinished()
    with Workspace(two, SMALLER) as opened:
        assert opened.resources.index.count() == opened.resources.catalog.chunk_count() == count
        assert opened.resources.catalog.unfinished() == []
        assert not reindex_store.waiting(two)


def test_a_rebuilding_says_how_far_it_is(two: Path) -> None:
    shutil.rmtree(two / "vectors")
    said = []

    class Telling(Resources):
        def __setattr__(self, name: str, value: object) -> None:
            super().__setattr__(name, value)
            if name == "status":
                said.append(value)

    with closing(Telling(two, DEFAULTS)) as opened:
        count = opened.index.count()
    assert said[-1] == f"Rebuilding the index: {count} of {count} passages…"


def test_another_encoder_is_never_mixed_in(kept: tuple[Path, tuple[Hit, ...]]) -> None:
    folder, before = kept
    with Workspace(folder) as opened:
        opened.resources.catalog.set_setting("encoder", "BAAI/bge-small-en-v1.5")
    with Workspace(folder) as opened:
        with pytest.raises(EncoderMismatch, match="bge-small"):
            opened.search("monthly rent")
        opened.maintenance.reindex()
        assert opened.search("monthly rent").hits == before


def test_a_library_of_full_precision_keeps_to_it_until_it_is_indexed_again(
    tmp_path: Path, reader: ReadingProcess
) -> None:
    paths = [
        pdfs.text_pages(tmp_path / f"{name}.pdf", [f"The rent of {name} is $25,000. " * 6])
        for name in ("North", "South")
    ]
    with Workspace(tmp_path / "library", reader=reader) as opened:
        opened.resources.catalog.set_setting("encoder", MINILM.name)  # as an earlier docqa did
        opened.add(paths[:1])
    with Workspace(tmp_path / "library", reader=reader) as opened:
        opened.add(paths[1:])
        assert vectors_are_of(MINILM.name, opened)
        before = [hit.chunk.id for hit in opened.search("rent of South").hits]
        opened.maintenance.reindex()
    with Workspace(tmp_path / "library", reader=reader) as opened:
        assert vectors_are_of(BUNDLED, opened)
        assert [hit.chunk.id for hit in opened.search("rent of South").hits] == before
        assert len(opened.documents()) == 2


def vectors_are_of(encoder: str, opened: Workspace) -> bool:
    """Whether the library says so of its vectors, and every one of them is."""
    catalog = opened.resources.catalog
    chunks = [chunk for each in opened.documents() for chunk in catalog.document_chunks(each.id)]
    made = load_encoder(models_folder(opened.folder), name=encoder)
    wanted = made.encode([chunk.embedded_text for chunk in chunks])
    kept = catalog.vectors([chunk.id for chunk in chunks])
    return opened.maintenance.indexed_with == encoder and np.array_equal(kept, wanted)


def test_limits_come_from_the_settings(tmp_path: Path) -> None:
    long = pdfs.text_pages(tmp_path / "long.pdf", ["One page of words."] * 3)
    with Workspace(tmp_path / "library", adjust(DEFAULTS, max_pages=2)) as opened:
        [result] = opened.add([long])
    assert result.status == "failed"
    assert "3 pages" in result.error


def test_a_document_put_back_after_a_restart_has_its_file(
    kept: tuple[Path, tuple[Hit, ...]],
) -> None:
    folder, _ = kept
    with Workspace(folder) as opened:
        withdrawn = opened.removals.withdraw(opened.documents()[0].id)
    with Workspace(folder) as opened:
        opened.removals.put_back(withdrawn)
        assert opened.resources.files.ids() == [withdrawn.document.id]


def test_a_document_put_back_is_found_as_before(kept: tuple[Path, tuple[Hit, ...]]) -> None:
    folder, before = kept
    with Workspace(folder) as opened:
        [document] = opened.documents()
        opened.judgements.add(Judgement("monthly rent", document.id, 1, right=True))
        withdrawn = opened.removals.withdraw(document.id)
        assert opened.documents() == []
        assert opened.judgements.all() == []
        assert not list(folder.rglob("*.pdf"))
        opened.removals.put_back(withdrawn)
        opened.removals.put_back(withdrawn)
        assert opened.documents() == [document]
        assert opened.search("monthly rent").hits == before
        assert opened.contents.page_image(document.id, 1)[0].startswith(b"\xff\xd8")
        assert [each.right for each in opened.judgements.all()] == [True]
    with Workspace(folder) as opened:
        assert opened.search("monthly rent").hits == before


def test_a_document_is_renamed_and_tagged(kept: tuple[Path, tuple[Hit, ...]]) -> None:
    folder, _ = kept
    with Workspace(folder) as opened:
        [document] = opened.documents()
        renamed = opened.rename(document.id, "../Main lease.pdf", tags=["leases", " a  b ", ""])
        assert (renamed.name, renamed.tags) == ("Main lease.pdf", ("a b", "leases"))
        assert opened.rename(document.id, " ", tags=["leases"]).name == "Main lease.pdf"
        assert opened.search("monthly rent").hits[0].document.name == "Main lease.pdf"
        opened.maintenance.reindex()
        assert opened.documents()[0].tags == ("leases",)
        with pytest.raises(UnknownDocument):
            opened.rename("nobody", "x.pdf")


def test_a_document_is_deleted_while_another_is_read(
    kept: tuple[Path, tuple[Hit, ...]], tmp_path: Path
) -> None:
    folder, _ = kept
    with Workspace(folder) as opened:
        [document] = opened.documents()

        def delete(progress: Progress) -> None:
            if progress.stage == "reading" and document in opened.documents():
                opened.remove(document.id)

        [result] = opened.add([pdfs.structured(tmp_path / "good.pdf")], progress=delete)
        assert result.status == "added"
        assert [each.name for each in opened.documents()] == ["good.pdf"]


def test_searches_are_measured_by_questions_with_known_pages(workspace: Workspace) -> None:
    asked = [
        GoldQuestion("What is the purchase price?", {MEMO: tuple(range(1, 20))}),
        GoldQuestion("What is the melting point of tungsten?", answerable=False),
        GoldQuestion("What is the rent?", {"Nowhere.pdf": (1,)}),
    ]
    told: list[tuple[int, int]] = []
    made = workspace.evaluations.searches(
        asked, progress=lambda done, total: told.append((done, total))
    )
    assert told == [(1, 3), (2, 3), (3, 3)]  # one of its document, two of the library
    within, everywhere = made.figures
    assert (within.scope, everywhere.scope) == ("document", "library")
    assert within.hit_at[1] == Rate(1, 1)
    assert everywhere.refusal_recall == Rate(1, 1)
    assert len(made.skipped) == 1
    stopped = workspace.evaluations.searches(asked, cancelled=lambda: True)
    assert stopped.judged == ()


@pytest.mark.parametrize("question", ["Compare", "compare the two", "Compare them"])
def test_where_too_many_may_be_compared_the_question_comes_back(
    workspace: Workspace, question: str
) -> None:
    found = answer(workspace, question, answerer="extractive")
    assert not found.found
    assert found.text.startswith("The question may mean 5 documents; at most 3 are compared")
    assert found.warnings == ()
