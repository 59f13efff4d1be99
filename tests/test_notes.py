"""Notes on passages by the small model: the real client against a server on loopback."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from docqa.app.diagnosis import index_agrees
from docqa.errors import BudgetReached, KeyRefused, NoKey
from docqa.ingest.reading.reader import ReadingProcess
from docqa.settings import Price, Settings, adjust
from docqa.types.answer import Answer
from docqa.types.document import Chunk
from docqa.workspace import Workspace
from tests import pdfs
from tests.messages_server import Json, MessagesServer, Refusal, Turn, text

WORD = "zephyranthes"  # in no document
PAGES = [
    f"Clause {n}. The tenant of unit {n} pays ${n},500 for {n} years. " * 14 for n in (1, 2, 3)
]


@pytest.fixture
def workspace(tmp_path: Path, reader: ReadingProcess) -> Iterator[Workspace]:
    pdfs.text_pages(tmp_path / "Lease.pdf", PAGES)
    with Workspace(tmp_path / "library", reader=reader) as opened:
        [added] = opened.add([tmp_path / "Lease.pdf"])
        assert added.status == "added"
        assert len(chunks_of(opened)) >= 3
        yield opened


def chunks_of(workspace: Workspace) -> list[Chunk]:
    [document] = workspace.documents()
    return workspace.resources.catalog.document_chunks(document.id)


def note_on(body: Json) -> Turn:
    """A note that says which passage it is for, and a figure that no document has."""
    return Turn([text(f"{WORD} {len(body['messages'][0]['content'])} owes $987,654.")])


def asked_at(workspace: Workspace, server: MessagesServer) -> Settings:
    return adjust(workspace.settings, base_url=server.url, max_retries=1)


def test_notes_are_written_indexed_and_never_quoted(workspace: Workspace) -> None:
    before = chunks_of(workspace)
    told: list[tuple[int, int]] = []
    with MessagesServer(note_on) as server:
        settings = asked_at(workspace, server)
        estimate = workspace.notes.estimate(settings=settings)
        assert server.requests == []
        written = workspace.notes.write(
            api_key="key", settings=settings, progress=lambda *each: told.append(each)
        )
        assert {body["model"] for body in server.requests} == {
            workspace.settings.answering.small_model
        }
        assert len({str(body["system"]) for body in server.requests}) == 1
    after = chunks_of(workspace)
    assert estimate.passages == written == len(before)
    assert told == [(n, written) for n in range(1, written + 1)]
    assert [each.text for each in after] == [each.text for each in before]
    assert all(WORD in each.embedded_text and WORD not in each.text for each in after)
    assert len(workspace.resources.catalog.keyword_search([WORD], limit=50)) == written
    assert index_agrees(workspace.resources)
    assert workspace.resources.catalog.is_sound()
    new = workspace.resources.encoder.encode([each.embedded_text for each in after])
    kept = workspace.resources.catalog.vectors([each.id for each in after])
    assert (abs(new - kept) < 1e-3).all()
    assert workspace.ledger.today().requests == written
    assert workspace.notes.estimate().passages == 0


def test_nothing_is_checked_against_a_note(workspace: Workspace) -> None:
    with MessagesServer(note_on) as server:
        workspace.notes.write(api_key="key", settings=asked_at(workspace, server))
    claim = Turn([text("The tenant of unit 2 owes $987,654 [S1].")])
    with MessagesServer(claim) as server:
        settings = adjust(asked_at(workspace, server), citation_form="written")
        *_, answer = workspace.ask(
            "What does the tenant of unit 2 pay?", api_key="key", settings=settings
        )
        assert WORD not in str(server.requests)
    assert isinstance(answer, Answer)
    assert answer.citations
    assert all(WORD not in each.quote for each in answer.citations)
    [check] = [each for each in answer.checks if "987,654" in each.text]
    assert check.result == "not supported"


def test_what_was_written_before_an_error_is_kept_and_not_asked_for_again(
    workspace: Workspace,
) -> None:
    refused = Refusal(401, "authentication_error")
    with MessagesServer(note_on, refused) as server, pytest.raises(KeyRefused):
        workspace.notes.write(api_key="key", settings=asked_at(workspace, server))
    noted = [each for each in chunks_of(workspace) if each.note]
    assert len(noted) == 1
    assert len(workspace.resources.catalog.keyword_search([WORD], limit=50)) == 1
    assert index_agrees(workspace.resources)
    with MessagesServer(note_on) as again:
        settings = asked_at(workspace, again)
        left = workspace.notes.estimate(settings=settings)
        assert (left.written, left.passages) == (1, len(chunks_of(workspace)) - 1)
        assert workspace.notes.write(api_key="key", settings=settings) == left.passages
        assert len(again.requests) == left.passages
    assert all(each.note for each in chunks_of(workspace))


def test_what_was_written_before_it_was_interrupted_is_kept(workspace: Workspace) -> None:
    def interrupt(written: int, _: int) -> None:
        if written == 2:
            raise KeyboardInterrupt

    with MessagesServer(note_on) as server:
        settings = asked_at(workspace, server)
        with pytest.raises(KeyboardInterrupt):
            workspace.notes.write(api_key="key", settings=settings, progress=interrupt)
    assert sum(bool(each.note) for each in chunks_of(workspace)) == 2
    assert index_agrees(workspace.resources)


def test_notes_that_a_killed_process_did_not_index_are_indexed_by_the_next(
    workspace: Workspace,
) -> None:
    [document] = workspace.documents()
    texts = [each.text for each in chunks_of(workspace)]
    workspace.resources.catalog.keep_notes(document.id, dict.fromkeys(texts, WORD))
    with MessagesServer(note_on) as server:
        assert workspace.notes.write(api_key="k", settings=asked_at(workspace, server)) == 0
        assert server.requests == []
    assert len(workspace.resources.catalog.keyword_search([WORD], limit=50)) == len(texts)


def test_a_dropped_stream_and_a_busy_server_are_tried_again(workspace: Workspace) -> None:
    dropped = Turn([text("The lease")], end="dropped")
    busy = Refusal(429, "rate_limit_error", headers={"retry-after": "0"})
    with MessagesServer(dropped, note_on, busy, note_on) as server:
        written = workspace.notes.write(api_key="k", settings=asked_at(workspace, server))
    assert written == len(chunks_of(workspace)) == len(server.requests) - 2
    assert all(each.note.startswith(WORD) for each in chunks_of(workspace))


def test_the_budget_stops_before_the_request_that_could_exceed_it(workspace: Workspace) -> None:
    one = Decimal(1)
    workspace.ledger.set_price(workspace.settings.answering.small_model, Price(one, one, one, one))
    with MessagesServer(note_on) as server:
        # A note takes 6,115 tokens here, and one to come is taken for about 2,500.
        settings = adjust(asked_at(workspace, server), budget_usd=0.0125)
        with pytest.raises(BudgetReached):
            workspace.notes.write(api_key="key", settings=settings)
        assert len(server.requests) == 2
    assert sum(bool(each.note) for each in chunks_of(workspace)) == 2
    assert workspace.ledger.today().cost_usd < Decimal("0.0125")


def test_without_a_key_nothing_is_sent(workspace: Workspace) -> None:
    with pytest.raises(NoKey):
        workspace.notes.write(api_key="")


def test_hidden_words_are_not_sent_and_stand_in_the_notes(workspace: Workspace) -> None:
    said = Turn([text("What the REDACTED-1 owes.")])
    with MessagesServer(said) as server:
        settings = adjust(asked_at(workspace, server), redact=("tenant",))
        workspace.notes.write(api_key="key", settings=settings)
        assert "tenant of" not in str(server.requests)
    assert {each.note for each in chunks_of(workspace)} == {"What the tenant owes."}


def test_notes_outlive_indexing_again_and_go_with_their_document(workspace: Workspace) -> None:
    with MessagesServer(note_on) as server:
        workspace.notes.write(api_key="key", settings=asked_at(workspace, server))
    noted = {each.text: each.note for each in chunks_of(workspace)}
    workspace.maintenance.reindex()
    assert {each.text: each.note for each in chunks_of(workspace)} == noted
    [document] = workspace.documents()
    withdrawn = workspace.removals.withdraw(document.id)
    assert workspace.resources.catalog.notes(document.id) == {}
    workspace.resources.catalog.keep_notes(document.id, noted)
    assert workspace.resources.catalog.notes(document.id) == {}, (
        "nothing is kept of a removed document"
    )
    workspace.removals.put_back(withdrawn)
    assert workspace.resources.catalog.notes(document.id) == noted
