"""The conversations that are kept: which is open, a new one, renaming, deleting."""

from contextlib import suppress
from dataclasses import replace
from functools import partial

import streamlit as st

from docqa.present.conversation import Transcript
from docqa.present.export import CONVERSATION, Format
from docqa.types.answer import Conversation
from docqa.ui import questions
from docqa.ui.plain_text import cut, literal
from docqa.ui.state import running, screen, workspace

LISTED = 40
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
        with st.popover(literal(cut(title, limit=48)), type="tertiary", key="conversations"):
            _list(kept, opened)
        st.space("stretch")
        if opened is not None:
            _exports(opened)
        st.button(
            "New",
            icon=":material/edit_square:",
            key="new_conversation",
            type="tertiary",
            help="Start a new conversation",
            disabled=opened is None,
            on_click=open_conversation,
            args=(None,),
        )


def _exports(opened: Conversation) -> None:
    conversations = workspace().conversations

    def saved(form: Format[Transcript]) -> bytes:
        exchanges = questions.pairs(conversations.messages(opened.id))
        return form.write(Transcript(named(opened), exchanges))

    with st.popover("Export", icon=":material/download:", type="tertiary", key="export_talk"):
        for form in CONVERSATION:
            st.download_button(
                form.label,
                partial(saved, form),
                file_name=f"conversation.{form.ending}",
                mime=form.mime,
                key=f"export-talk-{form.ending}",
                on_click="ignore",
                type="tertiary",
            )


def _list(kept: list[Conversation], opened: Conversation | None) -> None:
    if opened is not None:
        _renaming(opened)
    for each in kept[:LISTED]:
        if opened is None or each.id != opened.id:
            st.button(
                literal(cut(named(each), limit=44)),
                key=f"open-{each.id}",
                type="tertiary",
                icon=":material/chat_bubble:",
                on_click=open_conversation,
                args=(each.id,),
            )


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
        st.button("Delete", type="primary", key="delete_talk", on_click=delete, args=(opened.id,))


def named(conversation: Conversation) -> str:
    return conversation.title or UNNAMED


def open_conversation(conversation_id: str | None) -> None:
    """Show another conversation, or an empty one that is kept once something is asked."""
    here = screen()
    here.conversation_id = conversation_id
    here.asking = None
    running().asked.pop(here.desk_id, None)
    here.unsent = None
    here.newest_turn = questions.newest_turn()
    here.notice = ""


def rename(conversation_id: str) -> None:
    """Give the conversation the title that was typed."""
    title = str(st.session_state[f"title-{conversation_id}"]).strip()
    with suppress(KeyError):  # deleted meanwhile, in this tab or another
        if title:
            workspace().conversations.rename(conversation_id, title)


def delete(conversation_id: str) -> None:
    """Delete a conversation and begin an empty one."""
    workspace().conversations.remove(conversation_id)
    here = screen()
    if here.place is not None:  # what it was opened for goes too
        here.place = replace(here.place, question="")
    open_conversation(None)
