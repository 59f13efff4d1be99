import re
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from random import Random

import numpy as np
import pytest

from docqa.errors import LibraryTooNew, LibraryUnusable, UnknownDocument
from docqa.library import database
from docqa.library.catalog import CATALOG_NAME, PAGES_TO_LOOK_AT, Catalog
from docqa.library.conversations import KEPT_SESSIONS
from docqa.library.keyword_index import FEW_DOCUMENTS, match_expression
from docqa.library.records import to_json
from docqa.library.schema import MIGRATIONS
from docqa.types.answer import Answer, Citation, Evidence, Message, Usage
from docqa.types.document import Block, Chunk, PageHealth
from docqa.types.evaluation import Judgement
from docqa.types.search import Coverage, Hit
from tests.library.nouns import HERE, chunk, document, document_id, save, table_row, unit_vectors


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[Catalog]:
    catalog = Catalog(tmp_path)
    yield catalog
    catalog.close()


def reopened(catalog: Catalog, folder: Path) -> Catalog:
    catalog.close()
    return Catalog(folder)


# Saving and reading back


def test_a_saved_document_reads_back_whole_after_a_restart(tmp_path: Path) -> None:
    catalog = Catalog(tmp_path)
    blocks = [Block("Lease", 1, HERE, kind="heading", level=1), table_row("$1,200", page=2)]
    chunks = [replace(chunk("a.pdf", 0, "x"), blocks=tuple(blocks), headings=("Lease",))]
    health = [PageHealth(1, "F-1", 612.0, 792.0, 5, "OCR", ("faint",))]
    vectors = unit_vectors(1)
    catalog.save(
        document("a.pdf"),
        blocks=blocks,
        chunks=chunks,
        vectors=vectors,
        health=health,
        discards=[],
    )
    catalog = reopened(catalog, tmp_path)
    assert catalog.documents() == [document("a.pdf")]
    assert catalog.document(document_id("a.pdf")) == document("a.pdf")
    assert catalog.blocks(document_id("a.pdf")) == blocks
    assert catalog.blocks(document_id("a.pdf"), 2) == blocks[1:]
    assert catalog.document_chunks(document_id("a.pdf")) == chunks
    assert catalog.health(document_id("a.pdf")) == health
    assert catalog.discards(document_id("a.pdf")) == []
    assert np.array_equal(catalog.vectors([chunks[0].id]), vectors)
    catalog.close()


def test_chunks_and_vectors_come_in_the_order_asked_without_unknown_ids(catalog: Catalog) -> None:
    first, second = save(catalog, "a.pdf", ["one", "two"])
    assert catalog.chunks([second.id, "unknown", first.id]) == [second, first]
    asked = catalog.vectors([second.id, "unknown", first.id])
    assert np.array_equal(asked, unit_vectors(2)[[1, 0]])
    assert catalog.vectors([]).shape == (0, 0)


def test_unknown_ids_are_empty_or_an_error(catalog: Catalog) -> None:
    assert catalog.blocks("none") == []
    assert catalog.document_chunks("none") == []
    with pytest.raises(UnknownDocument):
        catalog.document("none")


def test_an_outline_is_the_first_pages_and_the_headings_after_them(catalog: Catalog) -> None:
    made = [("Lease", 1), ("heading", 1), ("words", 2), ('"kind":"heading"', 3), ("Rent", 3)]
    kinds = ("text", "heading", "text", "text", "heading")
    blocks = [
        Block(text, page, HERE, kind=kind, index=at)  # type: ignore[arg-type]
        for at, ((text, page), kind) in enumerate(zip(made, kinds, strict=True))
    ]
    one = document("a.pdf")
    catalog.save(one, blocks=blocks, chunks=[], vectors=None, health=[], discards=[])
    assert catalog.outline(one.id, pages=2) == [*blocks[:3], blocks[4]]
    assert catalog.outline("none", pages=2) == []


def test_saving_again_replaces(catalog: Catalog) -> None:
    save(catalog, "a.pdf", ["old words here", "more of them"])
    save(catalog, "a.pdf", ["new text"])
    assert catalog.chunk_count() == 1
    assert catalog.keyword_search(["words"], limit=5) == []


