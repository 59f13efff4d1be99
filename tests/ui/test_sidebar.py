"""Files on their way in, the list of documents, deletion, settings, models."""

from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from docqa import installation
from docqa.types.document import Document, DocumentState
from docqa.types.progress import Progress
from docqa.types.review import Column
from docqa.ui import documents, state
from docqa.ui.documents import still
from tests import pdfs
from tests.ui.conftest import (
    APP,
    REVIEW,
    SECONDS,
    TERMS,
    asked,
    components,
    named,
    plainly,
    screen,
    shown,
)


def upload(app: AppTest, *paths: Path) -> None:
    """Upload files and wait until each has arrived or failed."""
    files = [(path.name, path.read_bytes(), "application/pdf") for path in paths]
    app.file_uploader[0].set_value(files).run()
    state.running().adding.wait(SECONDS)
    app.run()


def test_good_bad_and_duplicate_files_each_get_their_word(app: AppTest, tmp_path: Path) -> None:
    good = pdfs.text_pages(tmp_path / "Deposit.pdf", ["The deposit is $25,000, held in escrow."])
    copy = tmp_path / "Copy of review.pdf"
    copy.write_bytes(pdfs.structured(tmp_path / "x.pdf").read_bytes())
    bad = pdfs.not_a_pdf(tmp_path / "Fake.pdf")
    empty = pdfs.empty_file(tmp_path / "Empty.pdf")
    upload(app, bad, good, copy, empty)
    told = shown(app).replace("\u2060", "").replace("\\", "")
    assert "Fake.pdf is not a PDF" in told
    assert "Deposit.pdf, 1 page" in told
    assert f"Copy of review.pdf :gray[is already in the library, as {REVIEW}.]" in told
    assert "Empty.pdf is empty (0 bytes)" in told
    names = {each.name for each in state.workspace().documents()}
    assert names == {REVIEW, TERMS, "Deposit.pdf"}
    app.button(key="dismiss").click().run()
    assert "Fake.pdf" not in shown(app)


def open_with(app: AppTest, password: str) -> None:
    """Type the password of the file that came last."""
    number = state.running().adding.entries[-1].number
    app.text_input(key=f"opens-{number}").set_value(password)
    app.button(key=f"open-{number}").click().run()
    state.running().adding.wait(SECONDS)
    app.run()


def test_a_locked_file_opens_once_its_password_is_given(empty_app: AppTest, tmp_path: Path) -> None:
    empty_app.run()
    upload(empty_app, pdfs.encrypted(tmp_path / "Locked.pdf"))
    assert "is protected by a password" in shown(empty_app)
    open_with(empty_app, "wrong")
    assert "does not open it" in shown(empty_app)
    open_with(empty_app, pdfs.PASSWORD)
    [document] = state.workspace().documents()
    assert document.name == "Locked.pdf"
    screen(empty_app).open(document.id, 1)
    empty_app.run()
    assert components(empty_app, "page")[0]["src"].startswith("data:image/jpeg")


def test_the_list_says_what_each_document_holds(app: AppTest) -> None:
    assert [each.label.replace("\u2060", "").replace("\\", "") for each in app.checkbox] == [
        REVIEW,
        TERMS,
    ]
    chunks = named(TERMS).chunk_count
    assert f"3 pages · {chunks} passage" in shown(app)
    assert "2 of 2 selected" in shown(app)


def test_deleting_leaves_nothing_and_can_be_undone(app: AppTest, tmp_path: Path) -> None:
    document = named(TERMS)
    screen(app).open(document.id, 1)
    app.menu_button(key=f"menu-{document.id}").click("Delete").run()
    assert [each.name for each in state.workspace().documents()] == [REVIEW]
    assert screen(app).place is None
    assert not components(app, "page")
    assert state.workspace().resources.catalog.keyword_search(["governing"], limit=5) == []
    assert not list((tmp_path / "library" / "files").glob(f"{document.id}*"))
    assert "Deleted Terms" in shown(app)
    app.button(key="undo").click().run()
    assert [each.name for each in state.workspace().documents()] == [REVIEW, TERMS]
    assert "Deleted Terms" not in shown(app)
    assert state.workspace().search("governing law", document_ids=[document.id]).hits
    app.menu_button(key=f"menu-{document.id}").click("Delete").run()
    app.button(key="let_go").click().run()
    assert state.running().removed == []
    assert "undo" not in {each.key for each in app.button}


def test_what_still_quotes_a_deleted_document_is_counted(app: AppTest) -> None:
    asked(app, "Which law governs?")
    reviews = state.workspace().reviews
    for name in ("Terms", "Laws"):
        made = reviews.create(name, (Column("Law", "Which law governs?"),))
        reviews.fill(made.id)
        reviews.wait(made.id, SECONDS)
    app.menu_button(key=f"menu-{named(TERMS).id}").click("Delete").run()
    assert "1 conversation still quoted from it. It was a row of 2 reviews." in shown(app)


