"""The checker against labelled claims, and against what each kind of right and wrong figure is."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docqa.answer.check.links import link_periods
from docqa.answer.check.quotation import nearest_wording, quotation_spans, stands_in, wording
from docqa.answer.check.statements import statements_of
from docqa.answer.check.verify import verify_answer
from docqa.answer.evidence import MARKER, citations_in
from docqa.language.amounts import stated_amounts
from docqa.present.citations import summary_of
from docqa.types.answer import Answer, Check, Evidence
from docqa.types.search import Coverage
from tests.answer.passages import block, document, evidence_of, hit, row
from tests.answer.verify_cases import CASES, EVIDENCE, LEASE_A, Case

# Whether a statement names the right thing is judged where another row, column or document has
# that name; not where none has ("late fee" for a rent), nor what is no figure, date or quotation.
JUDGED = ("digit", "period", "unit", "computed", "scale", "swapped")


def checked(text: str, evidence: tuple[Evidence, ...] = EVIDENCE, question: str = "") -> Answer:
    written = Answer(text, "m", citations_in(text, evidence), evidence)
    return verify_answer(written, question=question)


def unsupported(text: str, evidence: tuple[Evidence, ...] = EVIDENCE) -> list[Check]:
    return [each for each in checked(text, evidence).checks if each.result == "not supported"]


def results(text: str, evidence: tuple[Evidence, ...] = EVIDENCE) -> dict[str, str]:
    return {each.text: each.result for each in checked(text, evidence).checks}


# The labelled table


def test_true_claims_raise_no_alarm_and_false_figures_are_told() -> None:
    told: Counter[str] = Counter()
    alarms = [case.text for case in CASES if case.true and unsupported(case.text)]
    for case in CASES:
        if not case.true and case.kind in JUDGED:
            told[case.kind] += bool(unsupported(case.text))
    wrong = Counter(case.kind for case in CASES if not case.true and case.kind in JUDGED)
    print(dict(told), "of", dict(wrong))
    assert len(CASES) >= 200
    assert len(alarms) <= 1
    assert sum(told.values()) / sum(wrong.values()) >= 0.95


def test_what_stands_elsewhere_is_cited_there() -> None:
    for case in CASES:
        if case.kind == "elsewhere":
            answer = checked(case.text)
            found = [each for each in answer.checks if each.result == "elsewhere"]
            assert found, case.text
            assert all(c.text in answer.text[c.start : c.end + 2] for c in found)


def test_a_citation_is_set_right() -> None:
    answer = checked("The security deposit is $50,000 [S3.2]. The rent is $25,000 [S3.2].")
    assert answer.text == "The security deposit is $50,000 [S3.3]. The rent is $25,000 [S3.2]."
    assert [each.label for each in answer.citations] == ["S3.3", "S3.2"]
    assert [each.verified for each in answer.citations] == ["verified", "verified"]


def test_an_answer_that_is_a_figure_alone_needs_no_citation() -> None:
    assert results("$50,000.") == {"$50,000": "elsewhere"}
    assert results("It is $50,001.") == {"$50,001": "not supported"}
    assert summary_of(checked("$50,000.")) == (
        "The answer cites nothing. Its figures and quotes stand in the passages."
    )


def test_what_is_computed_is_not_called_word_for_word_from_the_page() -> None:
    figure = Check("figure", "150", 0, 3, "computed", sum="14,694 − 14,544 = 150")
    quoted = Answer("150", "extractive", checks=(figure,))
    assert summary_of(quoted) == "Word for word from the page; one is computed."


@pytest.mark.parametrize("case", [case for case in CASES if case.true], ids=lambda case: case.kind)
def test_another_digit_is_told(case: Case) -> None:
    """Each last digit of each figure of each true claim, made another."""
    before = {check.text for check in unsupported(case.text)}
    markers = [match.span() for match in MARKER.finditer(case.text)]
    for check in checked(case.text).checks:
        digits = [n for n in range(check.start, check.end) if case.text[n].isdigit()]
        if check.kind != "figure" or not digits or check.text in before or len(digits) < 3:
            continue
        at = digits[-1]
        assert not any(start <= at < end for start, end in markers)
        changed = case.text[:at] + str((int(case.text[at]) + 5) % 10) + case.text[at + 1 :]
        assert unsupported(changed), changed


# What is not supported, and why


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("NOI was $1.11 million in 2024 [S1.5].",
         "$1.11 million is not supported: it is the figure for 2023."),
        ("Net operating income was $1,900 thousand in 2024 [S1.3].",
         "$1,900 thousand is not supported: it is the figure for Rental income."),
        ("Net operating income was $1.2 billion in 2024 [S1.5].",
         "$1.2 billion is not supported: the table is in thousands."),
        ("The deposit is returned within 30 months [S3.3].",
         "30 is not supported: the page has 30 days."),
        ("“The rent is waived for a whole year.” [S3.2]",
         "“The rent is waived for a whole year.” does not stand word for word in the passages."),
        ("NOI rose by $90 thousand ($1,200 - $1,120 = $90) [S1.5].", "the sum comes to 80"),
        ("In Lease B the monthly base rent is $25,000 [S3.2].",
         "$25,000 is not supported: it is the figure in Lease_A.pdf."),
    ],
)  # fmt: skip
def test_what_does_not_hold_is_told_with_its_reason(text: str, problem: str) -> None:
    assert any(problem in each.problem for each in unsupported(text)), unsupported(text)


@pytest.mark.parametrize(
    ("text", "figure", "result"),
    [
        ("NOI grew 8.1% in 2024 [S1.5].", "8.1%", "computed"),
        ("NOI was $1.2 million in 2024, or $1,200 / 12 = $100 thousand a month [S1.5].",
         "$100 thousand", "computed"),
        ("The average was ($1,200 + $1,110) / 2 = $1,155 thousand [S1.5].", "$1,155 thousand",
         "computed"),
        ("Expenses were 36.8% of rental income in 2024 [S1.3][S1.4].", "36.8%", "computed"),
        ("Expenses came to $700 thousand in 2024 [S1.4].", "$700 thousand", "stands"),
        ("The margin before other costs was 63.2% in 2024 [S1.3][S1.4].", "63.2%", "computed"),
        ("NOI grew by 8.1%, or $90 thousand, from $1,110 thousand [S1.5].", "$90 thousand",
         "computed"),
    ],
)  # fmt: skip
def test_what_follows_from_what_stands_there(text: str, figure: str, result: str) -> None:
    assert results(text)[figure] == result


@pytest.mark.parametrize(
    "text",
    [
        "See Note 12, Item 7A and Form 10-K; Phase 3 of the Boeing 737 began [S1.5].",
        "The monthly base rent is $25,000 [S3.2], in each of the last two years.",
        "## Rent\n\nBoth leases say the same:\n\n- The monthly base rent is $25,000 [S3.2].",
        "Nothing in the documents answers this. I looked for 12 clauses on pets.",
    ],
)
def test_names_with_digits_and_openings_raise_no_alarm(text: str) -> None:
    assert unsupported(text) == []


def test_a_row_of_a_lone_sign_is_no_head() -> None:
    rents = hit(row("", "$", header=True), row("Rent", "$25,000"))
    assert results("The rent is $25,000 [S1.2].", evidence_of(rents)) == {"$25,000": "stands"}


def test_a_unit_names_no_row_and_a_price_per_unit_is_worked_out() -> None:
    facts = hit(
        row("Net operating income", "$1,200,000"),
        row("Rentable area", "82,000 sq ft"),
        row("Price per square foot", "$236.59"),
        of=document("Memo.pdf"),
    )
    said = "NOI of $1,200,000 on 82,000 square feet is ${} per square foot [S1.1]."
    evidence = evidence_of(facts)
    assert list(results(said.format("14.63"), evidence).values()) == [
        "stands",
        "elsewhere",
        "computed",
    ]
    assert [each.text for each in unsupported(said.format("16.43"), evidence)] == ["$16.43"]


def test_the_day_that_a_rent_roll_is_of_is_no_period_of_its_columns() -> None:
    roll = hit(
        block("Tenancy schedule as of February 28, 2025", 1, "caption"),
        row("Tenant", "Area (sq ft)", "Annual rent ($)", "Expires", header=True),
        row("Northgate Medicine", "24,000", "540,000", "Oct 31, 2034"),
        row("Vale Imaging", "12,400", "291,400", "Jul 31, 2032"),
    )
    said = "Northgate Medicine rents {} sq ft for $540,000 until Oct 31, 2034 [S1.3]."
    assert unsupported(said.format("24,000"), evidence_of(roll)) == []
    assert [each.text for each in unsupported(said.format("12,400"), evidence_of(roll))]


def test_a_charts_scale_is_not_that_of_the_tables_beside_it() -> None:
    memo = document("Memo.pdf")
    chart = hit(block("Figure 1: Net operating income (US$ thousand)", 1, "caption"), of=memo)
    facts = hit(row("Purchase price", "$19,400,000"), of=memo, index=1)
    evidence = evidence_of(chart, facts)
    assert not unsupported("The purchase price is $19,400,000 [S2].", evidence)


def test_what_was_asked_needs_no_page() -> None:
    answer = checked("Yes, it is over 20%: occupancy was 94.5% [S1.6].", question="Over 20%?")
    assert {c.text: c.result for c in answer.checks}["20%"] == "in question"


def test_the_cells_of_a_table_are_held_to_their_heads() -> None:
    rows = "| | 2024 | 2023 |\n|---|---|---|\n| Net operating income [S1.5] | {} | {} |"
    assert unsupported(rows.format("1,200", "1,110")) == []
    assert [each.text for each in unsupported(rows.format("1,110", "1,200"))] == ["1,110", "1,200"]


def test_a_scale_from_the_same_table_on_another_page_counts() -> None:
    owner = document("Report.pdf")
    first = hit(
        block("Results (in thousands)", 1, "caption"),
        row("", "2024", header=True),
        row("Sales", "900"),
        of=owner,
    )
    second = hit(row("Net income", "120"), of=owner, index=1)
    evidence = evidence_of(first, second)
    assert not unsupported("Net income was $120 thousand in 2024 [S2].", evidence)
    assert unsupported("Net income was $120 million in 2024 [S2].", evidence)


# Bad input


@pytest.mark.parametrize(
    "text",
    ["", "|", "| a |", "| a | b |\n| 1 |\n| 2 | 3 | 4 |", "1 / 0 = 5", "9" * 10_000 + " + 1 = 2",
     "“", "[S1]" * 500, "(" * 500, "$" * 500, "1" + " " * 5000 + "2", "- " * 300, "|" * 300],
)  # fmt: skip
def test_bad_input_raises_nothing(text: str) -> None:
    answer = verify_answer(Answer(text, "m", citations_in(text, EVIDENCE), EVIDENCE))
    assert all(answer.text[c.start : c.end] for c in answer.checks)
    assert verify_answer(Answer(MARKER.sub("", text), "m")).citations == ()


@given(st.text(alphabet='019$%.,()|[]S-–=/+ \n“”"abcmillion', max_size=80))
@settings(deadline=None)
def test_nothing_raises(text: str) -> None:
    plain = MARKER.sub("", text)
    verify_answer(Answer(plain, "m", (), EVIDENCE))


# Quotations


@pytest.mark.parametrize(
    ("quote", "text", "expected"),
    [
        ("ﬁnal eﬀect", "The final effect is near.", True),
        ("non-compete", "a noncompete clause", True),
        ("well known", "a well-known brand", True),
        ("the Tenant’s rent", "the Tenant's rent", True),
        ("[t]he rent is due.", "The rent is due, always", True),
        ("rent is due", "The rent\u00a0 is\n due.", True),
        ("first … last", "The first of many and the last.", True),
        ("last … first", "The first of many and the last.", False),
        ("rent", "the renter", False),
        ("shall pay rent", "shall not pay rent", False),
        ("pay 500 on the first day", "pay 600 on the first day", False),
        ("a limit of 1.2", "a limit of 12", False),
        ("", "anything", False),
    ],
)
def test_quotes(quote: str, text: str, expected: bool) -> None:
    assert stands_in(quote, wording(text)) is expected


def test_the_nearest_wording_is_shown_as_printed() -> None:
    near = nearest_wording("the tenant shall pay promptly", ["The Tenant shall pay early."])
    assert near == "The Tenant shall pay early."


@given(
    st.lists(st.sampled_from("the tenant shall pay rent of owner lease term".split()), min_size=3),  # noqa: SIM905
    st.data(),
)
def test_every_run_of_whole_words_stands(words: list[str], data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first, len(words) - 1))
    assert stands_in(" ".join(words[first : last + 1]), wording(" ".join(words)))


def test_quotations_may_hold_others() -> None:
    text = 'He said “the “Tenant” pays” and "so on".'
    assert [text[a:b] for a, b in quotation_spans(text)] == ["the “Tenant” pays", "so on"]


# Periods


@pytest.mark.parametrize(
    ("sentence", "years"),
    [
        ("It was $5 in 2023 and $4 in 2022.", [2023, 2022]),
        ("It rose from $4 in 2022 to $5 in 2023.", [2022, 2023]),
        ("2023: $5; 2022: $4.", [2023, 2022]),
        ("For 2023 and 2022 it was $5 and $4, respectively.", [2023, 2022]),
        ("It fell 3% or $2 in 2023 against 2022.", [2023, 2023]),
    ],
)
def test_amounts_are_linked_to_their_years(sentence: str, years: list[int]) -> None:
    linked = link_periods(sentence, stated_amounts(sentence))
    assert [set(period.years) for period, _ in linked] == [{year} for year in years]
    assert all(certain for _, certain in linked)


# Statements


def test_a_sentence_cites_what_stands_after_it_too() -> None:
    first, second = statements_of("Rent is $5. [S1.2] Term is ten years [S1.3], or A pays $6 [S2].")
    assert first.labels == ("S1.2",)
    assert [labels for _, labels in second.cited] == [("S1.3",), ("S2",)]


def test_a_table_is_read_by_cells_and_its_line_cites_for_all() -> None:
    table = "| | Lease A | Lease B |\n|---|---|---|\n| Rent [S1] | $5 | $6 |"
    cells = [each for each in statements_of(table) if each.head]
    assert [each.whole for each in cells] == ["Rent, Lease A:  $5 ", "Rent, Lease B:  $6 "]
    assert {each.labels_for(each.start) for each in cells} == {("S1",)}


# Quoted without a model


def balance() -> tuple[Evidence, ...]:
    """A balance sheet in millions, one of its labels the end of another's."""
    heads = row("", "December 31, 2022", "December 31, 2021", header=True)
    rows = (
        heads, row("Other liabilities", "$37,350", "$30,497"),
        row("Total liabilities", "203,643", "166,371"),
    )  # fmt: skip
    return evidence_of(hit("Consolidated balance sheets (Millions)", *rows))


