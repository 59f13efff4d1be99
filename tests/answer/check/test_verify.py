"""The verifier against labelled claims, and its parts against sums done in the open."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docqa.answer.check.agreement import worst
from docqa.answer.check.arithmetic import follows
from docqa.answer.check.claims import quotation_spans, sentences_of
from docqa.answer.check.quotation import check_quote
from docqa.answer.check.sources import link_periods
from docqa.answer.check.verify import verify_answer
from docqa.answer.evidence import MARKER, add_evidence, citations_in
from docqa.language.amounts import stated_amounts
from docqa.types.answer import Answer, Evidence, Verdict
from tests.answer.passages import block, document, hit, row
from tests.answer.verify_cases import CASES, EVIDENCE, Case


def checked(text: str, evidence: tuple[Evidence, ...] = EVIDENCE) -> Answer:
    return verify_answer(Answer(text, "m", citations_in(text, evidence), evidence))


def verdict(text: str, evidence: tuple[Evidence, ...] = EVIDENCE) -> Verdict:
    return worst(citation.verified for citation in checked(text, evidence).citations)


# The labelled table


def test_no_false_claim_is_verified_and_nearly_every_true_one_is() -> None:
    counts: Counter[tuple[bool, str, str]] = Counter()
    wrong: list[str] = []
    for case in CASES:
        given = verdict(case.text)
        counts[case.true, case.kind, given] += 1
        if not case.true and given == "verified":
            wrong.append(case.text)
    true = sum(n for (is_true, _, _), n in counts.items() if is_true)
    kept = sum(n for (is_true, _, v), n in counts.items() if is_true and v == "verified")
    for key, number in sorted(counts.items()):
        print(*key, number)
    assert len(CASES) >= 200
    assert wrong == []
    assert kept / true >= 0.95


@pytest.mark.parametrize("case", [case for case in CASES if case.true], ids=lambda case: case.kind)
def test_another_digit_is_never_verified(case: Case) -> None:
    """Each digit of each true claim, outside its markers, made another."""
    markers = [match.span() for match in MARKER.finditer(case.text)]
    for at, character in enumerate(case.text):
        inside = any(start <= at < end for start, end in markers)
        opens_quarter = case.text[at - 1 : at] == "Q"
        if not character.isdigit() or inside or opens_quarter:
            continue
        other = str((int(character) + 1) % 10)
        if other == "0" and not case.text[at - 1 : at].isdigit():
            continue  # a leading zero is no other number
        changed = case.text[:at] + other + case.text[at + 1 :]
        assert verdict(changed) != "verified", changed


def test_the_worst_of_a_citations_places_counts() -> None:
    answer = checked("The monthly base rent is $25,000 [S3.2]. The monthly base rent is $9 [S3.2].")
    assert [citation.verified for citation in answer.citations] == ["not found"]


def test_each_citation_of_a_claim_must_carry_some_of_it() -> None:
    answer = checked("The monthly base rent is $25,000 [S3.2][S8.5].")
    assert [citation.verified for citation in answer.citations] == ["verified", "near"]


# Warnings


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        ("Net operating income was $1.3 million in 2024 [S1.5].", "$1.3 million [S1.5]"),
        ("“The rent is waived for a year.” [S3.2]", "“The rent is waived for a year.” [S3.2]"),
        ("In Lease B the monthly base rent is $25,000 [S3.2].", "Stated about one document"),
        ("The monthly rent is $25,000 [S3.2]. The tenant is a bakery from Ohio.", "bakery"),
        ("NOI was $1,200 thousand in 2024 [S1.5]. It had been 900 before that.", "900"),
    ],
)
def test_what_does_not_hold_is_told(text: str, warning: str) -> None:
    assert any(warning in each for each in checked(text).warnings)


@pytest.mark.parametrize(
    "text",
    [
        "The monthly base rent is $25,000 [S3.2].",
        "Both leases say the same:\n\n- The monthly base rent is $25,000 [S3.2].",
        "## Rent\n\nThe monthly base rent is $25,000 [S3.2].",
        "NOI was $1,200 thousand in 2024 [S1.5] and $1,110 thousand in 2023 [S1.5]. "
        "That is an increase of $90 thousand.",
        "Nothing in the documents answers this. I looked for a clause on pets and animals.",
    ],
)
def test_what_needs_no_warning_has_none(text: str) -> None:
    assert checked(text).warnings == ()


def test_a_pointer_to_a_page_is_checked_as_one() -> None:
    right = "Nothing in the documents answers this. Nearest passages: Lease_A.pdf, p. 2 [S3]."
    assert verdict(right) == "verified"
    assert verdict(right.replace("p. 2", "p. 9")) == "near"


def test_an_answer_without_citations_stays_as_it_is_but_for_warnings() -> None:
    answer = Answer("The rent is $25,000 a month and rises each year.", "m")
    assert verify_answer(answer).text == answer.text
    assert len(verify_answer(answer).warnings) == 1


# Quotations


@pytest.mark.parametrize(
    ("quote", "text", "expected"),
    [
        ("ﬁnal eﬀect", "The final effect is near.", "verified"),
        ("non-compete", "a noncompete clause", "verified"),
        ("well known", "a well-known brand", "verified"),
        ("the Tenant’s rent", "the Tenant's rent", "verified"),
        ("in – fact", "in - fact", "verified"),
        ("rent is due", "The rent\u00a0 is\n due.", "verified"),
        ("first … last", "The first of many and the last.", "verified"),
        ("last … first", "The first of many and the last.", "not found"),
        ("rent", "the renter", "not found"),
        ("The tenant shall pay the rent on first day of each month to owner",
         "The tenant shall pay the rent on the first day of each month to owner", "near"),
        ("The tenant shall pay 500 on the first day of each month to owner",
         "The tenant shall pay 600 on the first day of each month to owner", "not found"),
        ("The tenant shall pay the rent on the first day of each month to owner",
         "The tenant shall not pay the rent on the first day of each month to owner", "not found"),
        ("", "anything", "not found"),
    ],
)  # fmt: skip
def test_quotes(quote: str, text: str, expected: str) -> None:
    assert check_quote(quote, text) == expected


@given(
    st.lists(st.sampled_from("the tenant shall pay rent of owner lease term".split()), min_size=3),  # noqa: SIM905
    st.data(),
)
def test_every_run_of_whole_words_is_verified(words: list[str], data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first, len(words) - 1))
    assert check_quote(" ".join(words[first : last + 1]), " ".join(words)) == "verified"


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


@pytest.mark.parametrize(
    ("result", "operands", "said", "expected"),
    [
        ("$90", "$1,200 and $1,110", "an increase of", True),  # 1200 − 1110
        ("$90", "$1,200 and $1,110", "the fee is", False),  # nothing says it was computed
        ("8.1%", "$1,200 and $1,110", "up", True),  # 90 / 1110 = 8.108 %
        ("7.9%", "$1,200 and $1,110", "up", False),
        ("92.5%", "$1,200 and $1,110", "a share of", True),  # 1110 / 1200
        ("$2,310", "$1,200 and $1,110", "in total", True),  # 1200 + 1110
        ("1.08x", "$1,200 and $1,110", "", True),  # 1200 / 1110 = 1.081
        ("2.5%", "94.5% and 92.0%", "rose by", True),  # percentage points
        ("$5", "€10 and €5", "less by", False),  # another currency
    ],
)
def test_arithmetic(result: str, operands: str, said: str, expected: bool) -> None:
    (amount,) = stated_amounts(result)
    assert follows(amount, stated_amounts(operands), said=said) is expected


# Claims


def test_a_sentence_falls_into_claims_at_its_markers() -> None:
    (sentence,) = sentences_of("A pays $5 [S1.2] and B pays $6 [S2][S3.1] in 2024.")
    assert [(c.text, c.labels) for c in sentence.claims] == [
        ("A pays $5", ("S1.2",)),
        ("and B pays $6 in 2024.", ("S2", "S3.1")),
    ]
    assert sentence.text == "A pays $5 and B pays $6 in 2024."


def test_a_marker_after_the_full_stop_belongs_to_the_sentence_before() -> None:
    first, second = sentences_of("Rent is $5. [S1.2] Term is ten years. [S1.3]")
    assert (first.labels, second.labels) == (("S1.2",), ("S1.3",))


def test_a_quotation_of_several_sentences_is_one_claim() -> None:
    (sentence,) = sentences_of("- “Rent is due. It is $5. The “Tenant” pays.” [S1.2]")
    assert sentence.claims[0].text == "“Rent is due. It is $5. The “Tenant” pays.”"


def test_table_cells_are_claims_with_their_headers() -> None:
    table = "| | Lease A | Lease B |\n|---|---|---|\n| Rent | $5 [S1] | $6 [S2] |"
    (sentence,) = sentences_of(table)
    assert [(c.text, c.labels) for c in sentence.claims] == [
        ("Rent, Lease A: $5", ("S1",)),
        ("Rent, Lease B: $6", ("S2",)),
    ]


def test_quotations_may_hold_others() -> None:
    text = 'He said “the “Tenant” pays” and "so on".'
    assert [text[a:b] for a, b in quotation_spans(text)] == ["the “Tenant” pays", "so on"]


def test_a_scale_from_the_same_table_on_another_page_counts() -> None:
    owner = document("Report.pdf")
    first = hit(
        block("Results (in thousands)", 1, "caption"),
        row("", "2024", header=True),
        row("Sales", "900"),
        of=owner,
    )
    second = hit(row("Net income", "120"), of=owner, index=1)
    evidence = add_evidence((), [first, second])
    assert verdict("Net income was $120 thousand in 2024 [S2].", evidence) == "verified"
    assert verdict("Net income was $120 million in 2024 [S2].", evidence) == "not found"


def test_a_warning_that_ends_in_a_sentence_has_one_full_stop() -> None:
    [told] = [w for w in checked("The total is $999,999.").warnings if "No passage" in w]
    assert told == "No passage is cited for: “The total is $999,999.”"
