"""What the screen remembers: one typed object for each browser session, one library for all."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import streamlit as st

from docqa.settings import DEFAULTS, Key, Settings, adjust, api_key, library_folder
from docqa.types.comparison import Comparison
from docqa.types.costs import CellsEstimate, Outgoing
from docqa.types.document import Block, Document
from docqa.types.evaluation import AnswerEvaluation, Evaluation
from docqa.types.model import ModelServer
from docqa.types.question import Choice
from docqa.types.review import TableAnswer
from docqa.types.search import Explanation
from docqa.ui import launch
from docqa.ui.adding import Adding
from docqa.ui.asking import Asking
from docqa.ui.background import Chore
from docqa.workspace import Withdrawn, Workspace

Dialog = Literal["", "again", "details", "keys", "prices", "rename"]
NO_DIALOG: tuple[Dialog, str] = ("", "")
WARM_AFTER = 1.5  # seconds that are left to the browser to draw the first page


@dataclass(frozen=True, slots=True)
class Marked:
    """Blocks marked in the reader; ``number`` is that on the citation's pill, 0 without one."""

    blocks: tuple[Block, ...]
    number: int = 0


@dataclass(frozen=True, slots=True)
class Place:
    """What the reader shows: a page, and what is marked on it and its neighbours.

    The first of ``marked`` is what was opened, the others are the same answer's. ``question`` is
    what the page was opened for, and ``beside`` the page of the app it was opened on. ``visit``
    differs for each time something is opened, so that the marks flash again.
    """

    document_id: str
    page: int
    marked: tuple[Marked, ...] = ()
    question: str = ""
    visit: int = 0
    beside: str = ""

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks of what was opened."""
        return self.marked[0].blocks if self.marked else ()


@dataclass(frozen=True, slots=True)
class Sought:
    """What is looked for in the document that is open, and where it stands, in order.

    Each place is a block and which of the block's own places it is, counted from 0.
    """

    phrase: str
    document_id: str
    found: tuple[tuple[Block, int], ...] = ()
    at: int = 0  # index of the one that is looked at

    @property
    def current(self) -> tuple[Block, int] | None:
        return self.found[self.at] if self.found else None


@dataclass(frozen=True, slots=True)
class Undecided:
    """A question that compares documents, and those among which the person is to choose."""

    question: str
    choice: Choice
    answerer: str | None = None
    settings: Settings | None = None


@dataclass(frozen=True, slots=True)
class Unsent:
    """A question that waits for a yes: what would be sent, and with which settings it then is.

    ``sides`` are the documents it compares where that is settled, () for none.
    """

    question: str
    settings: Settings
    outgoing: Outgoing
    sides: tuple[str, ...] | None = None


@dataclass(slots=True)
class Screen:
    """One browser session. The key is held here alone and goes nowhere but to the model."""

    settings: Settings = DEFAULTS
    api_key: Key = field(default=Key(""))
    left_out: set[str] = field(default_factory=set)  # documents not to be asked
    keys: bool = True  # whether keys without Ctrl do something
    look_first: bool = False  # show what would be sent to a model before it is
    unsent: Unsent | None = None  # what is being looked at before it is sent
    conversation_id: str | None = None
    asking: Asking | None = None
    undecided: Undecided | None = None
    page: str = ""  # the page that is shown
    going: str = ""  # the page that is turned to at the next run
    comparison: Comparison | None = None
    comparing: Asking | None = None
    uncompared: Unsent | None = None  # a comparison that is looked at before it is sent
    place: Place | None = None
    seeking: bool = False  # whether the reader's search is open
    sought: Sought | None = None
    link_notice: str = ""  # what of a link that was followed is not there
    dialog: tuple[Dialog, str] = NO_DIALOG  # that is open, and what it is about
    explanation: Explanation | None = None  # why something was not found
    why_question: str = ""
    why_trouble: str = ""
    connecting: int = 0  # how many times the key was asked for
    chosen: str = ""  # the document that the Library is to show
    desk_id: str = ""  # under which this tab is found after a reload
    desk_kept: str = ""  # what was kept of it last
    visits: int = 0
    uploads: int = 0  # how many times the uploader was emptied
    folders: bool = False  # whether folders are chosen instead of files
    shown_turns: int = 12
    newest_turn: str = ""  # the turn that is scrolled to once
    notice: str = ""  # why a question was not asked
    draft: str = ""  # a question that is put back into its field
    trouble: str = ""  # why a document was not deleted
    restored: tuple[str, str] = ("", "")  # the passage taken in last: its document's id, its text
    compare_notice: str = ""  # why nothing was compared
    review_id: str = ""  # the review that is open
    review_cell: tuple[str, str] = ("", "")  # the cell that is looked at: document's, column's id
    review_notice: str = ""  # why something was not done to it
    review_price: CellsEstimate | None = None  # of what a model is about to be asked
    review_places: tuple[tuple[str, str], ...] = ()  # the cells it is of; () for all empty ones
    review_answer: TableAnswer | None = None  # to the question that was asked of its table
    new_review: bool = False  # whether a new one is being made
    review_form: dict[str, Any] = field(default_factory=dict)  # what was entered for it, by field

    def open(
        self,
        document_id: str,
        page: int,
        blocks: tuple[Block, ...] = (),
        *,
        number: int = 0,
        others: Sequence[Marked] = (),
        question: str = "",
        beside: str | None = None,
    ) -> None:
        """Show a page in the reader, the blocks marked on it, and the ``others`` less so.

        It stands ``beside`` the page of the app that is shown, where none is named.
        """
        if self.place is None or self.place.document_id != document_id:
            self.seeking, self.sought = False, None
        self.visits += 1
        self.link_notice = ""
        first = (Marked(blocks, number),) if blocks else ()
        marked = (*first, *others)
        at = self.page if beside is None else beside
        self.place = Place(document_id, page, marked, question, self.visits, at)

    def turn_to(self, page: int) -> None:
        """Another page of the document that is open; its marks stay."""
        if self.place is not None:
            self.place = replace(self.place, page=page)

    def change(self, **values: object) -> None:
        """Other values of these settings for this session."""
        self.settings = adjust(self.settings, **values)

    def would_use_model(self, settings: Settings) -> bool:
        """Whether a question with these settings would be sent to a language model."""
        server = settings.server
        reachable = bool(self.api_key or api_key() or server.base_url or server.model_file)
        return settings.answering.answerer == "claude" or (
            settings.answering.answerer == "auto" and reachable
        )

    def asked(self, documents: list[Document]) -> tuple[str, ...]:
        """The documents a question goes to; empty where it goes to all of them."""
        chosen = tuple(each.id for each in documents if each.id not in self.left_out)
        return () if len(chosen) == len(documents) else chosen


def screen() -> Screen:
    """This session's memory."""
    if "screen" not in st.session_state:
        st.session_state["screen"] = Screen()
    found: Screen = st.session_state["screen"]
    return found


