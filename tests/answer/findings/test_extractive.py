"""Answers quoted word for word: the figure first, every document, or nothing."""

import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

import pytest

from docqa.answer.check.verify import verify_answer
from docqa.answer.evidence import MARKER, resolve
from docqa.answer.findings.asked import ask_of
from docqa.answer.findings.extractive import NOTHING, answer, answer_from
from docqa.answer.findings.judge import Judged
from docqa.answer.findings.points import MOST
from docqa.answer.findings.quotes import quotes_of
from docqa.answer.findings.quoting import ALSO
from docqa.answer.findings.ranking import likeliest_first
from docqa.answer.findings.worked import NEAREST_TO_IT, likely
from docqa.language.words import content_words
from docqa.settings import DEFAULTS
from docqa.types.answer import Answer, Evidence
from docqa.types.events import PassagesFound, Searching, TextDelta
from docqa.types.question import NotAsked
from docqa.types.search import Hit, SearchResult, left_out
from docqa.types.table import Table
from tests.answer.findings.judged import means
from tests.answer.passages import (
    Searches,
    asked,
    block,
    document,
    found,
    hit,
    row,
    with_question,
    with_tables,
)

A, B = document("Lease A.pdf"), document("Lease B.pdf")
NOI = hit(
    block("Operating statement (in thousands)", 4, "caption"),
    row("", "2024", "2023", page=4, header=True),
    row("Rental income", "$1,900", "$1,800", page=4),
    row("Operating expenses", "(700)", "(690)", page=4),
    row("Net operating income", "$1,200", "$1,110", page=4),
)
TERM = hit(
    block("Term and termination", 2, "heading"),
    block("The term begins on 1 May 2024 and runs for ten years.", 2),
    block("Either party may terminate this Lease on six months' written notice.", 2),
    block("The premises are on the third floor.", 2),
    index=1,
)
LAW = hit(block("This Lease is governed by the laws of the State of New York.", 9), index=2)


def ask(question: str, *hits: Hit, several: bool = False) -> Answer:
    result = found(question, hits, intent="synthesis" if several else "lookup")
    return told(result)


def every_column(table: Table) -> Sequence[int]:
    return range(len(table.columns))


def told(result: SearchResult) -> Answer:
    return answer_from(result, settings=DEFAULTS, means=means())


def first_line(given: Answer) -> str:
    return given.text.splitlines()[0].removeprefix("- ")


def test_a_table_row_gives_label_period_and_cell() -> None:
    given = ask("What was net operating income in 2024?", NOI, TERM)
    assert first_line(given) == "Net operating income, 2024: $1,200 (in thousands) [S1.5]"


def test_a_line_item_is_found_by_the_name_it_goes_by() -> None:
    flows = hit(
        row("", "2024", page=4, header=True),
        row("Purchases of property, plant and equipment", "(526)", page=4),
        row("Amortization of capital costs", "4", page=4),
    )
    for question in ("How much was spent on capital expenditures in 2024?", "What was capex?"):
        assert "(526)" in first_line(ask(question, flows, TERM))


def test_a_year_asked_is_no_quarter_of_it() -> None:
    quarter = hit(
        row("($ million)", "Three Months Ended June 30, 2023", page=11, header=True),
        row("Adjusted EBITDA", "540", page=11),
    )
    year = hit(
        row("($ million)", "Twelve Months Ended June 30, 2023", page=12, header=True),
        row("Adjusted EBITDA", "2,018", page=12),
        index=1,
    )
    for question in ("Adjusted EBITDA for FY 2023?", "What was adjusted EBITDA in 2023?"):
        assert "2,018" in first_line(ask(question, quarter, year))
    assert "540" in first_line(ask("Adjusted EBITDA in the quarter ended June 30, 2023?", quarter))


def test_of_columns_of_one_time_the_one_named_is_given() -> None:
    parts = ("Flexibles", "Rigid Packaging", "Total")
    columns = [f"Three Months Ended June 30, 2023 {part}" for part in parts]
    segments = hit(
        row("($ million)", *columns, header=True), row("Net sales", "2,777", "897", "3,673")
    )
    given = ask("What were net sales of Rigid Packaging in the fourth quarter of 2023?", segments)
    assert first_line(given).endswith("2023 Rigid Packaging: 897 (in millions) [S1.2]")
    every = ask("What were net sales in the fourth quarter of 2023?", segments).text
    assert [each in every for each in ("2,777", "897", "3,673")] == [True] * 3


PLAN = hit(
    block("Operating expenses", 4, "caption"),
    row("", "Wk 1", "Wk 2", "Wk 3", "Total", page=4, header=True),
    row("Payroll", "231", "250", "236", "717", page=4),
    row("Management fees", "41", "42", "43", "126", page=4),
)


def test_of_columns_of_counted_weeks_the_one_asked_for_is_told() -> None:
    assert first_line(ask("What was payroll in week 3?", PLAN)).startswith("Payroll, Wk 3: 236")


def test_beside_columns_of_many_times_their_total_is_told_where_none_is_asked_for() -> None:
    assert first_line(ask("What were the management fees?", PLAN)) == (
        "Management fees, Total: 126 [S1.4]"
    )


def test_a_question_in_the_text_brings_its_answer() -> None:
    deposition = hit(
        block("Q. Was the owner told about the three failed tests?", 7, "list"),
        block("A. I don't know. It was not my place.", 7, "list"),
        block("Q. Have you been paid?", 7, "list"),
    )
    given = ask("Was the owner told about the failed tests?", deposition).text
    assert given.index("Was the owner told") < given.index("I don't know")
    assert "Have you been paid" not in given