def test_what_is_quoted_without_a_model_is_held_to_print_alone() -> None:
    text = "- Other liabilities, 2022: $37,350 [S1.3]"
    evidence = balance()
    written = Answer(text, "some model", citations_in(text, evidence), evidence)
    assert verify_answer(written).citations[0].verified == "not found"  # without its scale
    answer = verify_answer(Answer(text, "extractive", citations_in(text, evidence), evidence))
    assert {each.result for each in answer.checks} == {"stands"}
    assert answer.citations[0].verified == "verified"


@pytest.mark.parametrize("figure", ["$37,530", "$7,350", "$37,351"])
def test_a_figure_that_is_not_printed_is_told_without_a_model_too(figure: str) -> None:
    text = f"- Other liabilities, 2022: {figure} [S1.3]"
    evidence = balance()
    answer = verify_answer(Answer(text, "extractive", citations_in(text, evidence), evidence))
    assert [each.text for each in answer.checks if each.result == "not supported"] == [figure]


def test_a_row_whose_very_words_are_said_is_no_other_row() -> None:
    text = "Other liabilities were $37,350 million in 2022. [S1.3]"
    assert results(text, balance())["$37,350 million"] == "stands"
    text = "Total liabilities were $37,350 million in 2022. [S1.3]"
    assert results(text, balance())["$37,350 million"] == "not supported"