def open_dialog(name: Dialog, about: str = "") -> None:
    """Show a dialog, which stays while files arrive and the page is drawn anew."""
    screen().dialog = (name, about)


def close_dialog() -> None:
    screen().dialog = NO_DIALOG


@dataclass(slots=True)
class Running:
    """What all sessions of this process share: the library and its background work."""

    workspace: Workspace
    adding: Adding
    fetching: Chore[object] = field(default_factory=Chore)
    reindexing: Chore[object] = field(default_factory=Chore)
    measuring: Chore[Evaluation | AnswerEvaluation] = field(default_factory=Chore)
    looking: Chore[tuple[ModelServer, ...]] = field(default_factory=Chore)
    asked: dict[str, Asking] = field(default_factory=dict)  # by desk: what a reload finds again
    compared: dict[str, Asking] = field(default_factory=dict)  # likewise
    removed: list[Withdrawn] = field(default_factory=list)  # the last deleted, to be put back
    warming: threading.Timer | None = None

    def warm(self) -> None:
        """Begin to load the models once the first page is drawn, once in the process's life."""
        if self.warming is None:
            self.warming = threading.Timer(WARM_AFTER, self.workspace.warming.start)
            self.warming.daemon = True
            self.warming.start()

    def close(self) -> None:
        if self.warming is not None:
            self.warming.cancel()
        self.adding.cancel()
        self.workspace.close()


@st.cache_resource(show_spinner=False, on_release=lambda running: running.close())
def _running(folder: str) -> Running:
    workspace = Workspace(library_folder(folder), address=launch.address())
    return Running(workspace, Adding(workspace.add, workspace.additions.keep_upload))


def running() -> Running:
    """The library and its background work. Raises `LibraryError`."""
    return _running(str(library_folder()))


def workspace() -> Workspace:
    """The library. Raises `LibraryError`."""
    return running().workspace