def test_a_save_that_fails_leaves_nothing(catalog: Catalog) -> None:
    twice = chunk("a.pdf", 0, "text")
    catalog.begin(document_id("a.pdf"))
    with pytest.raises(LibraryUnusable):
        catalog.save(
            document("a.pdf"),
            blocks=[],
            chunks=[twice, twice],
            vectors=unit_vectors(2),
            health=[],
            discards=[],
        )
    assert catalog.documents() == []
    assert catalog.keyword_search(["text"], limit=5) == []
    assert catalog.unfinished() == [document_id("a.pdf")]


def test_a_vector_for_each_chunk_is_required(catalog: Catalog) -> None:
    with pytest.raises(ValueError, match="2 vectors for 1 chunks"):
        catalog.save(
            document("a.pdf"),
            blocks=[],
            chunks=[chunk("a.pdf", 0, "text")],
            vectors=unit_vectors(2),
            health=[],
            discards=[],
        )


def test_all_vectors_yields_each_document_in_the_order_added(catalog: Catalog) -> None:
    save(catalog, "b.pdf", ["one", "two"], seed=1)
    save(catalog, "a.pdf", ["three"], seed=2)
    save(catalog, "empty.pdf", [])
    everything = list(catalog.all_vectors())
    assert [(owner, len(ids)) for owner, ids, _ in everything] == [
        (document_id("b.pdf"), 2),
        (document_id("a.pdf"), 1),
    ]
    assert np.array_equal(everything[0][2], unit_vectors(2, seed=1))


# The journal


def test_saving_and_abandoning_both_finish_what_was_begun(catalog: Catalog) -> None:
    for name in ("a.pdf", "b.pdf", "c.pdf"):
        catalog.begin(document_id(name))
    save(catalog, "a.pdf", ["text"])
    catalog.abandon(document_id("b.pdf"))
    assert catalog.unfinished() == [document_id("c.pdf")]


def test_a_removed_document_is_unfinished_until_its_files_are_gone(catalog: Catalog) -> None:
    save(catalog, "a.pdf", ["text"])
    catalog.remove(document_id("a.pdf"))
    assert catalog.documents() == []
    assert catalog.unfinished() == [document_id("a.pdf")]
    catalog.abandon(document_id("a.pdf"))
    assert catalog.unfinished() == []


# Keyword search


def test_a_word_is_in_the_documents_or_not(catalog: Catalog) -> None:
    save(catalog, "a.pdf", ["Notice periods of the Café"])
    save(catalog, "b.pdf", ["6.2%"])
    assert catalog.has_word("period")
    assert catalog.has_word("cafe", document_ids=[document_id("a.pdf")])
    assert not catalog.has_word("notice", document_ids=[document_id("b.pdf")])
    assert catalog.has_word("6.2%", document_ids=[document_id("a.pdf"), document_id("b.pdf")])
    assert not catalog.has_word('"')


def test_keyword_search_ranks_positive_best_first_ties_in_library_order(catalog: Catalog) -> None:
    chunks = save(catalog, "a.pdf", ["cap rate", "nothing", "rate", "rate", "rates of rate"])
    found = catalog.keyword_search(["rate", "cap"], limit=10)
    assert found[0][0] == chunks[0].id
    assert all(score > 0 for _, score in found)
    scores = dict(found)
    assert scores[chunks[2].id] == scores[chunks[3].id]
    ids = [chunk_id for chunk_id, _ in found]
    assert ids.index(chunks[2].id) < ids.index(chunks[3].id)
    assert chunks[1].id not in scores


def test_words_match_whatever_their_ending_case_or_accents(catalog: Catalog) -> None:
    (only,) = save(catalog, "a.pdf", ["Notice periods of the Café; 6.2% by 10-K"])
    for word in ("notices", "PERIOD", "cafe", "6.2%", "10-k"):
        assert [found for found, _ in catalog.keyword_search([word], limit=5)] == [only.id], word


