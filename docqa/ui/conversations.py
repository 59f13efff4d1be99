"""The conversations that are kept: which is open, a new one, renaming, deleting."""

from contextlib import suppress
from datetime import datetime

import streamlit as st

from docqa.present.conversation import Transcript
from docqa.present.document import now
from docqa.present.evidence import of_transcript
from docqa.present.export import CONVERSATION
from docqa.types.answer import Conversation
from docqa.types.phrases import shortened
from docqa.ui import launch, questions, saving
from docqa.ui.buttons import button, quiet_button
from docqa.ui.plain_text import literal
from docqa.ui.state import running, screen, workspace

LISTED = 40
LIST = "conversations"  # open or not
UNNAMED = "New conversation"


def head() -> None:
    """One line above the conversation: its title with the list of the others, and a new one."""
    kept = workspace().conversations.all()
    opened = next((each for each in kept if each.id == screen().conversation_id), None)
    if opened is None and screen().conversation_id is not None:
        open_conversation(None)  # it was deleted in another tab
    if not kept:
        return
    title = named(opened) if opened else UNNAMED
    with st.container(horizontal=True, vertical_alignment="center", key="conversation_head"):
        listed = st.popover(
            literal(shortened(title, 48)), type="tertiary", key=LIST, on_change="rerun"
        )
        if listed.open:
            with listed:
                _list(kept, opened)
        if opened is not None:
            saving.exports(
                named(opened),
                lambda: _transcript(opened),
                CONVERSATION,
                lambda talk: of_transcript(talk, now()),
                key="export_talk",
                kind="-talk",
            )
        quiet_button(
            "New",
            "new_conversation",
            open_conversation,
            None,
            icon="edit_square",
            help="Start a new conversation",
            disabled=opened is None,
        )


def _transcript(opened: Conversation) -> Transcript:
    exchanges = questions.pairs(workspace().conversations.messages(opened.id))
    return Transcript(named(opened), exchanges, launch.address())


def _list(kept: list[Conversation], opened: Conversation | None) -> None:
    if opened is not None:
        _renaming(opened)
    others = [each for each in kept if opened is None or each.id != opened.id]
    if len(others) > 1:
        sought = st.text_input("Find a conversation", key="find_talk", type="search", live=True)
        others = [each for each in others if _mentions(each, sought)]
    for each in others[:LISTED]:
        quiet_button(
            literal(shortened(named(each), 44)), f"open-{each.id}", open_conversation, each.id
        )
        renamed = each.opening and not each.opening.startswith(each.title.rstrip(" …"))
        began = f" · {shortened(each.opening, 60)}" if renamed else ""
        st.caption(f"{day(each.updated)}{literal(began)}")
    if not others and len(kept) > 2:
        st.caption("No other conversation has these words.")


def _mentions(conversation: Conversation, sought: str) -> bool:
    words = f"{conversation.title} {conversation.opening}".casefold()
    return sought.strip().casefold() in words


def day(time: str) -> str:
    """The day of a time in ISO 8601, where this machine stands: "22 November 2026"."""
    local = datetime.fromisoformat(time).astimezone()
    return f"{local.day} {local:%B %Y}"


def _renaming(opened: Conversation) -> None:
    st.text_input(
        "Title",
        opened.title,
        key=f"title-{opened.id}",
        on_change=rename,
        args=(opened.id,),
    )
    with st.popover("Delete this conversation", icon=":material/delete:", type="tertiary"):
        st.caption("Its questions and answers are deleted; the documents stay.")
        button("Delete", "delete_talk", delete, opened.id, type="primary")


def named(conversation: Conversation) -> str:
    return conversation.title or UNNAMED


def open_conversation(conversation_id: str | None) -> None:
    """Show another conversation, or an empty one that is kept once something is asked."""
    here = screen()
    if here.place is not None and here.place.question:  # what it was opened for is left
        here.place = None
    here.conversation_id = conversation_id
    here.asking = None
    running().asked.pop(here.desk_id, None)
    here.unsent = None
    here.newest_turn = questions.newest_turn()
    here.notice = ""
    st.session_state[LIST] = False


def rename(conversation_id: str) -> None:
    title = str(st.session_state[f"title-{conversation_id}"]).strip()
    with suppress(KeyError):  # deleted meanwhile, in this tab or another
        if title:
            workspace().conversations.rename(conversation_id, title)


def delete(conversation_id: str) -> None:
    workspace().conversations.remove(conversation_id)
    open_conversation(None)
