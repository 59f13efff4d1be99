"""What is shown, saved as a file: in every format there is, and as an evidence pack."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import streamlit as st
from streamlit.runtime.scriptrunner import (
    ScriptRunContext,
    add_script_run_ctx,
    get_script_run_ctx,
)

from docqa.present.document import Part
from docqa.present.evidence import Pack, evidence
from docqa.present.export import EVIDENCE, Format, Saved, file_name
from docqa.ui.state import workspace


def exports(
    title: str,
    saved: Callable[[], Saved],
    formats: Sequence[Format[Saved]],
    packed: Callable[[Saved], Pack],
    *,
    key: str,
    kind: str = "",
) -> None:
    """The list of the files, each made when it is asked for; ``kind`` tells its buttons apart."""
    with st.popover("Export", icon=":material/download:", type="tertiary", key=key):
        _buttons(title, saved, formats, key=f"export{kind}")
        _buttons(
            f"Evidence, {title}",
            lambda: evidence_of(packed(saved())),
            EVIDENCE,
            key=f"evidence{kind}",
        )


def _buttons(
    title: str, saved: Callable[[], Saved], formats: Sequence[Format[Saved]], *, key: str
) -> None:
    for form in formats:
        st.download_button(
            form.label,
            partial(_written, form, saved, get_script_run_ctx()),
            file_name=file_name(title, form.ending),
            mime=form.mime,
            key=f"{key}-{form.ending}",
            on_click="ignore",
            type="tertiary",
        )


def _written(
    form: Format[Saved], saved: Callable[[], Saved], session: ScriptRunContext | None
) -> bytes:
    """The file, made in a thread that has the session: the one that asks for it has none."""
    with ThreadPoolExecutor(1, initializer=add_script_run_ctx, initargs=(None, session)) as one:
        return one.submit(lambda: form.write(saved())).result()


def evidence_of(pack: Pack) -> list[Part]:
    """The pack with a picture of every place that it cites."""
    return evidence(pack, workspace().contents.page_cutout)