@pytest.mark.parametrize(
    "words",
    [[], [""], ["$"], ['"'], ["AND"], ["NOT", "("], ["NEAR("], ["a\0b"], ["*"], ["words:x"]],
)
def test_no_word_is_an_operator(catalog: Catalog, words: list[str]) -> None:
    save(catalog, "a.pdf", ["text"])
    assert catalog.keyword_search(words, limit=5) == []


def test_a_long_question_is_answered(catalog: Catalog) -> None:
    save(catalog, "a.pdf", ["text"])
    words = [f"word{number}" for number in range(3000)] + ["text"]
    assert len(catalog.keyword_search(words, limit=5)) == 1


@pytest.mark.parametrize("count", [1, 2, FEW_DOCUMENTS, FEW_DOCUMENTS + 3])
def test_keyword_search_within_documents_equals_filtering_the_whole(
    catalog: Catalog, count: int
) -> None:
    names = [f"{number}.pdf" for number in range(FEW_DOCUMENTS + 5)]
    for name in names:
        save(catalog, name, ["rent of the tenant", "rent", f"the {name} rent and rent"])
    wanted = {document_id(name) for name in names[:count]}
    everything = catalog.keyword_search(["rent", "tenant"], limit=1000)
    expected = [hit for hit in everything if hit[0].split(":")[0] in wanted]
    for limit in (1, 4, 1000):
        found = catalog.keyword_search(["rent", "tenant"], limit=limit, document_ids=list(wanted))
        assert found == expected[:limit]


def test_unknown_documents_hold_no_words(catalog: Catalog) -> None:
    save(catalog, "a.pdf", ["rent"])
    assert catalog.keyword_search(["rent"], limit=5, document_ids=["unknown"]) == []


def test_match_expression_keeps_each_word_once() -> None:
    assert match_expression(["a", "a", 'b"c']) == '"a" OR "b c"'


# Deleting


def test_nothing_of_a_removed_document_is_left_in_any_file(tmp_path: Path) -> None:
    catalog = Catalog(tmp_path)
    save(catalog, "keep.pdf", ["ordinary words of another document"] * 50)
    save(catalog, "secret.pdf", ["the zanzibarquux clause", *["plain filler text"] * 500])
    assert any(b"zanzibarquux" in path.read_bytes() for path in tmp_path.iterdir())
    catalog.remove(document_id("secret.pdf"))
    catalog.purge()
    left = [path.name for path in tmp_path.iterdir() if b"zanzibarquux" in path.read_bytes()]
    assert left == []
    assert len(catalog.keyword_search(["ordinary"], limit=100)) == 50
    catalog.close()


@pytest.mark.parametrize("seed", [3, 4, 5])
def test_nothing_is_left_where_rows_were_moved_within_the_file(tmp_path: Path, seed: int) -> None:
    """Documents come and go until pages were parted and joined; each seed once left a row."""
    catalog, draw, held = Catalog(tmp_path), Random(seed), list[int]()
    for number in range(1, 41):
        if len(held) < 2 or draw.random() < 0.55:
            lengths = range(draw.choice((1, 5, 40, 150)))
            texts = [
                f"Clause w{number}x{at} of the lease. " + "It is due. " * (at % 7) for at in lengths
            ]
            save(catalog, f"w{number}x.pdf", texts)
            held.append(number)
            continue
        catalog.remove(document_id(f"w{held.pop(draw.randrange(len(held)))}x.pdf"))
        catalog.purge()
        content = (tmp_path / CATALOG_NAME).read_bytes()
        assert {int(each) for each in re.findall(rb" w(\d+)x", content)} == set(held)
    catalog.close()


def test_a_large_file_is_written_anew_beside_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "LARGE", 0)
    catalog = Catalog(tmp_path / "an analyst's")
    save(catalog, "keep.pdf", ["ordinary words"])
    save(catalog, "secret.pdf", ["the zanzibarquux clause"] * 300)
    catalog.remove(document_id("secret.pdf"))
    catalog.purge()
    assert catalog.is_sound()
    assert len(catalog.keyword_search(["ordinary"], limit=5)) == 1
    catalog.close()
    [left] = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert left.name == CATALOG_NAME
    assert b"zanzibarquux" not in left.read_bytes()


