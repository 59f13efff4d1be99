"""The page that compares two or three documents on a question."""

import re
from collections.abc import Sequence
from functools import partial
from itertools import zip_longest

import streamlit as st

from docqa.present.document import now
from docqa.present.evidence import of_comparison
from docqa.present.export import COMPARISON
from docqa.present.sources import Record, printed_pages
from docqa.settings import Settings, adjust
from docqa.types.answer import Answer
from docqa.types.comparison import Comparison
from docqa.types.document import Document, spoken_name
from docqa.types.phrases import series
from docqa.ui import answer_view, comparison_view, launch, preview, saving, viewer
from docqa.ui.asking import Asking
from docqa.ui.buttons import button
from docqa.ui.error_boundary import attempt
from docqa.ui.plain_text import literal, show_error, show_note
from docqa.ui.state import Screen, Unsent, running, screen, workspace
from docqa.ui.watching import watched

LOOK_AGAIN = 0.3  # seconds between looks at a comparison under way
LETTERS = "ABC"
SAME = "Choose two different documents. A single document can be asked about under Ask."


@viewer.beside
def page() -> None:
    """The page: pickers and question, then the comparison."""
    # By name: files added together come into the library in no order.
    documents = sorted(workspace().documents(), key=lambda document: document.name.lower())
    with st.container(key="comparison"):
        if len(documents) < 2:
            st.header("Compare documents", anchor=False)
            st.markdown("A comparison needs two or three documents. Add them on the left first.")
            return
        _form(documents)
        comparing = screen().comparing
        busy = comparing is not None and comparing.busy  # before it is settled
        settle()
        finished, unsent = screen().comparison, screen().uncompared
        if unsent is not None:
            preview.show(unsent, send=send, cancel=unsend, instead="Compare without a model")
        elif comparing := screen().comparing:
            draw = partial(_progress, comparing)
            watched(draw, lambda: comparing.busy, every=LOOK_AGAIN, before=busy)
        elif finished is not None:
            show(finished)


def _form(documents: list[Document]) -> None:
    names = {document.id: document.name for document in documents}
    shown = screen().comparison
    if shown and "compared_on" not in st.session_state:
        own = [each.id for each in shown.documents if each.id in names]
        _pick(own, shown.question, shown.period)
    if "document_A" not in st.session_state:
        _pick([each.id for each in two_alike(documents)], "")
    with st.form("compare", border=False):
        columns = st.columns(3)
        chosen = [
            column.selectbox(
                f"Document {letter}" + (" (optional)" if letter == "C" else ""),
                list(names),
                index=None,
                format_func=names.__getitem__,
                key=f"document_{letter}",
                placeholder="None",
            )
            for letter, column in zip(LETTERS, columns, strict=True)
        ]
        on, of = st.columns([3, 1])
        question = on.text_input(
            "Compare them on",
            key="compared_on",
            placeholder="Rent, term and break clause; leave empty for everything",
        )
        of.text_input("Period", key="period", placeholder="The latest; 2023, Q2 2024")
        if st.form_submit_button("Compare", type="primary", key="compare_now"):
            begin([each for each in chosen if each], question)
            st.rerun()
    if screen().compare_notice:
        show_note(screen().compare_notice)


def two_alike(documents: Sequence[Document]) -> Sequence[Document]:
    """Two documents of one kind, as two leases; of only two, both; () where no two are alike."""
    reviews = workspace().reviews
    found = reviews.two_alike(documents)
    kinds = [reviews.suggested([each]) for each in found]
    alike = len(kinds) == 2 and kinds[0] is not None and kinds[0] == kinds[1]
    return found if alike or len(documents) == 2 else ()


def _pick(document_ids: Sequence[str], question: str, period: str = "") -> None:
    """Fill the form, before it is drawn, with what a comparison is of."""
    for letter, document_id in zip_longest(LETTERS, document_ids):
        st.session_state[f"document_{letter}"] = document_id
    st.session_state["compared_on"], st.session_state["period"] = question, period


def begin(document_ids: list[str], question: str) -> None:
    """Begin to compare two or three different documents, or show first what would be sent."""
    here = screen()
    unique = tuple(dict.fromkeys(document_ids))
    here.compare_notice, here.uncompared = "" if len(unique) >= 2 else SAME, None
    if here.compare_notice:
        return
    if here.look_first and here.would_use_model(here.settings):
        here.compare_notice = attempt(lambda: look_at(unique, question))
    else:
        _start(unique, question, here.settings)


def look_at(document_ids: Sequence[str], question: str) -> None:
    """Keep what would be sent for a comparison. Raises as `Preview.outgoing`."""
    here = screen()
    outgoing = workspace().preview.outgoing(
        question, api_key=here.api_key or None, settings=here.settings, sides=document_ids
    )
    here.uncompared = Unsent(question, here.settings, outgoing, tuple(document_ids))


def send(unsent: Unsent, answerer: str | None) -> None:
    """Compare what was looked at, with the settings of then, or by another answerer."""
    settings = adjust(unsent.settings, answerer=answerer or unsent.settings.answering.answerer)
    unsend()
    _start(unsent.sides or (), unsent.question, settings)


