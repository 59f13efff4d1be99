"""A figure in its parts: every row of the group that has them, of the year asked for."""

import pytest

from docqa.answer.check.verify import verify_answer
from docqa.answer.findings.breakdown import broken_down
from tests.answer.findings.judged import source_of
from tests.answer.findings.test_worked import with_statements
from tests.answer.passages import asked, block, hit, row, with_tables

BY_SEGMENT = hit(
    block("Capital expenditures by asset and by segment (in millions)", 4, "caption"),
    row("", "Year ended May 31, 2023", "Year ended May 31, 2022", page=4, header=True),
    row("Aircraft", "$1,684", "$2,273", page=4),
    row("Vehicles", "719", "717", page=4),
    row("Total capital expenditures", "$2,403", "$2,990", page=4),
    row("Express segment", "$1,800", "$2,300", page=4),
    row("Ground segment", "603", "690", page=4),
    row("Total", "$2,403", "$2,990", page=4),
)


def told(question: str) -> str:
    (passage,) = with_tables([BY_SEGMENT])
    source = source_of(passage)
    listing = broken_down(asked(question), source)
    assert bool(listing) == bool(source.gathered.evidence)
    return listing


def test_the_parts_that_are_asked_for_are_all_told_with_their_figures() -> None:
    given = told("What were capital expenditures by segment in fiscal 2023?")
    assert [line.partition(" (in")[0] for line in given.splitlines()[1:]] == [
        "- Express segment: $1,800",
        "- Ground segment: 603",
    ]
    of_assets = told("Capital expenditures by asset in 2022")
    assert "Aircraft: $2,273" in of_assets
    assert "Vehicles: 717" in of_assets


@pytest.mark.parametrize(
    "question",
    [
        "What were capital expenditures by segment in 2019?",
        "What were revenues by segment in 2023?",
        "What were capital expenditures by year?",
        "What were capital expenditures in 2023?",
        "What rights are held by the landlord?",
    ],
)
def test_what_no_table_has_so_is_not_broken_down(question: str) -> None:
    assert told(question) == ""


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("Which segment had the highest capital expenditures in 2023?", "Express segment: $1,800"),
        (
            "Which segment had the lowest capital expenditures?",
            "Ground segment: 2023 603; 2022 690",
        ),
        ("Which asset had the largest capital expenditures in 2022?", "Aircraft: $2,273"),
    ],
)
def test_the_part_with_the_most_of_a_figure_is_told_alone(question: str, part: str) -> None:
    title, line = told(question).splitlines()
    assert title.endswith("– 1 of 2:")
    assert line.removeprefix("- ").partition(" (in")[0] == part


def test_what_is_called_as_a_figure_is_no_part() -> None:
    assert told("Which aircraft had the highest revenue?") == ""


BY_MEASURE = hit(
    block("2. Segment information", 7, "heading"),
    block("£ thousands", 7, "caption"),
    row("", "Revenue 2024", "Revenue 2023", "Operating profit 2024", "Operating profit 2023",
        page=7, header=True),
    row("Propulsion", "124,315", "113,860", "16,410", "14,225", page=7),
    row("Aftermarket", "86,540", "74,618", "24,877", "19,012", page=7),
    row("Central costs", "-", "-", "(2,228)", "(2,016)", page=7),
    row("Group", "210,855", "188,478", "39,059", "31,221", page=7),
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        ("Which segment had the highest operating profit in 2024?", ["Aftermarket: 24,877"]),
        ("Which segment brought in the most revenue in 2023?", ["Propulsion: 113,860"]),
        ("revenue by segment 2024", ["Propulsion: 124,315", "Aftermarket: 86,540"]),
    ],
)
def test_a_measure_may_stand_over_columns_and_what_the_parts_make_is_none(
    question: str, lines: list[str]
) -> None:
    (passage,) = with_tables([BY_MEASURE])
    listing = broken_down(asked(question), source_of(passage))
    title, *told = listing.splitlines()
    assert "Segment information" in title
    assert [line.removeprefix("- ").partition(" (in")[0] for line in told] == lines