def test_removing_gives_the_disk_back(tmp_path: Path) -> None:
    catalog = Catalog(tmp_path)
    save(catalog, "keep.pdf", ["words"])
    before = sum(path.stat().st_size for path in tmp_path.iterdir())
    save(catalog, "big.pdf", [f"filler number {number} " * 20 for number in range(2000)])
    grown = sum(path.stat().st_size for path in tmp_path.iterdir())
    catalog.remove(document_id("big.pdf"))
    catalog.purge()
    after = sum(path.stat().st_size for path in tmp_path.iterdir())
    assert grown > before + 2_000_000
    assert after < before + 100_000
    catalog.close()


def markers(content: bytes) -> set[int]:
    return {int(each) for each in re.findall(rb" w(\d+)x", content)}


@pytest.mark.parametrize("seed", [2, 9, 11])
def test_a_removed_conversation_leaves_nothing_whatever_the_size_of_the_file(
    tmp_path: Path, seed: int
) -> None:
    """They come, change and go until pages were parted; where each row is only deleted and
    overwritten, each of these seeds leaves some. The file is not written anew for it."""
    catalog, draw, held = Catalog(tmp_path), Random(seed), dict[int, str]()
    for number in range(1, 81):
        with catalog.together():
            held[number] = catalog.conversations.begin(f"Of w{number}x, its rent")
            for _ in range(draw.choice((1, 4, 12))):
                spoken = draw.choice(list(held))
                text = f" w{spoken}x is due." * draw.choice((1, 10, 60, 150))
                catalog.conversations.add(held[spoken], Message("user", text))
                catalog.conversations.rename(held[spoken], f" w{spoken}x" * draw.choice((1, 30)))
        if draw.random() < 0.6:
            catalog.conversations.remove(held.pop(draw.choice(list(held))))
            files = b"".join(path.read_bytes() for path in tmp_path.iterdir())
            assert markers(files) == set(held)
    assert {each.id for each in catalog.conversations.all()} == set(held.values())
    assert catalog.is_sound()
    catalog.close()


def test_what_tabs_had_open_of_a_removed_conversation_goes_with_it(catalog: Catalog) -> None:
    removed, kept = catalog.conversations.begin("Rent"), catalog.conversations.begin("Term")
    for tab, conversation in (("1", removed), ("2", kept)):
        catalog.conversations.keep_session(
            tab, f'{{"conversation": "{conversation}", "place": "…"}}'
        )
    catalog.conversations.remove(removed)
    assert kept in catalog.conversations.session("1")  # that of the other tab, as for a new one


def test_what_a_conversation_is_cut_by_is_nowhere_and_the_rest_in_its_order(tmp_path: Path) -> None:
    catalog = Catalog(tmp_path)
    cut, other = catalog.conversations.begin("Rent"), catalog.conversations.begin("Term")
    with catalog.together():
        for number in range(40):
            for conversation in (cut, other):
                text = f"And {'w1x' if conversation == cut else 'w2x'}? " + "Due. " * number
                catalog.conversations.add(conversation, Message("user", text))
    before = catalog.conversations.messages(other)
    catalog.conversations.cut(cut, exchanges=0)
    assert markers((tmp_path / CATALOG_NAME).read_bytes()) == {2}
    assert catalog.conversations.messages(other) == before
    catalog.conversations.add(cut, Message("user", "Again?"))
    assert [each.text for each in catalog.conversations.messages(cut)] == ["Again?"]
    with pytest.raises(KeyError):  # foreign keys and their like hold as before
        catalog.conversations.add("unknown", Message("user", "?"))
    catalog.close()


# Settings and conversations


def test_settings_are_kept(tmp_path: Path) -> None:
    catalog = Catalog(tmp_path)
    assert catalog.get_setting("encoder") is None
    catalog.set_setting("encoder", "a")
    catalog.set_setting("encoder", "b")
    catalog = reopened(catalog, tmp_path)
    assert catalog.get_setting("encoder") == "b"
    catalog.close()


