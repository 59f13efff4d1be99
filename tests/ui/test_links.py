"""Links into the app: what they open, what they mark, and what is said where it is gone."""

from dataclasses import replace
from urllib.parse import parse_qsl, urlsplit

from streamlit.testing.v1 import AppTest

from docqa.present.links import Target
from docqa.types.document import Block, Box
from docqa.ui import links
from docqa.ui.state import workspace
from tests.ui.conftest import TERMS, components, named, screen, shown


def followed(app: AppTest, **parameters: str) -> AppTest:
    for name, value in parameters.items():
        app.query_params[name] = value
    return app.run()


def test_a_copied_link_opens_the_page_with_its_marks(app: AppTest) -> None:
    document = named(TERMS)
    cited = tuple(workspace().contents.blocks(document.id, 2))
    screen(app).open(document.id, 2, cited)
    app.run()
    [made] = components(app, "link")
    screen(app).place = None
    followed(app, **dict(parse_qsl(urlsplit(made["link"]).query)))
    place = screen(app).place
    assert place is not None
    assert (place.document_id, place.page, place.blocks) == (document.id, 2, cited)
    assert "document" not in app.query_params
    [page] = components(app, "page")
    assert [mark["kind"] for mark in page["marks"]] == ["opened"] * len(cited)


def test_a_link_may_name_the_file_and_quote_it(app: AppTest) -> None:
    followed(app, document=TERMS, page="2", quote="VACANCY in the  district")
    place = screen(app).place
    assert place is not None
    assert [block.text[:7] for block in place.blocks] == ["Vacancy"]


def test_a_link_to_what_is_no_longer_there_says_so(app: AppTest) -> None:
    followed(app, document="0" * 64, page="2")
    assert "no longer in the library" in shown(app)
    followed(app, document=TERMS, page="9")
    assert links.NO_PAGE in shown(app)
    followed(app, document=TERMS, page="2", quote="the vacancy rose")
    assert links.NO_MARK in shown(app)
    screen(app).open(named(TERMS).id, 1)
    assert links.NO_MARK not in shown(app.run())


LINE = Block("The tenant pays the rent", 1, Box(0.0, 0.0, 10.0, 10.0), index=0)
NEXT = replace(LINE, text="and the service charge.", index=1)
LAST = replace(LINE, text="The rent is reviewed.", index=2)


def test_a_quote_is_marked_on_every_block_it_runs_over() -> None:
    page = (LINE, NEXT, LAST)
    assert links.quoted("the rent and the", page) == (LINE, NEXT)
    assert links.quoted("reviewed", page) == (LAST,)
    assert links.quoted("rent is raised", page) == links.quoted(" ", page) == ()


def test_boxes_stay_where_the_page_was_read_again_since() -> None:
    wanted = Target("a", 1, boxes=((0, 0, 10, 10), (5, 5, 20, 20)))
    known, moved = links.marked_by(wanted, (LINE,))
    assert known is LINE
    assert (moved.text, moved.page, moved.box) == ("", 1, Box(5.0, 5.0, 20.0, 20.0))