def test_a_column_of_changes_is_not_named_by_asking_for_a_change() -> None:
    sales = hit(
        row("", "2023", "2022", "Change", header=True), row("Net sales", "$90", "$100", "(10)%")
    )
    assert "90 − 100 = −10" in first_line(ask("What was the change in net sales?", sales))


def test_a_row_in_capitals_is_no_title() -> None:
    results = hit(
        row("Adjusted results", "2023", "2022", header=True),
        row("EBITDA", "2,018", "2,117"),
        row("EBIT", "1,608", "1,701"),
    )
    assert first_line(ask("What was EBITDA in 2023?", results)).startswith("EBITDA, 2023: 2,018")


def test_two_periods_asked_are_two_figures() -> None:
    given = ask("What was net operating income in 2023 and in 2024?", NOI, TERM)
    expected = "Net operating income (in thousands) — 2024: $1,200; 2023: $1,110 [S1.5]"
    assert first_line(given) == expected


def test_a_clause_is_quoted_whole() -> None:
    given = ask("How much notice is needed to terminate the lease?", NOI, TERM, LAW)
    expected = "“Either party may terminate this Lease on six months' written notice.” [S2.3]"
    assert first_line(given) == expected


def test_governing_law() -> None:
    given = ask("Which law governs?", NOI, TERM, LAW)
    expected = "“This Lease is governed by the laws of the State of New York.” [S3]"
    assert first_line(given) == expected


def test_how_long_is_answered_by_what_does_not_say_long() -> None:
    term = hit("The term of this Agreement shall continue for six (6) months.", dense=0.35)
    given = ask("How long is the term?", term)
    assert (given.found, given.likely) == (True, False)
    assert "six (6) months" in first_line(given)


def test_what_tells_another_part_of_a_question_stands_with_the_first() -> None:
    given = ask("When does the term begin, and which law governs this lease?", TERM, LAW)
    first, second = given.text.splitlines()[:2]
    assert first.startswith("- ")
    assert second.startswith("- ")
    assert "1 May 2024" in first + second
    assert "New York" in first + second


def test_when_prefers_dates() -> None:
    given = ask("When does the term begin?", TERM, LAW)
    assert "1 May 2024" in first_line(given)


def test_quotes_are_verbatim_and_few() -> None:
    clauses = [block(f"Termination of part {n} needs notice of {n} months.") for n in range(2, 12)]
    given = ask("What notice does termination need?", hit(*clauses))
    first, *others = given.text.splitlines()
    assert others[:2] == ["", ALSO]
    assert len(others) <= 6
    for line in (first, *others[2:]):
        marker = MARKER.search(line)
        assert marker is not None
        quote = line.removeprefix("- ").split(" [S")[0].strip("“”")
        assert quote in resolve(marker[1], given.evidence).quote


def test_every_document_is_heard_when_several_are_asked() -> None:
    rents = [
        hit("The base rent is $25,000 a month.", of=A),
        hit("Rent is paid on the first day of each month.", of=A, index=1),
        hit("The base rent is $31,500 a month.", of=B),
    ]
    given = ask("Compare the base rent", *rents, several=True)
    assert "Lease A:\n- “The base rent is $25,000" in given.text
    assert "Lease B:\n- “The base rent is $31,500" in given.text


def test_nothing_near_is_not_found_and_shows_the_nearest_pages() -> None:
    far = hit(block("The cafeteria opens at nine.", 7), dense=0.1)
    given = ask("What is the boiling point of tungsten?", far)
    assert not given.found
    assert given.text == f"{NOTHING} Nearest passages: Lease A.pdf, p. 7 [S1]."
    assert [piece.label for piece in given.evidence] == ["S1"]


def test_rows_of_the_years_asked_for_are_no_answer_where_none_is_likely_to_be() -> None:
    given = ask("What did insurance cost in 2024 compared with 2023?", NOI, several=True)
    assert given.likely or not given.found
    told_of = ask("What was net operating income in 2024 compared with 2023?", NOI, several=True)
    assert (told_of.found, told_of.likely) == (True, False)
    assert "1,200" in told_of.text


def test_what_may_answer_is_shown_though_it_shares_no_word() -> None:
    boat = hit(block("The hire of the boat ends when the last crate is ashore.", 3), dense=0.1)
    given = ask("When do they get it back?", boat)
    assert given.likely
    assert given.text.startswith(f"{NEAREST_TO_IT}\n- “The hire of the boat ends")


def test_what_no_document_mentions_is_said() -> None:
    far = hit(block("The cafeteria opens at nine.", 7), dense=0.1)
    result = replace(found("Is tungsten sold?", [far]), missing=("tungsten",))
    given = told(result)
    said = f"{NOTHING} No document searched mentions “tungsten”. Nearest passages: "
    assert given.text.startswith(said)


def test_of_several_words_that_no_document_has_those_that_are_no_names_are_not_the_reason() -> None:
    far = hit(block("The cafeteria opens at nine.", 7), dense=0.1)
    question = "Has not a penny gone to Thornbury yet?"
    result = replace(found(question, [far]), missing=("penny", "gone", "Thornbury", "yet"))
    said = f"{NOTHING} No document searched mentions “Thornbury”. Nearest passages: "
    assert told(result).text.startswith(said)


