"""The page that measures search on the person's own questions: a file's, or pages judged right."""

import json

import streamlit as st

from docqa.types.evaluation import Evaluation, Figures, GoldQuestion, Judged
from docqa.types.phrases import count
from docqa.ui import judgements
from docqa.ui.error_boundary import reported
from docqa.ui.plain_text import literal, show_error
from docqa.ui.state import running, screen

LOOK_AGAIN = 0.5  # seconds between looks at a measurement under way
JUDGED = "Pages judged right"
SCOPES = {"document": "Within the document", "library": "In the whole library"}
FORM = '{"document": "Lease.pdf", "question": "What is the deposit?", "pages": [3]}'


@reported
def page() -> None:
    """The page: which questions, then how well their pages were found."""
    with st.container(key="measure"):
        st.header("Measure", anchor=False)
        st.markdown(
            "How often does a search find the page that answers? Questions come from the pages you "
            "judged right in the reader, or from a file."
        )
        _own()
        _file()
        _results()


def _own() -> None:
    cases = judgements.cases()
    with st.container(horizontal=True, vertical_alignment="center"):
        told = f"{count(len(cases), 'question')} from pages judged right"
        st.text(told, width="stretch")
        st.download_button(
            "Save as a file",
            "\n".join(json.dumps(each, ensure_ascii=False) for each in cases),
            file_name="questions.jsonl",
            mime="application/jsonl",
            key="save_cases",
            disabled=not cases,
            on_click="ignore",
        )
        st.button(
            "Measure them",
            type="primary",
            key="measure_cases",
            disabled=not cases or running().measuring.chore.running,
            on_click=measure_cases,
        )


def measure_cases() -> None:
    """Measure on the questions whose right pages were judged."""
    asked = [
        GoldQuestion(each["question"], {each["document"]: tuple(each["pages"])})
        for each in judgements.cases()
    ]
    running().measuring.begin(JUDGED, asked, settings=screen().settings)


def _file() -> None:
    given = st.file_uploader(
        "A file with a question per line (JSON Lines)",
        type=["jsonl", "json"],
        key="questions_file",
    )
    st.caption(f"Each line: {literal(FORM)}")
    if given is not None:
        st.button(
            "Measure the file",
            key="measure_file",
            disabled=running().measuring.chore.running,
            on_click=running().measuring.begin,
            args=(given.name, given.getvalue()),
            kwargs={"settings": screen().settings},
        )


def _results() -> None:
    busy = running().measuring.chore.running
    st.fragment(_progress, run_every=LOOK_AGAIN if busy else None)(busy)
    if not busy and running().measuring.result is not None:
        show(running().measuring.result)


@reported
def _progress(was_busy: bool) -> None:
    measuring = running().measuring
    chore = measuring.chore
    if was_busy and not chore.running:
        st.rerun()
    if chore.running:
        share = chore.done / chore.total if chore.total else 0.0
        st.progress(share, text=f"{chore.done:,} of {chore.total:,} searches")
        st.button("Stop", key="stop_measuring", on_click=measuring.cancel)
    elif chore.error:
        show_error(chore.error)


def show(found: Evaluation | None) -> None:
    """The figures with how many questions each rests on, then every question."""
    if found is None:
        return
    st.subheader(f"Result: {running().measuring.chore.name}", anchor=False)
    st.table([_row(each) for each in found.figures])
    st.caption("Brackets hold 95 % Wilson intervals; n is the number of questions.")
    for told in found.skipped:
        st.caption(literal(told))
    st.dataframe(
        [_question(each) for each in found.judged], hide_index=True, alt="Results by question"
    )


def _row(figures: Figures) -> dict[str, str]:
    hits = {f"hit@{depth}": str(rate) for depth, rate in figures.hit_at.items()}
    return {"Searched": SCOPES[figures.scope], **hits, "MRR": f"{figures.mrr:.3f}"}


def _question(judged: Judged) -> dict[str, object]:
    sources = judged.asked.sources.items()
    right = "; ".join(f"{name} p. {', '.join(map(str, pages))}" for name, pages in sources)
    first = judged.pages[0] if judged.pages else None
    return {
        "Question": judged.asked.question,
        "Searched": SCOPES[judged.scope],
        "Rank": judged.rank or None,
        "Right": right,
        "Found first": f"{first[0]} p. {first[1]}" if first else "nothing",
    }