def whole_answer() -> Answer:
    evidence = Evidence(
        "S1",
        Hit(
            replace(chunk("a.pdf", 0, "x"), blocks=(table_row("$12"),), kind="table"),
            document("a.pdf"),
            {"bm25": 3.5, "dense": float(np.float32(0.25)), "rrf": 1 / 61},
        ),
    )
    blocks = evidence.hit.chunk.blocks
    return Answer(
        "Rent is $12 [S1.1].",
        "claude-sonnet-5-5",
        citations=(Citation("S1.1", "id", "a.pdf", 1, "Rent $12", blocks, "verified"),),
        evidence=(evidence,),
        warnings=("fewer than 3 sources",),
        usage=Usage(10, 5, cost_usd=Decimal("0.1000")),
        coverage=(Coverage("id", "a.pdf", 4, 1, 0.5, 1),),
        found=True,
        seconds=1.5,
    )


def test_answers_round_trip_whole(tmp_path: Path) -> None:
    catalog = Catalog(tmp_path)
    conversation = catalog.conversations.begin("Leases")
    turns = [
        Message("user", "What is the rent?"),
        Message("assistant", whole_answer().text, whole_answer()),
    ]
    for turn in turns:
        catalog.conversations.add(conversation, turn)
    catalog = reopened(catalog, tmp_path)
    kept = catalog.conversations.messages(conversation)
    assert kept == turns
    assert kept[1].answer is not None
    assert str(kept[1].answer.usage.cost_usd) == "0.1000"
    catalog.close()


def test_conversations_come_last_spoken_first(catalog: Catalog) -> None:
    first, second = catalog.conversations.begin("one"), catalog.conversations.begin("two")
    assert [each.id for each in catalog.conversations.all()] == [second, first]
    catalog.conversations.add(first, Message("user", "hello"))
    catalog.conversations.rename(first, "renamed")
    assert [(each.id, each.title) for each in catalog.conversations.all()] == [
        (first, "renamed"),
        (second, "two"),
    ]


def test_conversations_quoting_a_document_can_be_found(catalog: Catalog) -> None:
    quoting, other = catalog.conversations.begin("quoting"), catalog.conversations.begin("other")
    catalog.conversations.add(quoting, Message("assistant", "Rent is $12.", whole_answer()))
    catalog.conversations.add(other, Message("assistant", "Nothing."))
    assert [each.id for each in catalog.conversations.quoting(document_id("a.pdf"))] == [quoting]
    assert catalog.conversations.quoting(document_id("b.pdf")) == []


def test_an_unknown_conversation_is_a_key_error(catalog: Catalog) -> None:
    assert catalog.conversations.messages("none") == []
    with pytest.raises(KeyError):
        catalog.conversations.add("none", Message("user", "hello"))
    with pytest.raises(KeyError):
        catalog.conversations.rename("none", "title")


def test_common_words_are_not_asked_for_in_a_large_library(tmp_path: Path) -> None:
    with closing(Catalog(tmp_path, large=4)) as catalog:
        texts = ["rent deposit", "rent", "rent", "rent", "roof"]
        first, *_ = save(catalog, "a.pdf", texts)
        found = catalog.keyword_search(["rent", "deposit"], limit=9)
        assert [chunk_id for chunk_id, _ in found] == [first.id]
        assert len(catalog.keyword_search(["rent", "nowhere"], limit=9)) == 4
        within = [document_id("a.pdf")]
        assert len(catalog.keyword_search(["rent", "deposit"], limit=9, document_ids=within)) == 4


def test_tables_are_searched_by_what_heads_them(catalog: Catalog) -> None:
    rent, roof = [
        Chunk(
            f"{document_id(name)}:0",
            document_id(name),
            0,
            (
                Block(f"{name} | 2024", 1, HERE, "table", table=1),
                Block("NOI | 7", 1, HERE, "table"),
            ),
            ("Rent roll",),
            kind="table",
        )
        for name in ("a.pdf", "b.pdf")
    ]
    for each, name in ((rent, "a.pdf"), (roof, "b.pdf")):
        catalog.save(
            document(name),
            blocks=[],
            chunks=[each],
            vectors=unit_vectors(1),
            health=[],
            discards=[],
        )
    found = catalog.table_search(["rent rolls", "balance sheet"], limit=5)
    assert [chunk_id for chunk_id, _ in found] == [rent.id, roof.id]
    within = catalog.table_search(["rent roll"], limit=5, document_ids=[document_id("b.pdf")])
    assert [chunk_id for chunk_id, _ in within] == [roof.id]
    assert catalog.table_search(["roll of rent"], limit=5) == []
    catalog.remove(document_id("a.pdf"))
    assert len(catalog.table_search(["rent roll"], limit=5)) == 1