def test_a_document_that_is_named_but_not_asked_is_said_to_be_there() -> None:
    rent = hit("The base rent is $25,000 a month.", of=A)
    question = "What is the base rent of Harbour Yard?"
    beside = (NotAsked("Harbour Yard", ("Harbour_Yard.pdf",)),)
    result = with_question(found(question, [rent]), not_asked=beside)
    result = replace(result, missing=("Harbour", "Yard"))
    given = told(result)
    assert not given.found
    assert given.text.startswith(f"{NOTHING} {left_out(beside)} Nearest passages: ")
    mentioned = replace(result, hits=(hit("Harbour Yard has a base rent of $30,000.", of=A),))
    given = told(mentioned)
    assert "$30,000" in given.text
    assert given.warnings == (left_out(beside),)


def test_an_answer_warns_of_a_name_that_no_document_mentions() -> None:
    question = "Which law governs the Platinum lease?"
    result = replace(found(question, [LAW]), missing=("Platinum", "governs"))
    given = told(result)
    assert given.found
    assert given.warnings == ("No document searched mentions “Platinum”.",)


def test_an_answer_warns_of_a_name_that_no_passage_found_mentions() -> None:
    shares = hit("Acme sold shares of its market business in 2022.", of=document("Acme.pdf"))
    question = "What is Acme's market share in India?"
    result = with_question(found(question, [shares]), about=("Acme", "market", "share", "India"))
    given = told(result)
    assert given.warnings == ("No passage found mentions “India”.",)
    there = replace(shares, chunk=hit("Acme has a market share of 2% in India.").chunk)
    assert told(replace(result, hits=(there,))).warnings == ()


def test_what_is_said_of_another_company_is_no_answer() -> None:
    income = hit("Net income of Harbour Yard was $4 million.")
    question = "What was the net income of Platinum?"
    there = with_question(found(question, [income]), about=("net", "income", "Platinum"))
    absent = replace(there, missing=("Platinum",))
    given = told(absent)
    assert not given.found
    assert "No document searched mentions “Platinum”." in given.text
    assert [piece.hit for piece in given.evidence] == [income]
    assert not told(there).found  # only elsewhere mentioned
    chosen = replace(there.plan.question, document_ids=(income.document.id,))
    of_chosen = told(replace(absent, plan=replace(absent.plan, question=chosen)))
    assert of_chosen.likely
    assert any("“Platinum”" in each for each in of_chosen.warnings)
    one_that_says_it = replace(there, plan=replace(there.plan, question=chosen))
    assert told(one_that_says_it).text == "“Net income of Harbour Yard was $4 million.” [S1]"
    of_platinum = document("PLATINUMGROUPINC_2020.pdf")
    own = replace(income, document=of_platinum)
    assert told(replace(absent, hits=(own,))).found


def test_of_several_documents_those_that_speak_of_the_name_are_quoted() -> None:
    own = hit("Medalist pays a termination fee on a change of control.", of=B, index=1)
    other = hit("A change of control has happened when a person holds 50% of the shares.", of=A)
    question = "What happens on a change of control under the Medalist agreement?"
    result = with_question(found(question, [other, own]), about=("Medalist", "agreement"))
    assert told(result).text == f"“{own.chunk.text}” [S2]"
    nobody = with_question(result, about=("control",))
    assert "50%" in told(nobody).text


def test_a_name_that_only_the_file_has_is_not_said_to_be_missing() -> None:
    law = hit("This Agreement is governed by the laws of Georgia.", of=document("REGANHOLDING.PDF"))
    question = "Which law governs the Regan agreement?"
    result = replace(found(question, [law]), missing=("Regan", "Platinum"))
    given = told(result)
    assert given.warnings == ("No document searched mentions “Platinum”.",)


def test_a_word_that_the_file_name_runs_together_with_another_is_not_missing() -> None:
    law = hit("Virginia law governs.", of=document("SteelVaultCorp_20081224_10-K.pdf"))
    result = replace(found("Which law governs Steel Vault?", [law]), missing=("Vault", "Platinum"))
    given = told(result)
    assert given.warnings == ("No document searched mentions “Platinum”.",)


def test_a_loss_asked_of_a_year_with_a_profit_is_answered_by_the_profit() -> None:
    income = hit(
        row("", "2018", header=True),
        row("Other income/(loss), net", "92"),
        row("Net earnings", "$10,460"),
        row("Less: net earnings attributable to noncontrolling interests", "7"),
    )
    given = ask("What was the net loss in 2018?", income)
    assert first_line(given) == "Net earnings, 2018: $10,460 [S1.3]"


def test_a_day_and_a_quarter_asked_for_choose_the_column() -> None:
    ends = ("July 1, 2023", "June 25, 2022")
    columns = [f"{span} Months Ended {end}" for span in ("Three", "Nine") for end in ends]
    sales = hit(
        row("", *columns, header=True), row("iPhone net sales", "$39", "$40", "$156", "$162")
    )
    asked = "What were iPhone net sales in the quarter ended July 1, 2023?"
    said = "iPhone net sales, Three Months Ended July 1, 2023: $39 [S1.2]"
    assert first_line(ask(asked, sales)) == said


def test_one_name_of_several_may_be_missing() -> None:
    question = "What was the net income of Harbour Platinum?"
    income = hit("Net income of Harbour Yard was $4 million.")
    result = with_question(found(question, [income]), about=("income", "Harbour", "Platinum"))
    given = told(replace(result, missing=("Platinum",)))
    assert given.found
    assert given.warnings == ("No document searched mentions “Platinum”.",)


def test_no_hits_at_all() -> None:
    given = ask("Anything?")
    assert (given.text, given.found, given.evidence) == (NOTHING, False, ())


def test_a_rare_word_found_by_keyword_counts_though_the_vectors_are_far() -> None:
    given = ask("What is form ZX-81?", hit("Form ZX-81 is the tax return.", dense=0.1))
    assert given.found


