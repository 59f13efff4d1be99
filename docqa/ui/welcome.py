"""What stands where a conversation will be: what to do first, or questions to try."""

import re
from collections.abc import Sequence

import streamlit as st

from docqa import installation
from docqa.types.document import Document, spoken_name
from docqa.ui import compare, questions, suggest
from docqa.ui.buttons import button
from docqa.ui.plain_text import literal
from docqa.ui.state import running, screen, workspace

SHOWN = 4
LOOKED_AT = 3  # documents questions are suggested from, those added last
# "Lease between …", "Quarterly report (Form 10-Q) of …": what a description begins with.
_KIND = re.compile(r"([A-Z][a-z]+(?: [a-z]+){0,3})(?: \([^)]*\))? (?:between|of|dated|for) ")


def show(documents: Sequence[Document]) -> None:
    """First words: how to begin, or sample questions over the documents there are."""
    with st.container(key="welcome"):
        if documents:
            left_out = screen().left_out
            _questions([each for each in documents if each.id not in left_out] or documents)
        else:
            _first_steps()


def _first_steps() -> None:
    st.header("Ask your documents", anchor=False)
    st.markdown(
        "Add documents on the left, or open the samples. Ask in your own words; every answer shows "
        "the pages it rests on, and each quote is checked against its page."
    )
    offer_samples()
    st.caption(
        "Everything stays on this machine. If you use Claude, your question and the passages "
        "found for it go to the model you chose."
    )


def offer_samples() -> None:
    """The button that opens the samples."""
    button(
        "Open the samples",
        "open_samples",
        open_samples,
        icon="folder_open",
        type="primary",
        disabled=running().adding.running,
    )


def open_samples() -> None:
    running().adding.add_paths(installation.sample_paths())


def _questions(documents: Sequence[Document]) -> None:
    st.header("What would you like to know?", anchor=False)
    with st.container(key="samples", gap="xsmall"):
        for number, question in enumerate(suggestions(documents)):
            button(
                literal(question), f"sample-{number}", questions.ask, question, icon="arrow_forward"
            )


def suggestions(documents: Sequence[Document]) -> list[str]:
    """Questions to try: those of the samples that are there, else from what documents hold."""
    names = {document.name for document in documents}
    samples = installation.QUESTIONS
    prepared = [each.question for each in samples if each.pages and names >= set(each.pages)]
    if prepared and names <= {name for each in samples for name in each.pages}:
        return prepared[:: max(1, len(prepared) // SHOWN)][:SHOWN]
    latest = list(documents)[-LOOKED_AT:]
    alone = len(documents) == 1
    found = [_suggested(each.id, _called(each, alone=alone), each.title) for each in latest]
    two = [spoken_name(each.name) for each in compare.two_alike(documents)]
    compared = [f"Compare {' and '.join(two)}"] if two else []
    return [*suggest.varied(found, limit=SHOWN - len(compared)), *compared] or [
        f"What is {spoken_name(documents[0].name)} about?"
    ]


def _called(document: Document, *, alone: bool) -> str:
    """What a document is called in a question: its kind ("the lease") where it is the only one."""
    kind = _KIND.match(document.description)
    if not alone:
        return spoken_name(document.name)
    return f"the {kind[1][0].lower()}{kind[1][1:]}" if kind else ""


@st.cache_data(max_entries=64, show_spinner=False)
def _suggested(document_id: str, name: str, title: str) -> list[str]:
    blocks = workspace().contents.blocks(document_id)
    return suggest.questions(blocks, name=name, title=title, limit=SHOWN)