# The file


def test_a_catalog_from_a_newer_docqa_is_left_alone(tmp_path: Path) -> None:
    Catalog(tmp_path).close()
    connection = sqlite3.connect(tmp_path / CATALOG_NAME)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(LibraryTooNew):
        Catalog(tmp_path)


def test_tables_of_an_older_catalog_are_found_by_their_titles(tmp_path: Path) -> None:
    rows = tuple(
        Block(text, 3, HERE, "table", table=1) for text in ("Item | 2024", "Cash | 7", "x")
    )
    sheet = Chunk("d:0", "d", 0, rows, ("Part II", "Balance Sheets"), "context", kind="table")
    prose = Chunk("d:1", "d", 1, rows, ("Part II", "Balance Sheets"))
    connection = sqlite3.connect(tmp_path / CATALOG_NAME)
    connection.executescript(";".join(MIGRATIONS[:2]))
    connection.execute("PRAGMA user_version = 2")
    connection.execute("INSERT INTO document VALUES (1, 'd', ?, 1, 2)", (to_json(document("d")),))
    for row, each in enumerate((sheet, prose), start=1):
        values = (row, each.id, to_json(each), each.embedded_text)
        connection.execute("INSERT INTO chunk VALUES (?, 1, ?, ?, ?)", values)
    connection.commit()
    connection.close()
    catalog = Catalog(tmp_path)
    assert [found for found, _ in catalog.table_search(["balance sheet"], limit=5)] == ["d:0"]
    assert catalog.is_sound()
    catalog.close()
    connection = sqlite3.connect(tmp_path / CATALOG_NAME)
    titles = [title for (title,) in connection.execute("SELECT title FROM chunk ORDER BY row")]
    connection.close()
    assert titles == [sheet.table_title, prose.table_title] == [sheet.table_title, ""]


def test_a_damaged_catalog_says_so(tmp_path: Path) -> None:
    (tmp_path / CATALOG_NAME).write_bytes(b"not a database at all " * 500)
    with pytest.raises(LibraryUnusable, match="damaged; restore"):
        Catalog(tmp_path)


def test_a_folder_that_cannot_be_made_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(LibraryUnusable, match="choose another folder"):
        Catalog(tmp_path / "file" / "library")


def test_a_keyword_index_that_differs_from_the_chunks_is_noticed(tmp_path: Path) -> None:
    catalog = Catalog(tmp_path)
    save(catalog, "a.pdf", ["rent", "lease"])
    assert catalog.is_sound()
    catalog.close()
    connection = sqlite3.connect(tmp_path / CATALOG_NAME)
    connection.execute("UPDATE chunk SET words = 'other words'")
    connection.commit()
    connection.close()
    catalog = Catalog(tmp_path)
    assert not catalog.is_sound()
    assert catalog.chunk_count() == 2
    catalog.close()


def test_a_closed_catalog_says_so(tmp_path: Path) -> None:
    catalog = Catalog(tmp_path)
    catalog.close()
    with pytest.raises(LibraryUnusable, match="closed"):
        catalog.documents()
    with pytest.raises(LibraryUnusable, match="closed"):
        catalog.begin("x")


def test_every_error_of_sqlite_becomes_one_of_ours(catalog: Catalog) -> None:
    kinds = [kind for kind in vars(sqlite3).values() if isinstance(kind, type)]
    for kind in [kind for kind in kinds if issubclass(kind, sqlite3.Error)]:
        with pytest.raises(LibraryUnusable), catalog._database.reading():
            raise kind("anything")