def test_what_it_tells_while_it_works() -> None:
    search = Searches(NOI, TERM)
    events = list(
        answer(
            asked("What was net operating income in 2024?"),
            search=search,
            settings=DEFAULTS,
            means=means(),
        )
    )
    assert [type(event) for event in events] == [Searching, PassagesFound, TextDelta, Answer]
    last = events[-1]
    assert isinstance(last, Answer)
    assert last.answerer == "extractive"
    assert [c.label for c in last.citations] == [m[1] for m in MARKER.finditer(last.text)]
    assert len(search.asked) == 1


def test_ten_hits_take_no_longer_than_reading_their_words_twenty_times() -> None:
    sentence = "The tenant shall pay rent of $1,000 to the landlord on the first day of month {}. "
    hits = [hit(*(sentence.format(n) * 3 for n in range(4)), index=index) for index in range(10)]
    text = " ".join(block.text for each in hits for block in each.chunk.blocks)
    answering = min(_seconds(lambda: ask("How much rent does the tenant pay?", *hits)))
    assert answering < 20 * min(_seconds(lambda: content_words(text)))  # it is about ten times


def _seconds(work: Callable[[], object]) -> Iterator[float]:
    """Three times that a work takes the processor, as other programs may want it too."""
    for _ in range(3):
        started = time.thread_time()
        work()
        yield time.thread_time() - started


def test_a_list_comes_with_the_sentence_that_leads_it_in() -> None:
    tips = hit(
        block("To avoid balance billing:"),
        block("• Check the network.", kind="list"),
        block("• Ask for a quote.", kind="list"),
        block("The premises are in Ohio."),
    )
    given = ask("How can balance billing be avoided?", tips)
    assert [line.split(" [")[0] for line in given.text.splitlines()] == [
        "“To avoid balance billing:”",
        "",
        "- “Check the network.”",
        "- “Ask for a quote.”",
    ]


RENEWAL = "B. You may renew the franchise if you meet all of these conditions:"
CONDITIONS = [
    "1. You have given us six months' notice;",
    "2. You have paid what you owe;",
    "3. You have signed a release.",
]


def test_a_list_is_whole_where_its_passage_ends_before_it_does() -> None:
    clauses = [*CONDITIONS, "C. Within ninety days we answer your notice."]
    blocks = [block(each, kind="list") for each in (RENEWAL, *clauses)]
    blocks = [replace(each, index=at) for at, each in enumerate(blocks)]
    passage = hit(*blocks[:2])
    whole = replace(means(), blocks=lambda _: blocks)
    result = found("On what conditions may the franchise be renewed?", [passage])
    given = answer_from(result, settings=DEFAULTS, means=whole)
    assert [line.partition("” [")[0] for line in given.text.splitlines()] == [
        f"“{RENEWAL}",
        "",
        *(f"- “{each}" for each in CONDITIONS),
    ]
    cited = [block.text for each in given.citations for block in each.blocks]
    assert cited == [RENEWAL, *CONDITIONS]


def test_of_a_long_list_it_is_said_how_many_items_are_shown() -> None:
    items = [block(f"({n}) The window of room {n}.", kind="list") for n in range(1, 20)]
    given = ask("Who must clean what?", hit(block("The tenant must clean:"), *items))
    first, _, *told = given.text.splitlines()
    assert first == f"“The tenant must clean:” [S1.1] – the first {MOST} of 19:"
    assert len(told) == MOST
    assert verify_answer(given).problems == []


def test_items_that_answer_come_with_what_leads_them_in_and_those_between() -> None:
    policy = [
        block("B. The policies include at least the following:", kind="list"),
        block("1. Coverage against fire, with rent for a year;", kind="list"),
        block("2. Automobile coverage, insuring", kind="list"),
        block("owned and hired vehicles;"),
        block("3. Coverage against floods of the ground floor.", kind="list"),
    ]
    given = ask("Which coverages must the policies include?", hit(*policy))
    assert [line.partition("” [")[0] for line in given.text.splitlines()] == [
        "“B. The policies include at least the following:",
        "",
        "- “1. Coverage against fire, with rent for a year;",
        "- “2. Automobile coverage, insuring owned and hired vehicles;",
        "- “3. Coverage against floods of the ground floor.",
    ]


def test_items_found_without_what_leads_them_in_come_with_it() -> None:
    policy = [
        block("B. The tenant insures as follows:", kind="list"),
        block("1. The policies include coverage against fire, up to $2,000;", kind="list"),
        block("2. The policies include coverage against floods, up to $9,000.", kind="list"),
    ]
    blocks = [replace(each, index=at) for at, each in enumerate(policy, 99)]
    whole = replace(means(), blocks=lambda _: blocks)
    passages = [hit("The premises are in Ohio."), hit(*blocks[1:], index=1)]  # 0, and from 100 on
    result = found("Which coverages do the policies include?", passages)
    given = answer_from(result, settings=DEFAULTS, means=whole)
    assert [line.partition("” [")[0] for line in given.text.splitlines()] == [
        f"“{blocks[0].text}",
        "",
        *(f"- “{each.text}" for each in blocks[1:]),
    ]


def test_of_several_things_asked_for_their_list_comes_first() -> None:
    tenant = [
        block("8.1 Tenant's Insurance. Throughout the Term Tenant shall carry:"),
        block("(a) commercial general liability insurance; and", kind="list"),
        block("(b) umbrella liability insurance.", kind="list"),
        block("8.2 Landlord's Insurance. Landlord shall carry property insurance."),
    ]
    given = ask("Which insurance covers does the tenant have to carry?", hit(*tenant))
    lines = [line.partition("” [")[0] for line in given.text.splitlines()]
    assert lines[:4] == [
        "“8.1 Tenant's Insurance. Throughout the Term Tenant shall carry:",
        "",
        "- “(a) commercial general liability insurance; and",
        "- “(b) umbrella liability insurance.",
    ]
    given = ask("Does the landlord carry property insurance, and the tenant?", hit(*tenant))
    assert "shall carry:” [S1.1]\n  - “(a) commercial" in given.text