def test_a_date_over_a_column_stands_for_its_figures() -> None:
    text = "Other liabilities were $30,497 million at December 31, 2021. [S1.3]"
    assert set(results(text, balance()).values()) == {"stands"}


REGIONS = evidence_of(
    hit(
        block("Statement of Income (Dollars in millions, except as otherwise stated)", 7,
              "caption"),
        row("", "North", "South", "Other", page=7, header=True),
        row("Revenue", "900", "400", "(150)", page=7),
        row("Total interest expense", "70", "30", "12", page=7),
        row("Revenue net of interest expense", "830", "370", "(162)", page=7),
        row("Trade payables", "310", "120", "40", page=7),
        row("Total assets", "2,900", "1,800", "700", page=7),
        of=document("Ash.pdf"),
    ),
    hit(
        block("In June 2022 we bought a plant. The price of $59 million included a deferred "
              "part of $5 million that was paid in fiscal year 2024.", 9),
        block("In March 2023 we bought a mill for $60 million.", 9),
        block("We settled the claim for $4,200.", 9),
        of=document("Ash.pdf"), index=9,
    ),
)  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        # What follows a figure names its own row, whatever stands farther off.
        "Revenue is stated net of $70 million of interest expense in the North [S1.4].",
        "Payables were $310 million, which is little beside the total assets [S1.6].",
        # A sum's scale is that of its result.
        "The price of both was $59 + $60 = $119 million [S2.1][S2.2].",
        # The year of a clause is of what that clause is about.
        "| Bought | Price | Deferred |\n|---|---|---|\n"
        "| June 2022 | $59 million [S2.1] | $5 million [S2.1] |",
        # A scale that is stated for everything is of the sentences too.
        "The claim was settled for $4,200 million [S2.3].",
        # What is worked out is worked out from again.
        "Both regions have $4,700 million of assets ($2,900 + $1,800), $4,000 million more than "
        "the others' $700 million [S1.7].",
        "| | North |\n|---|---|\n| Assets less revenue and payables [S1.3][S1.6][S1.7] | 1,690 |",
    ],
)
def test_right_statements_raise_no_alarm(text: str) -> None:
    assert [(each.text, each.reason) for each in unsupported(text, REGIONS)] == []


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("| Region | Revenue |\n|---|---|\n| South [S1.3] | 900 |", "it is the figure for North"),
        ("| | Other |\n|---|---|\n| Revenue [S1.3] | 150 |", "the page has (150)"),
        ("The price of both was $59 + $61 = $120 million [S2.1][S2.2].", ""),
    ],
)
def test_what_a_table_says_otherwise_is_told(text: str, reason: str) -> None:
    assert reason in [each.reason for each in unsupported(text, REGIONS)]


