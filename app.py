"""The screen of docqa: ``streamlit run app.py``."""

import streamlit as st

from docqa.ui import chat, frame

st.set_page_config(page_title="docqa", page_icon=frame.ICON, layout="wide")
pages = [
    st.Page(chat.page, title="Ask", icon=":material/forum:", url_path="ask", default=True),
]
frame.draw(st.navigation(pages, position="top").run)