def test_a_label_is_quoted_with_what_it_is_of_and_never_alone() -> None:
    given = ask("Who is the guarantor?", hit("Guarantor:", "Harbour Holdings plc", "Signed by:"))
    assert given.text == "“Guarantor: Harbour Holdings plc” [S1.1-2]"


def test_neighbouring_sentences_are_one_quotation() -> None:
    clause = hit("The deposit is $9,000. The deposit earns interest at 2%. Pets are welcome here.")
    given = ask("What deposit is due, and does it earn interest?", clause)
    assert given.text.startswith("“The deposit is $9,000. The deposit earns interest at 2%.")
    assert given.text.count("[S1]") == 1


def test_a_sentence_without_the_amount_asked_for_brings_the_one_before_that_has_it() -> None:
    clause = hit(
        "Tenant's share of Controllable Costs shall not exceed one hundred four percent (104%) of "
        "its share for the preceding year. The cap on Controllable Costs is non-cumulative. "
        "“Controllable Costs” means Common Area Costs other than those of snow removal."
    )
    given = ask("CAM cap percentage controllable", clause)
    assert "(104%) of its share for the preceding year. The cap on" in first_line(given)


def test_a_sentence_that_leans_on_the_one_before_brings_it() -> None:
    clause = hit("Vale may terminate in 2029. No other tenant has a right of early termination.")
    given = ask("Does any other tenant have a right of early termination?", clause)
    assert given.text == f"“{clause.chunk.text}” [S1]"


def test_an_item_of_a_list_is_quoted_whole() -> None:
    risk = hit(block("• Taxes. The tenant pays the property taxes. They rise yearly.", kind="list"))
    given = ask("Who pays the property taxes?", risk)
    assert given.text == "“Taxes. The tenant pays the property taxes. They rise yearly.” [S1]"


def test_a_clause_is_not_answered_with_its_title() -> None:
    clause = hit("4.2 Insurance. The Tenant shall keep the Premises insured for $1,000,000.")
    other = hit("4.3 Notices", "Notices are sent by post.", index=1)
    given = ask("What insurance must the tenant keep?", clause, other)
    assert given.text.startswith("“4.2 Insurance. The Tenant shall keep the Premises insured")


def test_a_sentence_broken_over_blocks_is_quoted_whole() -> None:
    broken = hit(
        "Net sales of telephones decreased in the third quarter due to lower sales of",
        "certain models, partly offset by services.",
    )
    given = ask("Why did net sales of telephones decrease?", broken)
    assert given.text == (
        "“Net sales of telephones decreased in the third quarter due to lower sales of certain "
        "models, partly offset by services.” [S1]"
    )


def test_a_contents_page_answers_nothing() -> None:
    contents = hit(row("Item 1A.", "Risk Factors", "20"), row("Item 2.", "Properties", "31"))
    risks = hit("Our main risk is the loss of a tenant.", index=1)
    given = ask("What is the main risk?", contents, risks)
    assert given.text == "“Our main risk is the loss of a tenant.” [S2]"


def test_a_month_or_a_day_asked_for_chooses_the_column() -> None:
    cash = hit(
        block("Cash flow forecast", 3, "heading"),
        row("Week ending", "24 Oct 2025", "7 Nov 2025", "28 Nov 2025", page=3, header=True),
        row("Closing balance", "334", "26", "(77)", page=3),
    )
    assert "28 Nov 2025: (77) [S1" in first_line(ask("closing balance 28 Nov", cash))
    assert "7 Nov 2025: 26; 28 Nov 2025: (77) [S1" in first_line(
        ask("closing balance in Nov", cash)
    )


def test_each_of_the_dates_asked_for_has_its_column() -> None:
    stock = hit(
        block("Inventories (in thousands)", 3, "caption"),
        row("", "October 31, 2019", "June 30, 2019", "October 31, 2018", page=3, header=True),
        row("Finished goods", "35,121", "33,407", "30,973", page=3),
    )

    def told(when: str) -> list[str]:
        line = first_line(ask(f"What was the value of finished goods at {when}?", stock))
        return [figure for figure in ("35,121", "33,407", "30,973") if figure in line]

    assert told("October 31, 2019 and 2018") == ["35,121", "30,973"]
    assert told("June 30 and October 31, 2019") == ["35,121", "33,407"]
    assert told("October 31, 2018") == ["30,973"]


def test_the_actual_figure_is_meant_not_how_far_it_is_from_another() -> None:
    heads = [f"{of} {what}" for of in ("October 2025", "Year to date")
             for what in ("Actual", "Budget", "Variance")]  # fmt: skip
    accounts = hit(
        block("Profit and loss account", 1, "caption"),
        row("£000", *heads, header=True),
        row("Gross margin", "32.6%", "33.4%", "-0.8 pts", "32.5%", "33.0%", "-0.5 pts"),
        row("Turnover", "1,414", "1,485", "(71)", "9,585", "9,935", "(350)"),
    )
    given = ask("What is the gross margin for the year to date?", accounts)
    assert first_line(given) == "Gross margin, Year to date Actual: 32.5% [S1.3]"
    budgeted = first_line(ask("What is the budget gross margin for the year to date?", accounts))
    assert budgeted == "Gross margin, Year to date Budget: 33.0% [S1.3]"
    varied = first_line(ask("What is the variance of the gross margin year to date?", accounts))
    assert varied.startswith("Gross margin, Year to date Variance: -0.5 pts")


