"""Headings, running headers and notes, told by the whole document."""

from docqa.ingest.geometry.layout import Arranged, Page, arrange
from docqa.ingest.geometry.roles import classify
from docqa.ingest.geometry.words import Word
from docqa.types.document import BlockKind
from tests.ingest.drawn import page, words

LOREM = "the tenant shall keep the premises in good repair at all times and at its own cost"


def body(top: float, *, lines: int = 6, size: float = 10.0) -> list[Word]:
    return [word for at in range(lines) for word in words(LOREM, 72, top + 12 * at, size=size)]


def classified(*pages: Page) -> list[list[tuple[BlockKind, int, str]]]:
    arranged = [Arranged.of(one, arrange(one)) for one in pages]
    return [
        [(region.kind, region.level, region.text) for region in one.regions]
        for one in classify(arranged)
    ]


def kinds(*pages: Page) -> dict[str, BlockKind]:
    return {text: kind for one in classified(*pages) for kind, _, text in one}


def test_larger_and_bold_lines_are_headings_and_the_larger_ranks_higher() -> None:
    (regions,) = classified(
        page(
            words("Annual Review", 72, 100, size=18),
            body(140),
            words("Rents and yields", 72, 240, bold=True),
            body(260),
            words("Market outlook", 72, 360, size=14),
            body(390),
            words("Interest and costs", 72, 500, size=14),
            body(530),
        )
    )
    levels = {text: level for kind, level, text in regions if kind == "heading"}
    assert list(levels) == [
        "Annual Review",
        "Rents and yields",
        "Market outlook",
        "Interest and costs",
    ]
    assert levels["Market outlook"] == levels["Interest and costs"] < levels["Rents and yields"]


def test_a_bold_sentence_is_no_heading() -> None:
    drawn = page(body(100), words("The tenant pays the rent.", 72, 200, bold=True), body(230))
    assert kinds(drawn)["The tenant pays the rent."] == "text"


def test_bold_is_no_sign_where_all_is_bold() -> None:
    drawn = [word for at in range(8) for word in words(LOREM, 72, 100 + 12 * at, bold=True)]
    drawn += words("Plain words of the lease", 72, 230, bold=True)
    assert kinds(page(drawn))["Plain words of the lease"] == "text"


def test_clause_titles_in_capitals_are_headings() -> None:
    drawn = page(body(100), words("3. DELIVERY OF SOFTWARE.", 72, 200), body(230))
    assert kinds(drawn)["3. DELIVERY OF SOFTWARE."] == "heading"


def test_of_a_covers_lines_only_the_largest_is_a_heading() -> None:
    cover = [
        words("HARBOUR DISTRICT", 200, 100, size=20),
        words("Offering Memorandum", 200, 150, bold=True),
        words("Private and Confidential", 200, 190, bold=True),
        words("Prepared by the Agents", 200, 230, bold=True),
        words("March of the Year", 200, 270, bold=True),
    ]
    found = kinds(page(*cover), page(body(100, lines=12), number=2))
    assert [text for text, kind in found.items() if kind == "heading"] == [
        "HARBOUR DISTRICT",
        "March of the Year",
    ]


def test_what_repeats_at_the_edge_is_running_text() -> None:
    pages = [
        page(
            words("Lease of Unit 4", 72, 30),
            body(100),
            words(f"Page {number}", 280, 760),
            number=number,
        )
        for number in range(1, 5)
    ]
    for found in classified(*pages):
        assert [kind for kind, _, _ in found] == ["header", "text", "footer"]


def test_a_sentence_that_is_all_a_page_has_is_no_running_text() -> None:
    pages = [
        page(
            words(f"The rent of unit {number} is ${number + 900} a month.", 72, 60),
            words(f"Page {number}", 280, 760),
            number=number,
        )
        for number in range(1, 5)
    ]
    for found in classified(*pages):
        assert [kind for kind, _, _ in found] == ["text", "footer"]


def test_a_number_alone_after_the_text_is_a_page_number() -> None:
    drawn = page(body(100), words("48", 300, 400))
    assert kinds(drawn)["48"] == "footer"


def test_units_at_the_top_are_not_running_text() -> None:
    pages = [
        page(words("(in millions)", 72, 60), body(100), number=number) for number in range(1, 6)
    ]
    assert kinds(*pages)["(in millions)"] == "caption"


def test_a_title_that_returns_elsewhere_on_its_pages_is_not_running_text() -> None:
    pages = [
        page(words("Exceptions", 72, 90 + 30 * number), body(150 + 30 * number), number=number)
        for number in range(1, 6)
    ]
    assert kinds(*pages)["Exceptions"] == "text"


def test_titles_at_the_top_of_distant_pages_are_not_running_text() -> None:
    pages = [
        page(words("Overview" if number % 20 == 1 else f"Part {number}", 72, 60), body(100),
             number=number)
        for number in range(1, 62)
    ]  # fmt: skip
    assert kinds(*pages)["Overview"] == "text"


def test_unaudited_over_text_on_every_page_is_running_text() -> None:
    pages = [page(words("(Unaudited)", 72, 60), body(100), number=number) for number in range(1, 6)]
    assert kinds(*pages)["(Unaudited)"] == "header"


def test_a_typewritten_contract_is_text_and_not_code() -> None:
    typed = [word for at in range(6) for word in words(LOREM, 72, 100 + 12 * at)]
    typed = [Word(word.text, word.box, font="Courier", mono=True) for word in typed]
    assert set(kinds(page(typed)).values()) == {"text"}
    assert "code" in kinds(page(typed[:30], body(300, lines=20))).values()


def test_small_print_low_on_the_page_is_a_footnote() -> None:
    drawn = page(body(100, lines=20), words("1 See the schedule of rents here", 72, 700, size=7))
    assert kinds(drawn)["1 See the schedule of rents here"] == "footnote"


def test_a_numbered_title_over_its_text_is_a_heading_and_an_entry_is_not() -> None:
    drawn = page(
        words("3.2 Right of Renewal", 72, 100),
        body(130),
        words("1. Parking Space", 72, 240),
        words("2. Storage Room", 72, 260),
        words("3. Garden Shed", 72, 280),
    )
    found = kinds(drawn)
    assert found["3.2 Right of Renewal"] == "heading"
    assert found["1. Parking Space"] == found["2. Storage Room"] == "list"
