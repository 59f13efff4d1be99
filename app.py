"""The screen of docqa: ``streamlit run app.py``."""

import streamlit as st

from docqa.ui import chat, compare, frame, library, measure

st.set_page_config(page_title="docqa", page_icon=frame.ICON, layout="wide")
pages = [
    st.Page(chat.page, title="Ask", icon=":material/forum:", url_path="ask", default=True),
    st.Page(compare.page, title="Compare", icon=":material/compare:", url_path="compare"),
    st.Page(library.page, title="Library", icon=":material/library_books:", url_path="library"),
    st.Page(measure.page, title="Measure", icon=":material/straighten:", url_path="measure"),
]
frame.draw(st.navigation(pages, position="top").run, pages)