def test_a_row_of_money_counts_nothing_that_it_does_not_name() -> None:
    revenue = hit(
        block("Segments (in £ millions)", 3, "caption"),
        row("Revenue", "2025", "2024", page=3, header=True),
        row("Water Treatment", "£121.9", "£104.2", page=3),
        row("Sites", "14", "12", page=3),
    )
    customers = hit(block("Water Treatment won nine customers in 2025.", 3), index=1)
    given = ask("How many customers did Water Treatment win in 2025?", revenue, customers)
    assert "121.9" not in given.text
    assert "14" in ask("How many sites were there in 2025?", revenue, customers).text


def test_of_rows_of_one_name_that_is_first_which_is_asked_for() -> None:
    homes = hit(
        block("Residential values", 3, "heading"),
        row("Type", "Tenure", "Value", page=3, header=True),
        row("Two-bed", "Private", "£31,800,600", page=3),
        row("Two-bed", "Rent", "£3,060,000", page=3),
    )
    quotes = quotes_of(Evidence("S1", with_tables([homes])[0]))
    judged = [Judged(q.parts[0], chance, 0.5) for q, chance in zip(quotes, (0.4, 0.6), strict=True)]
    ask = ask_of(asked("value of the private two-bed"), quotes)
    first, second = likeliest_first(quotes, judged, ask)
    assert [each.row and each.row.label for each in (first, second)] == [
        "Two-bed, Private", "Two-bed, Rent",
    ]  # fmt: skip
    assert (first.chance, second.chance) == (0.4, 0.15)


def test_of_whom_a_row_is_told_goes_before_what_the_judge_finds_likelier() -> None:
    own = hit(
        block("Valuation ratios", 1, "caption"),
        row("", "2025E", "2026E", page=1, header=True),
        row("EV/EBITDA (x)", "9.4", "8.5", page=1),
    )
    peers = hit(
        block("Peers", 3, "caption"),
        row("", "EV/EBITDA 25E", "EV/EBITDA 26E", page=3, header=True),
        row("Hydromont", "11.0", "10.1", page=3),
        index=1,
    )
    pieces = [Evidence(f"S{at}", one) for at, one in enumerate(with_tables([own, peers]), 1)]
    quotes = [quote for piece in pieces for quote in quotes_of(piece)]
    rows = [each for each in quotes if each.row]
    chances = (0.7, 0.3)
    judged = [Judged(q.parts[0], chance, 0.5) for q, chance in zip(rows, chances, strict=True)]

    def first(question: str) -> str:
        told = likeliest_first(quotes, judged, ask_of(asked(question), quotes))[0].row
        return told.label if told else ""

    assert first("Hydromont EV/EBITDA on 2026") == "Hydromont"
    assert first("What is the EV/EBITDA of Hydromont for 2026?") == "Hydromont"
    assert first("What is the EV/EBITDA of Panavent for 2026?") == "EV/EBITDA"


def test_where_several_are_asked_for_the_likeliest_table_shows_its_rows_in_order() -> None:
    names = ("Greenvale", "Kerrigan", "Nordmat", "Ostrava", "Pellworth")
    peers = hit(
        block("Trading comparables", 3, "caption"),
        row("Company", "EV/EBITDA", page=3, header=True),
        *(row(name, f"{at}.5x", page=3) for at, name in enumerate(names, 6)),
    )
    piece = Evidence("S1", with_tables([peers])[0])
    rows = [quote.parts[0] for quote in quotes_of(piece) if quote.row]
    judged = [Judged(each, 0.2 - at / 100, 0.5) for at, each in enumerate(reversed(rows))]
    few = likely(judged, (piece,), lead=NEAREST_TO_IT, answerer="extractive").text
    many = likely(
        judged, (piece,), lead=NEAREST_TO_IT, answerer="extractive", listed=every_column
    ).text
    assert [name in few for name in names] == [False, False, True, True, True]
    assert re.findall(r"^  - (\w+) —", many, re.MULTILINE) == list(names)


def test_a_table_that_is_shown_whole_is_not_shown_again_by_another_passage() -> None:
    peers = hit(
        block("Trading comparables", 3, "caption"),
        row("Company", "EV/EBITDA", page=3, header=True),
        *(row(name, "6.5x", page=3) for name in ("Greenvale", "Kerrigan")),
    )
    (told,) = with_tables([peers])
    pieces = (Evidence("S1", told), Evidence("S2", told))
    rows = [q.parts[0] for piece in pieces for q in quotes_of(piece) if q.row]
    judged = [Judged(each, 0.2, 0.5) for each in rows]
    shown = partial(likely, judged, pieces, lead=NEAREST_TO_IT, answerer="extractive")
    assert shown().text.count("Trading comparables:") == 2
    assert shown(listed=every_column).text.count("Trading comparables:") == 1