def test_what_is_worked_out_from_another_year_is_told() -> None:
    told = unsupported(
        "What was left was $1,900 - $700 = $1,200 thousand in 2023, against "
        "$1,812 - $702 = $1,110 thousand in 2022 [S1.3][S1.4]."
    )
    reasons = {each.reason for each in told}
    assert {"it is the figure for 2024", "it is worked out from figures for 2023"} <= reasons


def test_names_of_files_with_digits_are_no_figures_as_a_sentence_has_them() -> None:
    name = "FEE_02_2020-EX-10.7.pdf"
    evidence = evidence_of(hit("The term is 12 weeks.", of=document(name)))
    text = "- FEE 02 2020-EX-10.7: “The term is 12 weeks.” [S1]\n\nNothing in OLD 31 1999."
    coverage = (Coverage("b", "OLD_31_1999.docx", 1, 0, 0.1, 0),)
    answer = Answer(text, "extractive", citations_in(text, evidence), evidence, coverage=coverage)
    assert verify_answer(answer).problems == []


def test_a_line_that_leads_to_a_list_is_not_judged_though_it_has_a_stop() -> None:
    evidence = evidence_of(hit("Unit 6 is let to Acorn."))
    text = "4 of 23, 6. Tenancy schedule:\n- “Unit 6 is let to Acorn.” [S1]"
    answer = Answer(text, "extractive", citations_in(text, evidence), evidence)
    assert verify_answer(answer).problems == []