def test_a_file_that_is_not_read_is_told_with_what_is(app: AppTest, tmp_path: Path) -> None:
    photo, copy = tmp_path / "photo.zip", tmp_path / "Copy.pdf"
    photo.write_bytes(b"PK")
    copy.write_bytes(pdfs.structured(tmp_path / "x.pdf").read_bytes())
    upload(app, photo, copy)
    assert "photo.zip is not read. docqa reads PDF, Word (.docx)" in plainly(app)
    assert "Copy.pdf :gray[is already in the library" in plainly(app)
    app.menu_button(key=f"menu-{named(REVIEW).id}").click("Delete").run()
    assert "is already in the library" not in shown(app)


def test_a_document_is_renamed_and_tagged_and_asked_by_its_tag(app: AppTest) -> None:
    document = named(TERMS)
    app.menu_button(key=f"menu-{document.id}").click("Rename and tag…").run()
    app.text_input(key="new_name").set_value("Fee *terms*.pdf")
    app.text_input(key="new_tags").set_value("drafts [A], ")
    app.button(key="save_name").click().run()
    renamed = state.workspace().document(document.id)
    assert (renamed.name, renamed.tags) == ("Fee *terms*.pdf", ("drafts [A]",))
    assert "drafts [A]" in shown(app).replace("\u2060", "").replace("\\", "")
    app.button_group(key="asked_tags").set_value("drafts [A]").run()
    assert screen(app).left_out == {named(REVIEW).id}


def test_details_and_the_first_page_are_in_the_menu(app: AppTest) -> None:
    document = named(TERMS)
    app.menu_button(key=f"menu-{document.id}").click("Details").run()
    assert document.engine in app.table[0].value.iloc[:, 1].tolist()
    app.menu_button(key=f"menu-{document.id}").click("Open").run()
    assert components(app, "page")[0]["alt"] == f"{TERMS}, page 1"


def test_models_are_listed_with_their_state(app: AppTest) -> None:
    app.session_state["models"] = True
    app.run()
    told = shown(app).replace("\u2060", "").replace("\\", "")
    for model in installation.model_statuses():
        assert model.name in told
        assert f"[{model.state}]" in told


def test_the_list_says_what_is_still_to_be_read_also_after_a_reload(app: AppTest) -> None:
    opened, document = state.workspace(), named(TERMS)
    assert "wait" not in shown(app)
    opened.resources.catalog.amend(replace(document, waiting_pages=12))
    app.run()
    assert "Ready for questions; 12 pages wait for OCR" in plainly(app)
    told = Progress(TERMS, "OCR", 3, 12)
    opened.additions._progress[document.id] = told
    app.run()
    assert "Ready for questions; reading by OCR, page 3 of 12" in plainly(app)
    again = AppTest.from_file(str(APP), default_timeout=SECONDS).run()
    assert "Ready for questions; reading by OCR, page 3 of 12" in plainly(again)
    del opened.additions._progress[document.id]
    opened.resources.catalog.amend(document)
    assert "OCR" not in plainly(app.run())


READING = Progress("A.pdf", "reading", 2, 9)
INDEXING = Progress("A.pdf", "embedding", 2, 4)
LOCKED = Progress("A.pdf", "failed", message="A.pdf needs its password.")


@pytest.mark.parametrize(
    ("state", "chunks", "told", "said"),
    [
        ("text", 4, None, "Ready for questions; not yet read in full"),
        ("text", 0, READING, "Not ready for questions; reading, page 2 of 9"),
        ("read", 4, INDEXING, "Ready for questions; indexing, passage 2 of 4"),
        ("text", 4, LOCKED, "A.pdf needs its password."),
    ],
)
def test_what_is_still_to_be_done_is_said_in_words(
    state: DocumentState, chunks: int, told: Progress | None, said: str
) -> None:
    assert still(Document("a", "A.pdf", 9, chunk_count=chunks, state=state), told) == said


def test_the_keys_are_listed_and_can_be_switched_off(app: AppTest) -> None:
    [listening] = components(app, "keys")
    assert listening["on"]
    app.button(key="keyboard").click().run()
    assert "open the next or previous citation" in app.table[0].value.to_string()
    app.toggle(key="use_keys").set_value(False).run()
    app.run()
    [listening] = components(app, "keys")
    assert not listening["on"]
    again = AppTest.from_file(str(APP), default_timeout=SECONDS).run()
    [listening] = components(again, "keys")
    assert not listening["on"]


def test_a_box_told_of_again_while_it_is_ticked_leaves_nothing_out() -> None:
    """Streamlit tells of a box as changed that was not drawn for a while; it says what it said."""

    def told() -> None:
        import streamlit as st

        from docqa.ui import documents

        st.session_state["ask-x"] = True
        documents.choose("x")

    app = AppTest.from_function(told).run()
    assert screen(app).left_out == set()


def test_of_many_documents_those_found_alone_can_be_asked(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "ROWS", 1)
    app.run()
    assert "The first 1 of 2" in shown(app)
    app.text_input(key="find_document").set_value("terms").run()
    assert app.button(key="ask_found").label == "Ask this document only"
    app.button(key="ask_found").click().run()
    assert screen(app).left_out == {named(REVIEW).id}
    app.text_input(key="find_document").set_value("zz$zz").run()
    assert "No document's name or tag contains “zz$zz”." in plainly(app)