def test_a_year_asked_for_chooses_the_row_of_the_balances_it_stands_between() -> None:
    provisions = hit(
        block("Provisions", 3, "heading"),
        row("", "Warranty", "Other", page=3, header=True),
        row("At 1 January 2024", "13.1", "2.5", page=3),
        row("Utilised", "(6.3)", "(0.7)", page=3),
        row("At 31 December 2024", "12.0", "2.1", page=3),
        row("At 1 January 2023", "14.2", "2.7", page=3),
        row("Utilised", "(5.9)", "(0.4)", page=3),
        row("At 31 December 2023", "13.1", "2.5", page=3),
    )
    quotes = quotes_of(Evidence("S1", with_tables([provisions])[0]))
    used = [quote for quote in quotes if quote.row and quote.row.label == "Utilised"]
    judged = [Judged(quote.parts[0], 0.5, 0.5) for quote in used]
    ask = ask_of(asked("utilised in 2023"), used)
    assert [quote.chance for quote in likeliest_first(used, judged, ask)] == [0.5, 0.125]
    assert likeliest_first(used, judged, ask)[0].first == used[1].first


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Who looks after the Hobday claim?", "Hobday — P. Orrell; "),
        ("When did we hear of the Hobday claim?", "Hobday — Notified: 04/02/2025; "),
        ("What do we know of the Hobday claim?", "Hobday — P. Orrell; Notified: 04/02/2025; "),
    ],
)
def test_of_a_row_the_cell_that_answers_stands_first(question: str, first: str) -> None:
    claims = hit(
        block("Open claims", 3, "caption"),
        row("Claim", "Handler", "Notified", "Paid so far", "Reserve", "Cause", header=True),
        row("Hobday", "P. Orrell", "04/02/2025", "1,120", "18,500", "Dog bite"),
        row("Marsh", "T. Vane", "11/03/2025", "2,300", "4,000", "Burst pipe"),
    )
    assert first_line(ask(question, claims)).startswith(first)


def test_where_a_gap_is_asked_for_a_row_is_not_quoted_in_part() -> None:
    sales = hit(
        block("Sales by half year (in thousands)", 3, "caption"),
        row("", "H1 2026", "H1 2025", "Budget H1 2026", header=True),
        row("Cider", "2,410", "2,055", "2,250"),
        row("Pears", "1,240", "1,180", "1,200"),
    )
    told = first_line(ask("By how much did cider beat its budget?", sales))
    assert all(figure in told for figure in ("2,410", "2,250"))
    told = first_line(ask("What was the budget for cider?", sales))
    assert told.startswith("Cider (in thousands) — Budget H1 2026: 2,250")


def test_a_short_mark_is_told_with_its_column() -> None:
    sites = hit(
        row("Site", "Walls", "Sprinklers", "Alarm", header=True),
        row("Cold store", "Panel", "☒ Yes ☐ No", "☐ Yes ☒ No"),
        row("Offices", "Stone", "☐ Yes ☒ No", "☐ Yes ☒ No"),
    )
    given = ask("Does the cold store have sprinklers?", sites)
    assert "Sprinklers: ☒ Yes ☐ No; Panel; Alarm: ☐ Yes ☒ No" in first_line(given)


def test_a_year_asked_for_chooses_the_column() -> None:
    given = ask("What was rental income in 2023?", NOI)
    assert first_line(given) == "Rental income, 2023: $1,800 (in thousands) [S1.3]"


def test_figures_of_other_years_are_no_answer_for_a_year_that_is_not_there() -> None:
    assert ask("What was rental income in 2012?", NOI).likely
    assert not ask("What was rental income in 2025?", NOI).likely  # a fiscal year may differ by one


def test_quotes_of_several_documents_stand_under_their_names() -> None:
    other = hit(row("", "2024", header=True), row("Net operating income", "$1,100"), of=B)
    given = ask("What was net operating income in 2024?", NOI, other)
    assert [line for line in given.text.splitlines() if line.startswith("Lease")] in (
        ["Lease A:", "Lease B:"],
        ["Lease B:", "Lease A:"],
    )


def test_files_that_only_their_endings_tell_apart_stand_under_their_full_names() -> None:
    scan, draft = document("Lease_A.pdf"), document("Lease_A.docx")
    rents = (
        hit(f"The base rent is {rent} a month.", of=of)
        for rent, of in (("$25,000", scan), ("$31,500", draft))
    )
    given = ask("What is the base rent?", *rents, several=True)
    assert "Lease_A.pdf:\n" in given.text
    assert "Lease_A.docx:\n" in given.text


def test_documents_of_several_times_are_told_in_their_order() -> None:
    quarters = [
        hit(f"Net sales were ${sales} billion.", of=document(f"2023 Q{number} Acme.pdf"))
        for number, sales in ((3, 90), (1, 70), (2, 80))
    ]
    given = ask("How have net sales changed?", *quarters, several=True)
    assert [line for line in given.text.splitlines() if line.endswith(":")] == [
        f"2023 Q{number} Acme:" for number in (1, 2, 3)
    ]


def test_where_the_document_that_is_named_does_not_answer_no_other_does() -> None:
    other = hit(row("", "2024", header=True), row("Net operating income", "$1,100"), of=B)
    question = "What was net operating income of B in 2024?"
    result = found(question, (NOI, other))
    of_b = with_question(result, documents=(B.id,))
    assert told(of_b).text.startswith("Net operating income")
    assert "1,200" not in told(of_b).text
    silent = with_question(result, documents=("of a third",))
    assert not told(silent).found


def test_the_row_that_the_question_names_goes_before_sentences_on_it() -> None:
    cause = (
        "The growth in research and development (R&D) expense in the quarter compared to the "
        "same quarter of last year was driven by headcount."
    )
    costs = hit(
        row("", "2024", "2023", header=True),
        row("Research and development", "7,442", "6,797"),
        row("Selling, general and administrative", "5,973", "6,012"),
        index=1,
    )
    asked = "How does R&D expenditure compare to the previous quarter?"
    given = ask(asked, hit(cause), costs, several=True)
    assert first_line(given) == "Research and development — 2024: 7,442; 2023: 6,797 [S2.2]"


