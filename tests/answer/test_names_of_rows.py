"""Rows of tables as an answer names them: notes' marks, what a table is of, its own scale."""

from docqa.answer.check.verify import verify_answer
from docqa.answer.evidence import citations_in
from docqa.answer.findings.asked import ask_of
from docqa.answer.findings.candidates import candidates
from docqa.answer.findings.judge import judge
from docqa.answer.findings.quotes import quotes_of
from docqa.answer.findings.quoting import write
from docqa.answer.findings.ranking import likeliest_first
from docqa.types.answer import Answer, Evidence
from docqa.types.document import Block, Box, Cell, Chunk, Document
from docqa.types.search import Hit
from tests.answer.findings.judged import means
from tests.answer.passages import asked, with_tables

REPORT = Document(id="r", name="Report.pdf", page_count=9)
HERE = Box(72, 72, 300, 90)


def line(text: str, *, heading: bool = False) -> Block:
    return Block(text, 1, HERE, kind="heading" if heading else "text")


def rows(*texts: str, number: int = 1) -> list[Block]:
    """Rows written as ``a | b``, the first of them the head; an empty place has no cell."""
    return [
        Block(
            text, 1, HERE, kind="table", table=number, column_header=place == 0,
            cells=tuple(Cell(t.strip(), at) for at, t in enumerate(text.split("|")) if t.strip()),
        )
        for place, text in enumerate(texts)
    ]  # fmt: skip


def evidence(*passages: list[Block]) -> tuple[Evidence, ...]:
    hits = [
        Hit(Chunk(f"r:{n}", "r", n, tuple(blocks)), REPORT) for n, blocks in enumerate(passages, 1)
    ]
    return tuple(Evidence(f"S{n}", each) for n, each in enumerate(with_tables(hits), 1))


def best(question: str, *passages: list[Block], quotes: int = 1) -> Answer:
    """The answer made of the ``quotes`` that fit best, checked."""
    pieces = evidence(*passages)
    found = [quote for piece in pieces for quote in quotes_of(piece)]
    judged = judge(asked(question), candidates(pieces), means().networks)
    ask = ask_of(asked(question), found)
    text = write(likeliest_first(found, judged, ask)[:quotes], ask)
    return verify_answer(Answer(text, "extractive", citations_in(text, pieces), pieces))


def test_a_notes_mark_in_a_label_or_over_a_column_is_no_figure_to_be_doubted() -> None:
    debt = rows(
        "($ in millions) | June 30, 2023 | June 30, 2022 Restated (3)",
        "Commercial paper (1) | 2,445 | 2,310",
    )
    told = best("How much commercial paper was there at June 30, 2022?", debt)
    assert told.text.startswith("Commercial paper, June 30, 2022 Restated (3): 2,310")
    assert ([c.verified for c in told.citations], told.warnings) == (["verified"], ())


def test_a_figure_beside_a_label_is_still_checked() -> None:
    debt = rows("($ in millions) | 2022", "Commercial paper (1) | 2,310")
    pieces = evidence(debt)
    said = "Commercial paper (1), 2022: 2,410 ($ in millions) [S1.2]"
    wrong = verify_answer(Answer(said, "x", citations_in(said, pieces), pieces))
    assert [c.verified for c in wrong.citations] == ["not found"]
    assert [c.text for c in wrong.checks if c.result == "not supported"] == ["2,410"]


def test_a_row_that_names_only_its_year_is_told_with_what_its_table_is_of() -> None:
    passage = [
        line("Estimated annual amortization expense is as follows:"),
        *rows("Years | (dollars in millions)", "2024 | 2,256", "2025 | 2,059"),
    ]
    told = best("What is the estimated amortization expense for 2025?", passage)
    assert told.text.startswith("Estimated annual amortization expense is as follows › 2025: 2,059")
    assert [c.verified for c in told.citations] == ["verified"]


def test_rows_of_one_name_are_told_apart_by_their_tables() -> None:
    flexibles = [line("Flexibles", heading=True), *rows("| 2023", "Net sales | $11,154")]
    rigid = [line("Rigid Packaging", heading=True), *rows("| 2023", "Net sales | $3,540", number=2)]
    told = best("What were net sales in 2023?", flexibles, rigid, quotes=2)
    assert "Flexibles › Net sales, 2023: $11,154" in told.text
    assert "Rigid Packaging › Net sales, 2023: $3,540" in told.text


def test_a_label_that_names_its_own_scale_is_not_given_the_tables() -> None:
    table = rows("(Millions) | 2022", "Total segment assets (billions) | $20.0")
    told = best("What were total segment assets in 2022?", table)
    assert told.text == "Total segment assets (billions), 2022: $20.0 [S1.2]"


def test_rows_that_only_name_columns_are_not_quoted() -> None:
    table = rows("Verizon | |", "Years Ended December 31, | 2022 | 2021", "Revenue | 136 | 133")
    said = [quote.text for piece in evidence(table) for quote in quotes_of(piece)]
    assert said == ["Revenue | 136 | 133"]


def test_what_is_asked_of_a_day_is_a_figure_and_less_is_no_part_of_its_name() -> None:
    def wants_figure(question: str) -> bool:
        return ask_of(asked(question), []).figure

    assert wants_figure("accumulated depreciation at December 31, 2021")
    assert wants_figure("What was goodwill in 2022?")
    assert not wants_figure("Why was goodwill impaired in 2022?")
    table = rows(
        "| 2022 | 2021",
        "Less accumulated depreciation | 200,255 | 190,201",
        "Depreciation | 12 | 11",
    )
    told = best("accumulated depreciation at December 31, 2021", table)
    assert told.text.startswith("Less accumulated depreciation, 2021: 190,201")


def test_diluted_earnings_per_share_are_read_under_their_line() -> None:
    table = rows(
        "(MILLIONS, EXCEPT PER COMMON SHARE DATA) | 2021 | 2020",
        "Net income attributable to Acme shareholders | $21,979 | $9,159",
        "Earnings per common share, basic:",
        "Net income attributable to Acme shareholders | $3.92 | $1.65",
        "Earnings per common share, diluted:",
        "Income from continuing operations | $3.93 | $1.18",
        "Net income attributable to Acme shareholders | $3.85 | $1.63",
    )
    told = best("What was diluted EPS in 2021?", table)
    assert told.text.startswith(
        "Earnings per common share, diluted › Net income attributable to Acme shareholders, "
        "2021: $3.85 ["
    )
    assert [c.verified for c in told.citations] == ["verified"]
    assert "$21,979" in best("What was Acme's net income in 2021?", table).text


def test_a_paid_dividend_is_found_by_what_was_paid() -> None:
    table = rows("(in millions) | 2022", "Dividends declared | 860", "Dividends paid | 805")
    assert "805" in best("What dividends did Acme pay in 2022?", table).text
