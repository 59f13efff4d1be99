"""What a browser tab has open, kept in the library so that a reload or a restart finds it again.

Each tab has an id, which stands in its address; two tabs have two desks and do not fight. A tab
that is new begins with what was kept last. Keys are never kept.
"""

import json
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import astuple
from typing import Any

import streamlit as st

from docqa.settings import DEFAULTS, Settings, adjust, by_name
from docqa.types.document import Block, Box
from docqa.ui import questions
from docqa.ui.state import Marked, Place, Screen, running, screen, workspace

PARAMETER = "desk"
_ID = re.compile(r"[0-9a-f]{12}")


def restore() -> None:
    """Lay out, once in a session, what this tab had open."""
    here = screen()
    if not here.desk_id:
        named = st.query_params.get(PARAMETER, "")
        here.desk_id = named if _ID.fullmatch(named) else secrets.token_hex(6)
        here.desk_kept = workspace().conversations.session(here.desk_id)
        lay_out(here, here.desk_kept)
        here.asking = running().asked.get(here.desk_id)
        here.comparing = running().compared.get(here.desk_id)
    if st.query_params.get(PARAMETER) != here.desk_id:
        st.query_params[PARAMETER] = here.desk_id


def keep() -> None:
    """Keep what is open now, where that has changed."""
    here = screen()
    written = written_out(here)
    if here.desk_id and written != here.desk_kept:
        workspace().conversations.keep_session(here.desk_id, written)
        here.desk_kept = written


def written_out(here: Screen) -> str:
    """A session as text: conversation, selection, settings and the reader's place."""
    default = by_name(DEFAULTS)
    changed = {k: v for k, v in by_name(here.settings).items() if v != default[k]}
    desk = {
        "conversation": here.conversation_id,
        "left_out": sorted(here.left_out),
        "settings": changed,
        "keys": here.keys,
        "look_first": here.look_first,
        "place": _place(here.place) if here.place else None,
    }
    return json.dumps(desk, ensure_ascii=False)


def _place(place: Place) -> dict[str, object]:
    return {
        "document": place.document_id,
        "page": place.page,
        "question": place.question,
        "beside": place.beside,
        "marked": [[each.number, [_spot(b) for b in each.blocks]] for each in place.marked],
    }


def _spot(block: Block) -> list[float]:
    """Where a block stands, without its text: a desk outlives documents that are removed."""
    return [block.index, block.page, *astuple(block.box)]


def lay_out(here: Screen, text: str) -> None:
    """Take up a session from its text; what is no longer in the library is left out."""
    desk: Mapping[str, Any] = json.loads(text) if text else {}
    known = {each.id for each in workspace().documents()}
    if desk.get("conversation") in {each.id for each in workspace().conversations.all()}:
        here.conversation_id = desk["conversation"]
        here.newest_turn = questions.newest_turn()
    here.left_out = known & set(desk.get("left_out", ()))
    here.settings = _settings(desk.get("settings", {}))
    here.keys = bool(desk.get("keys", True))
    here.look_first = bool(desk.get("look_first"))
    place = desk.get("place")
    if place and place["document"] in known:
        here.place = _placed(place)


def _settings(changed: Mapping[str, Any]) -> Settings:
    known = by_name(DEFAULTS)
    kept = {k: v for k, v in changed.items() if k in known}
    return adjust(DEFAULTS, **kept | {"redact": tuple(kept.get("redact", ()))})


def _placed(place: Mapping[str, Any]) -> Place:
    blocks = {each.index: each for each in workspace().contents.blocks(place["document"])}
    marked = tuple(
        Marked(tuple(_block(spot, blocks) for spot in spots if isinstance(spot, list)), number)
        for number, spots in place["marked"]
    )
    beside = place.get("beside", "")  # which earlier versions did not keep
    return Place(place["document"], place["page"], marked, place["question"], beside=beside)


def _block(spot: Sequence[float], blocks: Mapping[int, Block]) -> Block:
    """The block that stands there; the place alone where the document was read again since."""
    index, page, *edges = spot
    there = blocks.get(int(index))
    if there is not None and (there.page, list(astuple(there.box))) == (page, edges):
        return there
    return Block("", int(page), Box(*edges), index=int(index))
