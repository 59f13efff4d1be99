"""Documents side by side as a whole: evidence in, comparison out."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from docqa.compare.comparison import check, compare, with_lines
from docqa.compare.gather import Evidence
from docqa.compare.subject import subject_of
from docqa.errors import ComparisonError
from docqa.ingest.tables.make import tables_of
from docqa.settings import Settings
from docqa.types.comparison import Comparison, TermSide
from docqa.types.document import Block
from docqa.types.table import Table
from tests.compare.pages import block, document, hit, numbered, table

A, B, C, D = (document(name) for name in "abcd")

RENT = "The monthly rent is ${},000, due on the first day of each month."
LAW = "This lease is governed by the law of {}."
PETS = "Pets are welcome in every flat, dogs and cats alike."


EMPTY = np.zeros((0, 6), np.float32)


def axis(place: int) -> NDArray[np.float32]:
    return np.asarray(np.eye(6, dtype=np.float32)[place])


def evidence(**texts: Sequence[tuple[str, str, int]]) -> Evidence:
    """Documents by name: (heading, text, the axis its vector points along) for each passage."""
    hits = {
        f"id-{name}": tuple(
            hit(name, place, text, heading=heading, page=place + 1)
            for place, (heading, text, _) in enumerate(passages)
        )
        for name, passages in texts.items()
    }
    vectors = {
        f"id-{name}": np.stack([axis(place) for *_, place in passages])
        for name, passages in texts.items()
    }
    blocks: dict[str, list[Block]] = {
        one: numbered([each for found in own for each in found.chunk.blocks])
        for one, own in hits.items()
    }
    return Evidence(hits, vectors, blocks, tabled(blocks))


def tabled(blocks: Mapping[str, Sequence[Block]]) -> dict[str, tuple[Table, ...]]:
    return {one: tables_of(one, own) for one, own in blocks.items()}


LEASES = evidence(
    a=[("Rent", RENT.format(25), 0), ("Law", LAW.format("Ohio"), 1), ("Pets", PETS, 2)],
    b=[("Law", LAW.format("Iowa"), 1), ("Rent", RENT.format(31), 0)],
    c=[("Rent", RENT.format(28), 0)],
)


def test_papers_that_bind_nobody_and_list_little_are_compared_by_their_sections() -> None:
    said = {
        "a": ("We propose a fixed term of five years.", "Invoices are payable within 30 days."),
        "b": ("The term is three years from May.", "You pay us within 14 days of the invoice."),
    }
    blocks = {
        f"id-{name}": numbered(
            [
                block("Contract term", kind="heading"),
                block(texts[0]),
                block("How you pay", kind="heading"),
                block(texts[1]),
            ]
        )
        for name, texts in said.items()
    }
    bids = Evidence(
        {key: () for key in blocks}, {key: EMPTY for key in blocks}, blocks, tabled(blocks)
    )
    found = compare(
        [A, B],
        "",
        bids,
        settings=Settings(),
        encode=lambda texts: np.stack([axis(int("pay" in text.lower())) for text in texts]),
    )
    assert [row.topic for row in found.terms] == ["Contract term", "How you pay"]
    assert all(side.quote for row in found.terms for side in row.sides)


def test_topics_quoted_from_the_same_places_are_one_line() -> None:
    text = "This agreement shall have a term of five years and shall renew for one more year."
    same = evidence(
        **{
            name: [("Term", text.replace("five", n), 0)]
            for name, n in (("a", "five"), ("b", "six"))
        }
    )
    found = compare([A, B], "", same, settings=Settings())
    assert [row.topic for row in found.terms] == ["Term and renewal"]


def test_the_pairs_that_are_quoted_come_first() -> None:
    for subject, first in (("governing law", "Law"), ("rent", "Rent")):
        found = compare([A, B], f"Compare the {subject}", LEASES, settings=Settings())
        assert found.pairs[0].passages[0].chunk.headings[0] == first


def test_of_a_section_that_is_named_the_changes_are_told() -> None:
    """As of two reports for two years, which are no versions of one text."""
    shared = [
        f"Risk {n}: the price of {each} may fall at any time."
        for n, each in enumerate(("copper", "iron", "lead and of zinc"))
    ]
    risks = ["Cyber attacks may stop our mines.", "Export controls may stop our sales."]
    texts = {
        name: evidence(**{name: [("Our year", f"In year {name} all went well.", 0)]})
        for name in "ab"
    }
    blocks = {
        f"id-{name}": numbered(
            [
                block(f"Report of the year {name}", kind="heading"),
                *(
                    block(f"Sentence {n} of the year {name} which is told of nothing else.")
                    for n in range(30)
                ),
                block("Principal risks", kind="heading"),
                *(block(text) for text in (*shared, risk)),
            ]
        )
        for name, risk in zip("ab", risks, strict=True)
    }
    both = {key: value for each in texts.values() for key, value in each.hits.items()}
    vectors = {key: value for each in texts.values() for key, value in each.vectors.items()}
    found = compare(
        [A, B],
        "Which principal risks were added or dropped?",
        Evidence(both, vectors, blocks, tabled(blocks)),
        settings=Settings(),
    )
    fates = {(each.kind, each.second or each.first) for each in found.changes}
    assert {("gone", risks[0]), ("new", risks[1])} < fates
    assert found.narrowed
    assert not any("Sentence" in text for _, text in fates)


def test_two_leases() -> None:
    found = compare([A, B], "Compare rent and governing law", LEASES, settings=Settings())
    partners = [tuple(each.chunk.headings[0] for each in pair.passages) for pair in found.pairs]
    assert sorted(partners) == [("Law", "Law"), ("Rent", "Rent")]
    assert [each.chunk.text for each in found.only_in[A.id]] == [PETS]
    assert found.only_in[B.id] == ()
    nearest = found.nearest[f"{A.id}:2"]
    assert nearest.passage.document == B
    assert nearest.similarity < 0.6
    assert not nearest.alike
    assert [(row.label, row.difference) for row in found.figures] == [("Monthly rent", "−$6K")]
    assert {row.topic for row in found.terms} == {"Governing law", "Rent"}
    assert found.warnings == ()


def test_swapping_the_documents_swaps_the_pairs() -> None:
    there = compare([A, B], "rent", LEASES, settings=Settings())
    back = compare([B, A], "rent", LEASES, settings=Settings())
    assert {tuple(h.chunk.id for h in pair.passages) for pair in there.pairs} == {
        tuple(h.chunk.id for h in reversed(pair.passages)) for pair in back.pairs
    }
    assert dict(there.only_in) == dict(back.only_in)
    assert there.figures[0].difference == "−$6K"
    assert back.figures[0].difference == "+$6K"


def test_three_documents_cluster_around_the_first() -> None:
    found = compare([A, B, C], "rent and law", LEASES, settings=Settings())
    clusters = [[each.document.name for each in pair.passages] for pair in found.pairs]
    assert sorted(clusters) == [["a.pdf", "b.pdf"], ["a.pdf", "b.pdf", "c.pdf"]]
    assert "[DocC:p1]" in found.text
    header = found.text.splitlines()[0]
    assert header == "| Metric | a | b | c | Difference of the first two |"


def test_documents_with_nothing_in_common() -> None:
    strange = evidence(a=[("Pets", PETS, 0)], b=[("Sums", "Two and two make four.", 1)])
    found = compare([A, B], "overall", strange, settings=Settings())
    assert found.pairs == ()
    assert len(found.only_in[A.id]) == len(found.only_in[B.id]) == 1
    assert "shown alone" in found.warnings[0]


def test_a_document_in_which_nothing_was_found() -> None:
    silent = Evidence(
        {A.id: LEASES.hits[A.id], B.id: ()},
        {A.id: LEASES.vectors[A.id], B.id: np.zeros((0, 6), dtype=np.float32)},
        {A.id: LEASES.blocks[A.id], B.id: []},
        {A.id: (), B.id: ()},
    )
    found = compare([A, B], "rent", silent, settings=Settings())
    assert found.warnings == ("Nothing on this was found in b.pdf.",)
    assert len(found.only_in[A.id]) == 3


@pytest.mark.parametrize(
    ("documents", "said"),
    [([], "second"), ([A], "second"), ([A, A], "twice"), ([A, B, C, D], "At most 3")],
)
def test_what_cannot_be_compared(documents: list[object], said: str) -> None:
    with pytest.raises(ComparisonError, match=said):
        check(documents, limit=3)  # type: ignore[arg-type]


def test_two_or_three_can_be() -> None:
    check([A, B], limit=3)
    check([A, B, C], limit=3)


@pytest.mark.parametrize(
    ("question", "subject"),
    [
        ("Compare a.pdf and b.pdf", False),
        ("Compare the two leases", False),
        ("key figures and terms", False),
        ("", False),
        ("How do these documents differ?", False),
        ("Compare the rent", True),
        ("governing law", True),
        ("What is the cap rate of each?", True),
        ("Compare A with B", False),
        ("Compare the rent of A with that of B", True),
    ],
)
def test_whether_a_question_asks_for_something(question: str, subject: bool) -> None:
    assert bool(subject_of(question, [A, B])) is subject


def test_two_versions_of_a_text_are_a_redline() -> None:
    clauses = [
        "4.1 The tenant pays the rent on the first day of each month without any deduction.",
        "4.2 Either party may end this agreement on sixty (60) days notice in writing.",
        "4.3 The tenant keeps the premises in good repair and returns them so at the end.",
    ]
    later = [clauses[0], clauses[1].replace("sixty (60)", "ninety (90)"), clauses[2]]
    versions = evidence(
        a=[("", text, place) for place, text in enumerate(clauses)],
        b=[("", text, place) for place, text in enumerate(later)],
    )
    found = compare([A, B], "What changed?", versions, settings=Settings())
    assert [change.kind for change in found.changes] == ["unchanged", "changed", "unchanged"]
    assert "2 unchanged, 1 changed" in found.text
    assert "“ninety (90)” (was “sixty (60)”) days notice" in found.text
    assert {"DocA:p2", "DocB:p2"} <= {each.label for each in found.citations}


LEASE = (
    ("1. Rent", "1.1 The tenant pays a rent of £5,000 on the first day of each month in advance."),
    (
        "2. Break",
        "2.1 Either party may end this lease on {} months notice in writing to it.",
    ),
    (
        "3. Pets",
        "3.1 The tenant keeps {} in the premises at any time without any consent.",
    ),
    ("4. Law", "4.1 This lease and all that arises out of it are governed by the law of England."),
)


def drafts(question: str, *stated: TermSide) -> Comparison:
    """Two drafts of a lease, of which the second has another notice and other pets."""
    blocks = {
        own.id: numbered(
            [
                each
                for heading, clause in LEASE
                for each in (
                    block(heading, kind="heading"),
                    block(clause.format(words.get(heading[:1], ""))),
                )
            ]
        )
        for own, words in ((A, {"2": "six", "3": "a cat"}), (B, {"2": "nine", "3": "a dog"}))
    }
    none = Evidence({A.id: (), B.id: ()}, {A.id: EMPTY, B.id: EMPTY}, blocks, tabled(blocks))
    return compare([A, B], question, none, settings=Settings(), stated=lambda named: stated)


def test_nothing_stated_stands_in_for_what_changed() -> None:
    said = [TermSide(own.id, own.name, "Changed.", (block("Changed."),)) for own in (A, B)]
    found = drafts("what has changed between the two drafts?", *said)
    assert (found.terms, found.narrowed) == ((), False)
    assert [c.number for c in found.changes if c.kind == "changed"] == ["2.1", "3.1"]
    assert drafts("What changed materially?", *said).changes == found.changes


def test_of_versions_the_changes_of_the_clauses_named_are_told() -> None:
    quoted = LEASE[2][1].format("a cat")
    said = TermSide(A.id, A.name, quoted, (block(quoted, index=5),))
    found = drafts("Compare the pets clauses", said, TermSide(B.id, B.name))
    assert [c.number for c in found.changes] == ["3", "3.1"]
    assert found.narrowed
    [row] = found.terms
    assert row.sides[1].quote == LEASE[2][1].format("a dog")  # what became of the clause
    assert row.note == "differs"
    assert drafts("Compare the parking").changes == ()


def test_what_is_quoted_differs_where_the_rest_of_its_clause_does() -> None:
    said = [TermSide(own.id, own.name, LEASE[2][0], (block("3. Pets", index=4),)) for own in (A, B)]
    [row] = drafts("Compare the pets clauses", *said).terms
    assert row.note == "differs"
    [row] = drafts("Compare the rent clauses", *[replace(s, blocks=()) for s in said]).terms
    assert row.note == "same wording"


def test_what_changed_elsewhere_is_told_and_makes_no_unchanged_clause_differ() -> None:
    said = [
        TermSide(own.id, own.name, LEASE[0][1], (block(LEASE[0][1], index=1),)) for own in (A, B)
    ]
    found = drafts("Compare the premises", *said)
    assert [(change.kind, change.number) for change in found.changes] == [
        ("unchanged", "1.1"),
        ("changed", "3.1"),
    ]
    assert [row.note for row in found.terms] == ["same wording"]


def test_each_part_of_a_question_is_answered() -> None:
    found = drafts("Compare the governing law and the parking")
    assert [row.topic for row in found.terms] == ["Governing law"]
    assert found.warnings[-1] == "Nothing on parking was found in these documents."


def test_a_document_and_its_copy_have_the_same_text_and_no_more_is_said() -> None:
    copy = replace(LEASES, blocks={**LEASES.blocks, B.id: LEASES.blocks[A.id]})
    found = compare([A, B], "", copy, settings=Settings())
    assert found.text == "The two documents have the same text, paragraph for paragraph."
    assert (found.pairs, found.warnings) == ((), ())


def test_of_three_versions_it_is_said_how_changes_are_shown() -> None:
    every = [A, B, C]
    blocks = {each.id: LEASES.blocks[A.id] for each in every}
    of_three = replace(LEASES, blocks=blocks, tables=tabled(blocks))
    found = compare(every, "What changed?", of_three, settings=Settings())
    assert "compare each with the one before" in found.warnings[-1]


def annual_report(year: int) -> list[Block]:
    """Statements with other figures each year, and wording that stays."""
    last, this = year - 2001, year - 2000
    return numbered(
        [
            block("Consolidated Statements of Income", kind="heading"),
            *table(
                f"(dollars in millions) Years ended December 31, | {year} | {year - 1}",
                f"Net sales | $9{this} | $9{last}",
                f"Operating income | 1{this} | 1{last}",
                f"Income tax expense | ({this}) | ({last})",
                f"Net income | {this} | {last}",
            ),
            block("Consolidated Balance Sheets", kind="heading"),
            *table(
                f"(dollars in millions) December 31, | {year} | {year - 1}",
                f"Cash and cash equivalents | {this} | {last}",
                f"Total assets | 1,{this}0 | 1,{last}0",
                f"Total liabilities | 7{this} | 7{last}",
                f"Total shareholders' equity | 3{this} | 3{last}",
                number=2,
            ),
            block(
                "The company makes and sells fittings for kitchens and bathrooms in many places."
            ),
            block("Its shares are listed on the exchange, and there is one class of them only."),
            block(
                "It owns two plants and leases eleven depots, most of them for ten years or more."
            ),
        ]
    )


def annual_reports(*years: int, question: str = "") -> Comparison:
    """Reports compared, in each of which a passage was found that the other has not."""
    blocks = dict(zip((A.id, B.id), map(annual_report, years), strict=True))
    tables = {one: tables_of(one, own) for one, own in blocks.items()}
    found = evidence(a=[("Pets", PETS, 0)], b=[("Rent", RENT, 1)])
    reports = replace(found, blocks=blocks, tables=tables)
    return compare([A, B], question, reports, settings=Settings())


def test_documents_with_a_row_in_common_are_not_said_to_have_no_subject_in_common() -> None:
    said = "No passages of these documents cover the same subject; each side is shown alone."
    apart = evidence(a=[("Pets", PETS, 0)], b=[("Law", LAW, 1)])
    assert said in compare([A, B], "pets", apart, settings=Settings()).warnings
    reports = annual_reports(2022, 2023)
    assert reports.pairs == ()
    assert said not in reports.warnings


def test_filings_as_a_whole_are_told_by_their_statements_alone() -> None:
    assert not any(annual_reports(2022, 2023).only_in.values())
    assert all(annual_reports(2022, 2023, question="Are pets welcome?").only_in.values())


def test_annual_reports_of_two_years_are_no_versions_of_one_text() -> None:
    assert annual_reports(2022, 2023).changes == ()
    assert [row.label for row in annual_reports(2022, 2023).figures][:1] == ["Revenue"]
    assert annual_reports(2022, 2023, question="Are pets welcome?").changes == ()
    assert annual_reports(2023, 2023).changes  # as an amended filing for one year is


def test_a_line_of_a_statement_is_not_set_beside_a_sentence_of_another_filing() -> None:
    prose = [block("Marketing fees were $44 million in 2023.")]
    own = annual_report(2023)
    line = table("(dollars in millions) Years ended December 31, | 2022", "Marketing fees | 31")
    other = numbered([*own[:1], *line, *annual_report(2022)])
    blocks = {A.id: numbered([*own, *prose]), B.id: other}
    given = Evidence({A.id: (), B.id: ()}, {A.id: EMPTY, B.id: EMPTY}, blocks, tabled(blocks))
    assert compare([A, B], "marketing fees", given, settings=Settings()).figures == ()


def test_two_leases_are_no_versions() -> None:
    other = "Rent is payable by the lessee at four quarterly dates and in advance."
    leases = evidence(a=[("Rent", RENT.format(25), 0)], b=[("Rent", other, 0)])
    found = compare([A, B], "rent", leases, settings=Settings())
    assert found.changes == ()
    assert "versions" not in found.text


def test_a_topic_is_asked_for_though_a_file_is_named_after_it() -> None:
    first, second = document("Hosting_Agreement_A"), document("Hosting_Agreement_B")
    dated = "This Agreement is made and entered into on May {}, 2020 by the parties."
    both = Evidence(
        {first.id: (), second.id: ()},
        {one: np.zeros((0, 6), dtype=np.float32) for one in (first.id, second.id)},
        {first.id: [block(dated.format(1))], second.id: [block(dated.format(2))]},
        {first.id: (), second.id: ()},
    )
    found = compare([first, second], "Compare Agreement Date", both, settings=Settings())
    assert [term.topic for term in found.terms] == ["Agreement date"]


# Pieces of what documents are made of, in any order: nothing of it may stop a comparison.
SCRAPS = """$;1,200;(5;%);2024;Q3;three months ended;June 31, 2022;rent;is;|;of;
shall terminate;sixty (60) days;notice;£;1.2M;:;–;§ 4.2;[DocA:p1];Total;net sales;in millions;
12/31/20;\u00a0;ﬁ;٣;²;"""
scraps = st.sampled_from(SCRAPS.split(";"))
sentences = st.lists(scraps, max_size=12).map(" ".join)


@settings(deadline=None)  # a busy machine is no fault
@given(
    sides=st.lists(st.lists(sentences, max_size=5), min_size=2, max_size=3),
    in_table=st.booleans(),
    question=sentences,
)
def test_whatever_was_read_can_be_compared(
    sides: list[list[str]], in_table: bool, question: str
) -> None:
    documents = [A, B, C][: len(sides)]
    read = {
        own.id: numbered(
            table("a | 2023 | 2024", *texts) if in_table else [block(text) for text in texts]
        )
        for own, texts in zip(documents, sides, strict=True)
    }
    none = {own.id: () for own in documents}
    empty = {own.id: np.zeros((0, 6), dtype=np.float32) for own in documents}
    known = Evidence(none, empty, read, tabled(read))
    found = compare(documents, question, known, settings=Settings())
    again = compare(documents, question, known, settings=Settings())
    assert found == again
    assert all(f"[{each.label}]" in found.text for each in found.citations)


def test_a_passage_lent_by_the_whole_document_has_partners_but_never_stands_alone() -> None:
    lent = frozenset(each.chunk.id for each in LEASES.hits[B.id])
    found = compare([A, B], "rent", replace(LEASES, partners=lent), settings=Settings())
    assert len(found.pairs) == 2
    assert found.only_in[B.id] == ()
    only_pets = replace(LEASES, hits={**LEASES.hits, A.id: LEASES.hits[A.id][2:]}, partners=lent)
    vectors = {**LEASES.vectors, A.id: LEASES.vectors[A.id][2:]}
    alone = compare([A, B], "pets", replace(only_pets, vectors=vectors), settings=Settings())
    assert alone.pairs == ()
    assert alone.only_in[B.id] == ()
    both = lent | {each.chunk.id for each in LEASES.hits[A.id]}
    assert compare([A, B], "rent", replace(LEASES, partners=both), settings=Settings()).pairs == ()


def test_pages_without_text_are_said() -> None:
    found = compare([A, B], "rent", replace(LEASES, unread={B.id: 2}), settings=Settings())
    [said] = [warning for warning in found.warnings if "readable text" in warning]
    assert said.startswith(f"2 of {B.page_count} pages of {B.name} have no readable text")


def test_a_long_document_against_a_page_is_said() -> None:
    long, short = replace(A, page_count=300), replace(B, page_count=1)
    found = compare([long, short], "rent", LEASES, settings=Settings())
    assert found.warnings[0].startswith(f"{A.name} has 300 pages, {B.name} 1 page:")
    assert found.pairs
    assert not compare([A, B], "rent", LEASES, settings=Settings()).warnings


def test_documents_with_nothing_in_common_stand_alone_and_it_is_said() -> None:
    apart = evidence(a=[("Rent", RENT.format(25), 0)], b=[("Pets", PETS, 2)])
    found = compare([A, B], "anything", apart, settings=Settings())
    assert found.pairs == ()
    assert {one: len(own) for one, own in found.only_in.items()} == {A.id: 1, B.id: 1}
    assert any("cover the same subject" in warning for warning in found.warnings)


def test_lines_are_left_out_and_chosen_again() -> None:
    whole = compare([A, B], "rent", LEASES, settings=Settings())
    assert len(whole.lines) > 1
    kept, *_ = whole.lines
    some = with_lines(whole, [kept])
    assert some.lines == (kept,)
    assert some.whole == whole
    assert all(line not in some.text.split(" |")[0] for line in whole.lines[1:])
    assert with_lines(some, whole.lines) == whole
    assert with_lines(with_lines(some, ()), [kept]) == some


def test_a_document_without_tables_is_compared_by_its_sentences() -> None:
    rows = numbered(table("Item | Alder", "Monthly rent | $25,000", "Area | 900 sq ft"))
    prose = [block("The monthly rent is $31,500, due on the first day.")]
    given = evidence(a=[("Rent", RENT.format(25), 0)], b=[("Rent", RENT.format(31), 0)])
    given = replace(
        given,
        blocks={A.id: rows, B.id: prose},
        tables={A.id: tables_of(A.id, rows), B.id: ()},
    )
    found = compare([A, B], "monthly rent", given, settings=Settings())
    [row] = [each for each in found.figures if each.label == "Monthly rent"]
    assert row.difference == "−$6.5K"