# What is worked out in the head

SURVEY = evidence_of(
    hit(
        block("The building and paving cover 88% of the site.", 2),
        block("Prices vary by as much as a third; the bathroom is allowed at $17,500.", 2),
        block("Negotiations begin on 5 November 2025 and last six weeks.", 3),
        block("Instruct us by 31 July 2025; the notice must arrive by 23 September 2025.", 4),
        of=LEASE_A,
    )
)


@pytest.mark.parametrize(
    ("said", "right", "wrong"),
    [
        ("It covers 88% of the site [S1.1], which leaves about {}.", "12%", "22%"),
        ("A third of $17,500 [S1.2] is {}.", "$5,833", "$5,383"),
        ("It begins on 5 November 2025 and lasts six weeks, so until {} [S1.3].",
         "mid-December 2025", "mid-January 2026"),
        ("From 31 July 2025 to 23 September 2025 are nearly {} weeks [S1.4].", "eight", "five"),
    ],
)  # fmt: skip
def test_what_follows_from_what_is_said_beside_it_is_computed(
    said: str, right: str, wrong: str
) -> None:
    assert not unsupported(said.format(right), SURVEY)
    assert "computed" in results(said.format(right), SURVEY).values()
    assert unsupported(said.format(wrong), SURVEY)


DEBT = evidence_of(
    hit(
        block("Debt maturities (£ thousand)", 2, "caption"),
        row("", "Final maturity", "Falling due in 2027", "Maturity in calendar year 2028", page=2,
            header=True),
        row("Facility A", "11 May 2028", "2,000", "24,500", page=2),
        row("Facility B", "11 May 2028", "3,000", "31,750", page=2),
        of=LEASE_A,
    ),
    hit(
        block("The Agreement is dated March 12, 2021.", 1),
        block("The Maturity Date is March 12, 2026.", 1),
        block("The Maturity Date becomes March 12, 2027.", 3),
        of=LEASE_A,
        index=1,
    ),
)  # fmt: skip