def unsend() -> None:
    screen().uncompared = None


def _start(document_ids: tuple[str, ...], question: str, settings: Settings) -> None:
    start = partial(
        workspace().comparisons.make,
        document_ids,
        question,
        answerer=settings.answering.answerer,
        api_key=screen().api_key or None,
        settings=settings,
        period=st.session_state.get("period", "").strip(),
    )
    comparing = screen().comparing = Asking(question, start)
    running().compared[screen().desk_id] = comparing
    comparing.start()


def actions(answer: Answer) -> list[tuple[str, str]]:
    """What a turn of the conversation offers beside its own, where it is a comparison."""
    return [("sides", "Open side by side")] if _compared_in(answer) else []


def _compared_in(answer: Answer) -> tuple[str, ...]:
    """The documents of an answer that is a comparison, in order; () for any other."""
    letters = {
        citation.label.split(":")[0]: citation.document_id
        for citation in answer.citations
        if re.match(r"Doc[A-Z]:", citation.label)
    }
    return tuple(letters[letter] for letter in sorted(letters))


def reopen(question: str, answer: Answer) -> None:
    """Turn to the comparison that an answer of the conversation gave, made anew if need be."""
    here = screen()
    here.going = "compare"
    _pick(_compared_in(answer), question)
    kept = here.comparison and (here.comparison.whole or here.comparison)
    if kept is None or kept.text != answer.text:
        here.comparison = None
        begin(list(_compared_in(answer)), question)


def _progress(comparing: Asking) -> None:
    answer_view.show_turn(answer_view.turn_under_way(comparing), key="comparison-under-way")
    if comparing.running:
        button("Stop", "stop_comparing", comparing.stop, icon="stop")
    elif comparing.stopped:
        st.caption("Stopping…" if comparing.ending else "Stopped; nothing was kept.")
    elif comparing.error:
        show_error(comparing.error)


def settle() -> None:
    """Keep a comparison that has ended; one that failed stays where it is, with its sentence."""
    comparing = screen().comparing
    if comparing and not comparing.running and isinstance(comparing.result, Comparison):
        screen().comparison = comparing.result
        screen().comparing = None


def show(comparison: Comparison) -> None:
    """A finished comparison: the words first, then figures, pairs, and what only one has."""
    with st.container(horizontal=True, vertical_alignment="center", key="comparison_head"):
        asked = comparison.question
        title = asked[:1].upper() + asked[1:] or "Everything"
        st.markdown(f"**{literal(title)}**", width="stretch")
        _lines(comparison)
        saving.exports(
            _file_title(comparison),
            lambda: record_of(comparison),
            COMPARISON,
            of_comparison,
            key="exports",
        )
    answer_view.show_turn(
        answer_view.turn_of_comparison(comparison, shown=summary_of(comparison)),
        key="comparison-text",
        on_open=lambda what, n: open_citation(screen(), comparison, what, n),
    )
    comparison_view.show_sides(
        comparison,
        on_open=lambda what, n, m: open_side(screen(), comparison, what, n, m),
    )


def _lines(comparison: Comparison) -> None:
    """Where a person chooses the lines that are compared; the choice is kept with them."""
    every = (comparison.whole or comparison).lines
    if not every:
        return
    left_out = len(every) - len(comparison.lines)
    label = f"Lines ({left_out} left out)" if left_out else "Lines"
    st.session_state["chosen_lines"] = list(comparison.lines)
    with st.popover(label, icon=":material/checklist:", type="tertiary", key="lines"):
        st.multiselect("Lines compared", every, key="chosen_lines", on_change=_choose)


def _choose() -> None:
    """Keep the lines chosen with the comparison, also for when the page is opened again."""
    here = screen()
    if here.comparison is not None:
        here.comparison = workspace().comparisons.with_lines(
            here.comparison, st.session_state["chosen_lines"]
        )
        if ended := running().compared.get(here.desk_id):
            ended.result = here.comparison


def summary_of(comparison: Comparison) -> str:
    """The words shown above the sides: a model's all, else those that the sides do not repeat."""
    quoted = comparison.answerer == "extractive"
    return (quoted and comparison.summary) or comparison.text


def _file_title(comparison: Comparison) -> str:
    names = series([spoken_name(each.name) for each in comparison.documents])
    return f"{names}, {comparison.question}" if comparison.question else names


def record_of(comparison: Comparison) -> Record:
    """What is written to a file, with the printed page numbers, the date and the settings."""
    pages = printed_pages(comparison.documents, workspace().contents.health)
    return Record(comparison, pages, now(), screen().settings, launch.address())


def open_citation(here: Screen, comparison: Comparison, what: str, n: int) -> None:
    if what == "cite":
        citation = comparison.citations[n]
        here.open(citation.document_id, citation.page, citation.blocks)


def open_side(here: Screen, comparison: Comparison, what: str, n: int, m: int) -> None:
    document_id, blocks = comparison_view.opened(comparison, what, n, m)
    nearest = comparison.terms[n].sides[m].nearest_page if what == "term" else 0
    if blocks or nearest:
        here.open(document_id, blocks[0].page if blocks else nearest, blocks)
