"""The middle: questions and their answers, the conversation they belong to, the reader beside."""

from collections.abc import Collection
from functools import partial

import streamlit as st

from docqa.present.as_markdown import as_markdown
from docqa.present.conversation import Transcript, answer_of, conversation
from docqa.present.export import file_name
from docqa.settings import adjust
from docqa.types.answer import Answer, Message
from docqa.types.document import Document
from docqa.types.phrases import count, shortened
from docqa.ui import (
    answer_view,
    ask_again,
    choose_documents,
    compare,
    conversations,
    costs,
    launch,
    preferences,
    preview,
    questions,
    viewer,
    welcome,
)
from docqa.ui.asking import Asking
from docqa.ui.buttons import button, quiet_button
from docqa.ui.plain_text import literal, show_error, show_note
from docqa.ui.state import Marked, Screen, open_dialog, screen, workspace
from docqa.ui.watching import watched

LOOK_AGAIN = 0.3  # seconds between looks at an answer under way
LONG = 1_200  # characters of a question; a longer one is folded to its beginning
BEGINNING = 160  # characters


@viewer.beside
def page() -> None:
    """The page: the conversation, and the field to ask in."""
    documents = workspace().documents()
    asking = screen().asking
    busy = asking is not None and asking.busy  # before `settle`: what ends after it is seen to
    questions.settle()
    with st.container(key="talk"):
        conversations.head()
        above = st.container(key="conversation", gap="medium")
        _input(documents)  # before what stands above it, which may take its time
        with above:
            _turns(documents, busy)


def _turns(documents: list[Document], busy: bool) -> None:
    kept = questions.exchanges()
    undecided, unsent = screen().undecided, screen().unsent
    if not (kept or screen().asking or unsent or undecided):
        welcome.show(documents)
        return
    hidden = max(0, len(kept) - screen().shown_turns)
    if hidden:
        quiet_button(f"Show {count(hidden, 'earlier question')}", "earlier", show_earlier)
    for number, (question, answer) in enumerate(kept):
        if number >= hidden:
            above = {each for _, one in kept[:number] if one.answer for each in one.answer.warnings}
            _exchange(number, question, answer, told=above)
    ask_again.offer(kept)
    if kept and not screen().asking:
        _once_read(*kept[-1], documents)
    if undecided is not None:
        choose_documents.offer(undecided)
    elif unsent is not None:
        _question(unsent.question, "unsent")
        preview.show(unsent, send=questions.send, cancel=questions.unsend)
    elif asking := screen().asking:
        watched(partial(_under_way, asking), lambda: asking.busy, every=LOOK_AGAIN, before=busy)


def _once_read(question: str, message: Message, documents: list[Document]) -> None:
    """Under an answer from documents that were still being read: to ask again once they are."""
    unread = message.answer.unread if message.answer else ()
    asked = [each for each in documents if each.id in unread]
    if unread and all(each.is_whole and not each.is_plain for each in asked):
        with st.container(horizontal=True, vertical_alignment="center", key="once_read"):
            st.caption("The documents have been read in full since.")
            button("Ask again", "ask_once_read", questions.ask, question)


def show_earlier() -> None:
    screen().shown_turns += 20


def _exchange(number: int, question: str, message: Message, *, told: Collection[str]) -> None:
    key = f"turn-{screen().conversation_id}-{number}"
    _question(question, key)
    answer = answer_of(message)
    shown = answer_view.turn_of(
        answer,
        steps=message.steps,
        focus=key if key == screen().newest_turn else "",
        actions=[*_connecting(answer), *compare.actions(answer), ("again", "Edit and ask again")],
        save=as_markdown(conversation(Transcript("", [(question, message)], launch.address()))),
        file=file_name(question, "md"),
        told=told,
    )

    def opened(what: str, n: int) -> None:
        if what == "again":
            open_dialog("again", str(number))
        elif what == "connect":
            preferences.connect()
        elif what == "sides":
            compare.reopen(question, answer)
        else:
            open_from(screen(), answer, what, n, question=question)

    answer_view.show_turn(shown, key=key, on_open=opened)


def _connecting(answer: Answer) -> list[tuple[str, str]]:
    """Where quotes do not answer, the way to a model that might."""
    here = screen()
    helps = (answer.likely or not answer.found) and answer.answerer == "extractive"
    connected = here.would_use_model(adjust(here.settings, answerer="auto"))
    return [("connect", "Connect a model")] if helps and not connected else []


def _question(question: str, key: str) -> None:
    with st.container(key=f"question-{key}"):
        if len(question) <= LONG:
            st.text(question, width="stretch")
            return
        with st.expander(literal(shortened(question, BEGINNING)), type="compact"):
            st.text(question)


def open_from(here: Screen, answer: Answer, what: str, n: int, *, question: str = "") -> None:
    """Open in the reader what was clicked in an answer: a citation, a source, a document.

    With a citation the answer's other citations of the same document are marked too.
    """
    if what == "cite":
        cited = answer.citations[n]
        numbered = [(number, each) for number, each in enumerate(answer.citations, start=1)]
        others = [
            Marked(each.blocks, number)
            for number, each in numbered
            if each.document_id == cited.document_id and number != n + 1
        ]
        here.open(
            cited.document_id,
            cited.page,
            cited.blocks,
            number=n + 1,
            others=others,
            question=question,
        )
    elif what == "source":
        chunk = answer.evidence[n].hit.chunk
        here.open(chunk.document_id, chunk.page_start, chunk.blocks, question=question)
    elif what == "cover":
        line = answer.coverage[n]
        here.open(line.document_id, line.nearest_page, question=question)


def _input(documents: list[Document]) -> None:
    asking = screen().asking
    busy = asking is not None and asking.running
    here = screen()
    if here.notice == questions.NONE_CHOSEN and here.left_out < {each.id for each in documents}:
        here.notice = ""
    if here.notice:
        show_note(here.notice)
    if here.draft:
        st.session_state["question"], here.draft = here.draft, ""
    told = "Answering…" if busy else questions.placeholder(documents)
    question = st.chat_input(told, key="question", disabled=busy or not documents)
    if question:
        questions.ask(question)
        st.rerun()
    told = costs.running()
    if told:
        with st.container(key="talk_cost"):
            st.caption(literal(told))


def _under_way(asking: Asking) -> None:
    """The question that is being answered, or whose answer broke off."""
    _question(asking.question, "under-way")
    answer_view.show_turn(answer_view.turn_under_way(asking), key="turn-under-way")
    if asking.running:
        if asking.pace is not None and asking.text:
            st.caption(literal(answer_view.pace_of(asking.pace)))
        button("Stop", "stop", asking.stop, icon="stop")
    else:
        _broken_off(asking)


def _broken_off(asking: Asking) -> None:
    if asking.stopped:
        arrived = "What had arrived is kept." if asking.text else "Nothing had arrived."
        st.caption(f"Stopped. {arrived}")
    elif asking.error:
        show_error(asking.error)
    with st.container(horizontal=True):
        button("Ask again", "again", questions.ask, asking.question)
        button(
            "Answer with quotes only",
            "again_quotes",
            questions.ask,
            asking.question,
            kwargs={"answerer": "extractive"},
        )