def test_a_column_of_the_year_that_is_said_is_meant_whatever_another_is_called() -> None:
    right = "In 2028 fall due £24,500 thousand, with the final maturity on 11 May 2028 [S1.3]."
    assert not unsupported(right, DEBT)
    wrong = "In 2028 fall due £2,000 thousand, with the final maturity on 11 May 2028 [S1.3]."
    assert unsupported(wrong, DEBT)


def test_a_length_of_time_between_days_that_other_lines_name_is_computed() -> None:
    lines = ("- The Maturity Date was March 12, 2026 [S2.2].",
             "- It is March 12, 2027 now [S2.3], as of March 12, 2021 [S2.1].")  # fmt: skip
    told = "The first {} ran for five years, and it was put off by {}."
    assert not unsupported("\n".join((*lines, told.format("term", "one year"))), DEBT)
    assert unsupported("\n".join((*lines, told.format("term", "three years"))), DEBT)


def test_what_docqa_quotes_beside_a_models_answer_is_held_to_print() -> None:
    quotes = "In the documents' own words"
    text = f"It is dated March 12, 2021 [S2.1].\n\n## {quotes}\n\nDebt maturities – 2 of 41:\n"
    assert not unsupported(f"{text}- Facility A — Final maturity: 11 May 2028 [S1.3]", DEBT)
    assert unsupported(f"It has 41 pages.\n\n{text}", DEBT)


LEVELS = evidence_of(
    hit(
        row("", "Level 2", "Level 3", page=9, header=True),
        row("Interest rate swaps", "3,472", "-", page=9),
        row("Deferred consideration", "-", "19,825", page=9),
        row("Total liabilities", "3,472", "23,825", page=9),
    )
)
BUDGET = evidence_of(
    hit(
        row("", "2025", "2025", "2026", page=1, header=True),
        row("", "Budget", "Projected actual", "Proposed", page=1, header=True),
        row("Legal", "6,000", "11,480", "8,000", page=1),
        row("Audit", "4,100", "4,250", "4,400", page=1),
    )
)


def test_a_row_that_the_sentence_quotes_is_the_one_meant() -> None:
    text = "The earn-out liability, printed as “{}”, was carried in Level 3 at 19,825 [S1.3]."
    assert not unsupported(text.format("Deferred consideration"), LEVELS)
    assert unsupported(text.format("Total liabilities"), LEVELS)


def test_the_head_of_a_cited_column_may_be_quoted() -> None:
    text = "Legal is at 11,480 (the “2025 {}” column) [S1.3]."
    assert not unsupported(text.format("Projected actual"), BUDGET)
    assert unsupported(text.format("Final outturn"), BUDGET)