BY_REGION = hit(
    block("Net sales by reportable segment (in millions)", 4, "caption"),
    row("", "Quarter ended June 30, 2023", "Quarter ended June 30, 2022", "Change", page=4,
        header=True),
    row("Americas", "$35,000", "$37,000", "(5)%", page=4),
    row("Europe", "20,000", "19,000", "5%", page=4),
    row("Japan", "5,000", "4,500", "11%", page=4),
    row("Rest of the world", "600", "800", "(25)%", page=4),
    row("Total net sales", "$60,600", "$61,300", "(1)%", page=4),
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "told"),
    [
        (
            "Which segment grew the most?",
            "Europe, 2023: 20,000, up 1,000 or 5.26% (2022: 19,000)",
        ),
        (
            "Which segment has grown fastest?",
            "Japan, 2023: 5,000, up 500 or 11.11% (2022: 4,500)",
        ),
        (
            "Which segment's sales fell the most?",
            "Americas, 2023: $35,000, down 2,000 or 5.41% (2022: $37,000)",
        ),
        ("Which segment declined the fastest in 2023?", "Rest of the world, 2023: 600, down 200"),
        ("Which segment grew the most in 2022?", ""),
    ],
)
def test_the_part_that_moved_most_is_told_with_both_its_figures(question: str, told: str) -> None:
    (passage,) = with_tables([BY_REGION])
    listing = broken_down(asked(question), source_of(passage))
    given = listing.replace("Quarter ended June 30, ", "")
    assert (told in given) if told else not given
    checked = verify_answer(with_statements(question, BY_REGION)).checks
    assert not [each for each in checked if each.result == "not supported"]


INCOME = hit(
    block("Consolidated Statements of Income (in millions)", 3, "caption"),
    row("", "Year ended June 30, 2023", "Year ended June 30, 2022", page=3, header=True),
    row("Net sales", "$62,000", "$61,500", page=3),
    row("Cost of sales", "40,000", "39,000", page=3),
    row("Operating income", "12,000", "12,500", page=3),
    row("Net income", "9,000", "9,400", page=3),
    index=1,
)
OF_YEARS = hit(
    block("Net sales by reportable segment (in millions)", 4, "caption"),
    row("", "Year ended June 30, 2023", "Year ended June 30, 2022", page=4, header=True),
    row("Americas", "$35,000", "$37,000", page=4),
    row("Europe", "26,400", "24,000", page=4),
    row("Total net sales", "$61,400", "$61,000", page=4),
    index=2,
)
SERVICES = hit(
    block("Net sales of services by segment (in millions)", 5, "caption"),
    row("", "Year ended June 30, 2023", "Year ended June 30, 2022", page=5, header=True),
    row("Americas", "$1,100", "$1,300", page=5),
    row("Europe", "600", "500", page=5),
    row("Total", "$1,700", "$1,800", page=5),
    index=3,
)


@pytest.mark.parametrize("question", ["revenue by segment", "What were net sales by segment?"])
def test_the_parts_of_a_line_are_those_that_make_it_and_it_is_not_told_in_their_place(
    question: str,
) -> None:
    given = with_statements(question, INCOME, SERVICES, OF_YEARS)
    assert "Americas: 2023 $35,000; 2022 $37,000" in given.text.replace("Year ended June 30, ", "")
    assert "1,100" not in given.text
    without = with_statements(question, INCOME, SERVICES)
    assert without.likely
    assert without.text.startswith("No passage states this outright.")


def test_a_line_that_is_asked_for_whole_is_told() -> None:
    given = with_statements("What were net sales in 2023?", INCOME, SERVICES, OF_YEARS)
    assert not given.likely
    assert "$62,000" in given.text.splitlines()[0]