def test_threads_read_while_another_writes(catalog: Catalog) -> None:
    save(catalog, "first.pdf", ["rent"])
    failures: list[BaseException] = []

    def read() -> None:
        try:
            for _ in range(40):
                ids = [found for found, _ in catalog.keyword_search(["rent"], limit=100)]
                assert len(catalog.chunks(ids)) == len(ids) >= 1
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for number in range(10):
        save(catalog, f"{number}.pdf", ["rent", "more rent"])
    for thread in threads:
        thread.join()
    assert not failures
    assert catalog.chunk_count() == 21


# What people said of pages, and where they left off


def test_what_was_said_last_of_a_page_holds(catalog: Catalog) -> None:
    save(catalog, "a.pdf", ["rent"])
    first = Judgement("Rent?", document_id("a.pdf"), 3, right=False)
    second = replace(first, page=4, right=True)
    for each in (first, second, replace(first, right=True)):
        catalog.judgements.add(each)
    assert catalog.judgements.all() == [second, replace(first, right=True)]
    catalog.judgements.remove("Rent?", document_id("a.pdf"), 4)
    assert catalog.judgements.all() == [replace(first, right=True)]
    save(catalog, "a.pdf", ["rent", "read anew"])
    assert len(catalog.judgements.all()) == 1
    catalog.remove(document_id("a.pdf"))
    assert catalog.judgements.all() == []


def test_facts_of_a_document_change_and_its_text_stays(catalog: Catalog) -> None:
    [kept] = save(catalog, "a.pdf", ["rent"])
    changed = replace(catalog.documents()[0], name="b.pdf", tags=("lease",))
    catalog.amend(changed)
    assert catalog.documents() == [changed]
    assert catalog.document_chunks(changed.id) == [kept]
    with pytest.raises(KeyError):
        catalog.amend(document("never.pdf"))


def test_a_desk_is_found_by_its_tab_and_a_new_tab_gets_the_last(catalog: Catalog) -> None:
    assert catalog.conversations.session("any") == ""
    for number in range(KEPT_SESSIONS + 2):
        catalog.conversations.keep_session(f"tab {number}", f"desk {number}")
    catalog.conversations.keep_session("tab 5", "desk 5, later")
    assert catalog.conversations.session("tab 7") == "desk 7"
    assert catalog.conversations.session("new tab") == "desk 5, later"
    assert catalog.conversations.session("tab 0") == "desk 5, later"  # dropped, so as a new one


def test_pages_to_look_at_are_counted(catalog: Catalog) -> None:
    healthy = PageHealth(1, "", 612.0, 792.0, 900, "text layer")
    health = [
        healthy,
        replace(healthy, page=2, source="OCR"),
        replace(healthy, page=3, warnings=("little text",)),
        replace(healthy, page=4, source="none", warnings=("nothing could be read",)),
    ]
    catalog.save(
        document("a.pdf"), blocks=[], chunks=[], vectors=unit_vectors(0), health=health, discards=[]
    )
    save(catalog, "b.pdf", ["all is well"])
    assert catalog.pages_to_look_at() == {document_id("a.pdf"): 3}


def test_pages_to_look_at_are_counted_without_looking_at_the_others(
    catalog: Catalog, tmp_path: Path
) -> None:
    with closing(sqlite3.connect(tmp_path / CATALOG_NAME)) as connection:
        plan = connection.execute(f"EXPLAIN QUERY PLAN {PAGES_TO_LOOK_AT}").fetchall()
    assert any("USING INDEX page_to_look_at" in step for *_, step in plan)


def test_a_conversation_is_cut_after_so_many_exchanges(catalog: Catalog) -> None:
    cut, other = catalog.conversations.begin("a"), catalog.conversations.begin("b")
    for conversation_id in (cut, other, cut):
        catalog.conversations.add(conversation_id, Message("user", "How much?"))
        catalog.conversations.add(conversation_id, Message("assistant", "Five."))
    catalog.conversations.cut(cut, exchanges=1)
    assert [each.text for each in catalog.conversations.messages(cut)] == ["How much?", "Five."]
    assert len(catalog.conversations.messages(other)) == 2
    catalog.conversations.cut(cut, exchanges=0)
    assert catalog.conversations.messages(cut) == []
