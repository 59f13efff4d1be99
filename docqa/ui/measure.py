"""The page that measures search and answers on questions whose right pages are known."""

import json
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import streamlit as st

from docqa import installation
from docqa.types.evaluation import (
    AnswerEvaluation,
    Evaluation,
    Figures,
    GoldQuestion,
    Judged,
    JudgedAnswer,
)
from docqa.types.phrases import count, dollars
from docqa.ui import judgements
from docqa.ui.buttons import button
from docqa.ui.error_boundary import reported
from docqa.ui.plain_text import literal, show_error
from docqa.ui.state import running, screen, workspace
from docqa.ui.watching import watched

Measured = Evaluation | AnswerEvaluation

LOOK_AGAIN = 0.5  # seconds between looks at a measurement under way
JUDGED = "Pages judged right"
SEARCH, ANSWERS = "Search", "Answers"
WHAT = {
    SEARCH: "How often a search finds the page that answers.",
    ANSWERS: "How well answers hold up: each question is answered, and each citation and figure of "
    "the answer checked.",
}
SCOPES = {"document": "Within the document", "library": "In the whole library"}
FORM = '{"document": "Lease.pdf", "question": "What is the deposit?", "pages": [3]}'


@reported
def page() -> None:
    """The page: which questions, then how well their pages were found."""
    with st.container(key="measure"):
        st.header("Measure", anchor=False)
        _what()
        _own()
        _file()
        _results()


def _what() -> None:
    chosen = st.segmented_control(
        "What is measured",
        list(WHAT),
        default=SEARCH,
        required=True,
        key="measure_what",
        label_visibility="collapsed",
    )
    st.markdown(WHAT[chosen])
    if chosen == ANSWERS:
        st.caption(f"Answered by {literal(_answerer())}")


def _answerer() -> str:
    """Who answers, and what that costs."""
    now = screen()
    if not now.would_use_model(now.settings):
        return "docqa, with quotes only."
    model = now.settings.answering.model
    if not installation.destination(now.settings):
        return f"{model}, on this machine."
    return f"{model}; what it costs counts toward the daily budget."


def _measure() -> Callable[..., Measured]:
    """What is measured, with what is set on this screen."""
    now = screen()
    if st.session_state.get("measure_what") == ANSWERS:
        return partial(
            workspace().evaluations.answers, api_key=now.api_key or None, settings=now.settings
        )
    return partial(workspace().evaluations.searches, settings=now.settings)


def _own() -> None:
    cases = judgements.cases()
    if not cases:
        st.caption("No page has been judged right in the reader yet.")
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        told = f"{count(len(cases), 'question')} from pages judged right"
        st.text(told, width="stretch")
        st.download_button(
            "Save as a file",
            "\n".join(json.dumps(each, ensure_ascii=False) for each in cases),
            file_name="questions.jsonl",
            mime="application/jsonl",
            key="save_cases",
            on_click="ignore",
        )
        button(
            "Measure them",
            "measure_cases",
            measure_cases,
            type="primary",
            disabled=running().measuring.running,
        )


def measure_cases() -> None:
    asked = [
        GoldQuestion(each["question"], {each["document"]: tuple(each["pages"])})
        for each in judgements.cases()
    ]
    _begin(JUDGED, asked)


def _file() -> None:
    given = st.file_uploader(
        "A file with a question per line (JSON Lines)",
        type=["jsonl", "json"],
        key="questions_file",
    )
    st.caption(f"Each line: {literal(FORM)}")
    if given is not None:
        button(
            "Measure the file",
            "measure_file",
            measure_file,
            given.name,
            given.getvalue(),
            disabled=running().measuring.running,
        )


def measure_file(name: str, content: bytes) -> None:
    _begin(name, content)


def _begin(name: str, asked: Sequence[GoldQuestion] | bytes) -> None:
    """Ask these questions, or those of a JSON Lines file's bytes."""
    chore, measure = running().measuring, _measure()

    def work() -> Measured:
        with tempfile.TemporaryDirectory() as folder:
            questions: Sequence[GoldQuestion] | bytes | Path = asked
            if isinstance(questions, bytes):
                file = Path(folder) / Path(name).name
                file.write_bytes(questions)
                questions = file
            return measure(questions, progress=chore.follow, cancelled=lambda: chore.cancelled)

    chore.start(name, work)


def _results() -> None:
    chore = running().measuring
    busy = chore.running
    watched(_progress, lambda: chore.running, every=LOOK_AGAIN, before=busy)
    if not busy and chore.result is not None:
        show(chore.result)


def _progress() -> None:
    chore = running().measuring
    if chore.running:
        share = chore.done / chore.total if chore.total else 0.0
        st.progress(share, text=f"{chore.done:,} of {chore.total:,}")
        button("Stop", "stop_measuring", chore.cancel)
    elif chore.error:
        show_error(chore.error)


def show(found: Measured) -> None:
    """The figures with how many questions each rests on, then every question."""
    st.subheader(f"Result: {running().measuring.name}", anchor=False)
    if isinstance(found, Evaluation):
        rows, questions = [_row(each) for each in found.figures], list(map(_question, found.judged))
    else:
        st.caption(literal(_told(found)))
        rows, questions = _answer_rows(found), list(map(_answered, found.judged))
    st.table(rows)
    st.caption("Brackets hold 95% Wilson intervals; n is the number counted.")
    for told in found.skipped:
        st.caption(literal(told))
    st.dataframe(questions, hide_index=True, alt="Results by question")


def _told(found: AnswerEvaluation) -> str:
    who = "docqa, with quotes only" if found.answerer == "extractive" else found.answerer
    cost = f", {dollars(found.cost_usd)}" if found.cost_usd is not None else ""
    return f"Answered by {who}; {found.median_seconds:.1f} s at the median{cost}."


def _answer_rows(found: AnswerEvaluation) -> list[dict[str, str]]:
    rates = {
        "Citations that hold": found.held,
        "Figures, dates and quotations supported": found.supported,
        "Answers that cite a right page": found.right_pages,
        "Answerable questions answered": found.answered,
        "Unanswerable questions declined": found.abstained,
    }
    return [{"Measured": name, "Share": str(rate)} for name, rate in rates.items() if rate.n]


def _answered(judged: JudgedAnswer) -> dict[str, object]:
    return {
        "Question": judged.asked.question,
        "Answer": judged.text,
        "Citations hold": f"{judged.held.hits} of {judged.held.n}",
        "Figures supported": f"{judged.supported.hits} of {judged.supported.n}",
        "Right page": "yes" if judged.right_page else "no",
        "Declined": "yes" if judged.abstained else "no",
        "Seconds": round(judged.seconds, 1),
    }


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