def test_a_sentence_that_leads_in_what_is_not_there_is_not_quoted_alone() -> None:
    leads = hit("Share repurchase activity in the quarter was as follows (in millions):")
    says = hit("The Company repurchased 102 million of its shares in the quarter.", index=1)
    given = ask("How many shares did the Company repurchase in the quarter?", leads, says)
    assert given.text == "“The Company repurchased 102 million of its shares in the quarter.” [S2]"


def test_of_several_figures_asked_for_respectively_none_is_left_out() -> None:
    due = hit(
        block("Contractual obligations (in thousands)", 4, "caption"),
        row("", "Total", "Less than 1 year", "2-5 years", page=4, header=True),
        row("Operating leases", "$2,828", "$773", "$2,055", page=4),
        row("Purchase obligations", "460", "460", "-", page=4),
    )
    asked_for = "What are the respective operating leases due in less than one year and after that?"
    assert all(figure in first_line(ask(asked_for, due)) for figure in ("$773", "$2,055"))
    one = first_line(ask("What operating leases are due in less than 1 year?", due))
    assert "$2,055" not in one


def test_a_sentence_that_leads_in_a_table_comes_with_its_rows() -> None:
    lead = "Before impairment the carrying amount of goodwill is allocated as in the table below."
    allocated = hit(
        block(lead, 7),
        row("", "2019", "2018", page=7, header=True),
        *(row(name, "273.6", "288.2", page=7) for name in ("Americas", "Europe", "Asia")),
    )
    asked_for = "To which regions is the carrying amount of goodwill allocated before impairment?"
    lines = ask(asked_for, allocated).text.splitlines()
    assert lines[0] == f"“{lead}” [S1.1]"
    assert lines[2:] == [
        f"- {name} — 2019: 273.6; 2018: 288.2 [S1.{at}]"
        for at, name in enumerate(("Americas", "Europe", "Asia"), 3)
    ]


def test_the_sentence_with_the_amount_asked_for_comes_with_the_one_before_it() -> None:
    retired = "In the fourth quarter the Company decided to retire twelve of its older aircraft."
    charge = "As a result a noncash impairment charge of $70 million was recognized in the quarter."
    page = hit(f"{retired} {charge} The aircraft are parked.")
    given = ask("How large was the write-down for the aircraft the Company will retire?", page)
    assert "$70 million" in given.text.splitlines()[0]


def test_an_address_comes_with_the_clause_that_leads_it_in() -> None:
    lead = "(b) Notices to Garman shall be given in writing at the address for notices shown below:"
    page = hit(
        block(lead, 6, "list"),
        block("Garman Routing Systems, Inc, 502 45th Street West, Saskatoon", 6),
        block("S7L 6H2", 6),
        block(
            "(c) No waiver of any part of this Agreement is binding unless in writing.", 6, "list"
        ),
    )
    given = ask("What is Garman's address for notices?", page)
    assert "502 45th Street West" in given.text
    assert "waiver" not in given.text


def test_a_table_that_is_not_yet_read_as_one_is_not_quoted_as_a_sentence() -> None:
    scrap = "In the second quarter total revenues were 8,603 7,720 16,850 15,131 cost 2,113 2,127"
    page = hit(
        f"{scrap} 4,238 4,172 margin 6,490 5,593 12,612 10,959 tax 49 0 760 0.",
        "Revenues were $8.60 billion.",
    )
    given = ask("What were total revenues in the second quarter?", page)
    assert "$8.60 billion" in given.text
    assert "8,603" not in given.text


def test_a_row_is_called_what_it_says_without_its_number() -> None:
    schedule = hit(
        row("Item 5 – Term", "Five years"),
        row("Item 10 – Further term", "One term of five years"),
        row("Item 11 – Rent", "$86,400 a year"),
    )
    assert ask("What is the term?", schedule).text.startswith("Item 5 – Term: Five years [S1")


def test_of_many_cells_the_one_whose_head_has_a_word_asked_for_stands_first() -> None:
    heads = [f"Column {letter}" for letter in "ABCDEFGHIJ"]
    roll = hit(
        row("Suite", *heads, "Rates rebate ($)", header=True),
        row("B-200 Halyard Logistics", *(str(n) for n in range(100, 110)), "41,800"),
    )
    given = ask("How much is the rebate?", roll)
    assert "— Rates rebate ($): 41,800; Column A: 100" in first_line(given)


@pytest.mark.parametrize("year", ["FY24", "2024"])
def test_a_year_is_asked_for_and_headed_in_any_form(year: str) -> None:
    forecast = hit(
        row("£000", "FY2023A Actual", "FY2024A Actual", "FY2025E Forecast", header=True),
        row("Trade debtors", "9,307", "10,703", "11,354"),
    )
    line = first_line(ask(f"What were trade debtors in {year}?", forecast))
    assert line.startswith("Trade debtors, FY2024A Actual: 10,703")


def test_a_column_is_asked_for_by_two_of_its_words_or_by_another_name() -> None:
    fund = hit(
        row("Class", "Initial charge", "AMC", "OCF", "Return, annualised 3y", header=True),
        row("Alder Income", "0.00%", "0.70%", "0.82%", "6.1%"),
    )
    told = first_line(ask("What is the ongoing charge of Alder Income?", fund))
    assert ", OCF: 0.82%" in told
    told = first_line(ask("Alder Income, annualised return", fund))
    assert "annualised 3y: 6.1%" in told
    assert "0.82%" not in told


def test_a_scrap_beside_a_signature_is_not_quoted() -> None:
    page = hit("as Security Agent", "Hallam Trustees Limited acts as security agent.")
    given = ask("Who is the security agent?", page)
    assert given.text.startswith("“Hallam Trustees Limited acts as security agent")
