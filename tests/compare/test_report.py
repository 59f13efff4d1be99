"""The text of a comparison: its table, its sentences, and citations that hold by construction."""

import re
from dataclasses import replace

from docqa.compare.figures import compare_figures
from docqa.compare.redline import edits_of
from docqa.compare.report import CHANGES, compose, summarise, worth_listing
from docqa.compare.terms import compare_terms, sentences_of
from docqa.compare.topics import overall_topics
from docqa.types.comparison import Change, Comparison
from docqa.types.document import Block, join_blocks
from docqa.types.phrases import shortened
from tests.compare.pages import block, document, figures_of, hit, numbered, table

A, B, C = document("Lease_North"), document("Lease_South"), document("Lease_West")


def comparison(first: list[Block], second: list[Block]) -> Comparison:
    blocks = {A.id: numbered(first), B.id: numbered(second)}
    figures = {each.id: figures_of(each, blocks[each.id]) for each in (A, B)}
    return Comparison(
        documents=(A, B),
        question="overall",
        figures=compare_figures(figures),
        pairs=(),
        only_in={
            A.id: (
                hit(
                    "Lease_North", 7, "Pets are welcome in every flat, dogs and cats alike.", page=6
                ),
            ),
            B.id: (),
        },
        text="",
        terms=compare_terms(
            [A, B], {each: sentences_of(own) for each, own in blocks.items()}, overall_topics()
        ),
    )


def of_three(*texts: str) -> Comparison:
    """Of three documents, each with the sentences of a text, apart by "|"."""
    sides = [numbered([block(said) for said in text.split("|")]) for text in texts]
    every = (A, B, C)
    figures = {own.id: figures_of(own, side) for own, side in zip(every, sides, strict=True)}
    return Comparison(every, "overall", compare_figures(figures), (), {}, "")


NORTH = [
    block("The monthly rent is $25,000.", page=2),
    block("This lease is governed by the law of Ohio.", page=3),
]
SOUTH = [block("The monthly rent is $31,500.", page=1), block("Courts decide.", page=5)]


def test_the_whole_text() -> None:
    text, citations = compose(comparison(NORTH, SOUTH))
    assert text == "\n".join(
        [
            "| Metric | Lease North | Lease South | Difference |",
            "| --- | --- | --- | --- |",
            "| Monthly rent | $25,000 [DocA:p2] | $31,500 [DocB:p1] | −$6.5K (−20.6%) |",
            "| Governing law | “This lease is governed by the law of Ohio.” [DocA:p3] "
            "| not found; nearest p. 5: “Courts decide.” | only in Lease North |",
            "| Rent | “The monthly rent is $25,000.” [DocA:p2] "
            "| “The monthly rent is $31,500.” [DocB:p1] | differs |",
            "",
            "Compared with Lease South, Lease North has the lower monthly rent (−$6.5K, −20.6%) "
            "[DocA:p2][DocB:p1]. The terms differ on rent. Only in Lease North: governing law.",
            "",
            "Only in Lease North: “Pets are welcome in every flat, dogs and cats alike” [DocA:p6].",
        ]
    )
    assert [each.label for each in citations] == ["DocA:p2", "DocB:p1", "DocA:p3", "DocA:p6"]


def test_each_marker_has_its_citation_and_each_citation_its_marker() -> None:
    text, citations = compose(comparison(NORTH, SOUTH))
    markers = set(re.findall(r"\[(Doc[AB]:p\d+)\]", text))
    assert markers == {each.label for each in citations}
    for cited in citations:
        assert {each.page for each in cited.blocks} == {cited.page}
        assert cited.quote == join_blocks(cited.blocks)
        assert cited.verified == "verified"
        assert cited.label == f"Doc{'AB'[cited.document_id == B.id]}:p{cited.page}"


def test_a_row_paired_under_other_words_is_called_by_both() -> None:
    given = comparison(NORTH, SOUTH)
    [rent] = given.figures
    first, second = rent.values
    called = replace(rent, values=(first, replace(second, label="Hire")))
    text, _ = compose(replace(given, figures=(called,)))
    assert text.splitlines()[2].startswith("| Monthly rent / Hire |")
    more = replace(rent, values=(first, replace(second, label="Monthly rent and fees")))
    text, _ = compose(replace(given, figures=(more,)))
    assert text.splitlines()[2].startswith("| Monthly rent |")


def test_a_refused_difference_says_why() -> None:
    text, _ = compose(comparison([block("The fee is $5.")], [block("The fee is €5.")]))
    assert "Not compared: the units differ (USD and EUR)." in text
    assert "Compared with" not in text


def test_the_summary_is_the_text_without_what_is_shown_beside_it() -> None:
    given = comparison(NORTH, SOUTH)
    text, _ = compose(given)
    said = summarise(given)
    assert said in text.split("\n\n")
    assert said.startswith("Compared with Lease South, Lease North has the lower monthly rent")
    refused = comparison([block("The fee is $5 per month.")], [block("The fee is $60.")])
    assert "Fee is not compared; the table says why." in summarise(refused)
    assert summarise(comparison([block("One.")], [block("Two.")])) == ""


def test_the_summary_has_one_marker_for_a_figure_that_is_a_sum_over_pages() -> None:
    given = comparison(NORTH, SOUTH)
    [rent] = given.figures
    first, second = rent.values
    elsewhere = replace(first, block=replace(first.block, page=4))
    added = replace(rent, values=(replace(first, addends=(first, elsewhere)), second))
    text, _ = compose(replace(given, figures=(added,)))
    assert "| $25,000 [DocA:p2][DocA:p4] |" in text
    assert "monthly rent (−$6.5K, −20.6%) [DocA:p2][DocB:p1]." in text


def test_what_the_table_has_no_room_for_follows_in_words() -> None:
    law = "This lease, its schedules and all that arises out of it are governed by the law of"
    quotes = [block(f"{law} {state}, and {'the courts there ' * 6}decide.") for state in "XY"]
    names = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta"]
    figures = [block(f"The {name} fee is $5.") for name in names]
    text, _ = compose(comparison([*figures, quotes[0]], [*figures, quotes[1]]))
    assert "Eta fee is the same: Lease North $5 [DocA:p1], Lease South $5 [DocB:p1]." in text
    assert f"- Governing law – Lease North: “{law} X, and" in text


def test_what_is_not_in_the_table_has_a_line_for_each_of_three_documents() -> None:
    names = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota"]
    text, _ = compose(
        of_three(*("|".join(f"The {n} fee is ${d}." for n in names) for d in (5, 6, 7)))
    )
    assert text.split("\n\n")[-1] == (
        "- Iota fee: highest Lease West $7 [DocC:p1], then Lease South $6 [DocB:p1], "
        "lowest Lease North $5 [DocA:p1]."
    )


def test_what_one_of_three_documents_has_does_not_crowd_out_what_more_have() -> None:
    given = of_three(*(f"The rent is ${fee}." for fee in (5, 6, 7)))
    [rent] = given.figures
    alone = [replace(rent, label=f"Fee {n}", values=rent.values[:1]) for n in range(9)]
    text, _ = compose(replace(given, figures=(*alone, rent)))
    assert text.splitlines()[2].startswith("| Rent |")


def test_dates_are_later_and_terms_longer() -> None:
    first = [block("The term is 10 years."), block("The closing date is May 3, 2025.")]
    second = [block("The term is 5 years."), block("The closing date is June 3, 2025.")]
    text, _ = compose(comparison(first, second))
    assert "the longer term (+5 years, +100.0%) [DocA:p1][DocB:p1]; the earlier closing" in text


def test_three_documents_are_told_in_the_order_of_what_is_compared() -> None:
    said = summarise(
        of_three("The term is 36 months.", "The term is 5 years.", "The term is 2 years.")
    )
    assert said == (
        "Term: longest Lease South 5 years [DocB:p1], then Lease North 36 months [DocA:p1], "
        "shortest Lease West 2 years [DocC:p1]."
    )


def test_of_outflows_the_largest_is_the_highest() -> None:
    given = of_three(
        "The property tax is $5.", "The property tax is $7.", "The property tax is $6."
    )
    [row] = given.figures
    spent = tuple(replace(each, value=-each.value, text=f"({each.text})") for each in row.values)
    said = summarise(replace(given, figures=(replace(row, values=spent),)))
    assert "highest Lease South ($7) [DocB:p1]" in said


def test_of_three_documents_each_figure_has_a_line_of_its_own() -> None:
    fees = (f"The fee is ${fee}.|The rent is $9." for fee in (5, 6, 7))
    given = replace(of_three(*fees), terms=comparison(NORTH, SOUTH).terms[1:])
    [opening, *lines], rest = (part.split("\n") for part in summarise(given).split("\n\n"))
    assert opening == "The figures that all the documents state, each in its order:"
    assert lines == [
        "- Rent is the same in all: Lease North $9 [DocA:p1], Lease South $9 [DocB:p1] "
        "and Lease West $9 [DocC:p1].",
        "- Fee: highest Lease West $7 [DocC:p1], then Lease South $6 [DocB:p1], "
        "lowest Lease North $5 [DocA:p1].",
    ]
    assert rest == ["The terms differ on rent."]


def test_an_equal_figure_is_called_the_same() -> None:
    text, _ = compose(comparison([block("The fee is $5.")], [block("The fee is $5.")]))
    assert "Compared with Lease South, Lease North has the same fee [DocA:p1][DocB:p1]." in text


def test_a_table_has_at_most_eight_rows() -> None:
    rows = [f"Item {letter} | ${place}" for place, letter in enumerate("abcdefghijkl", start=1)]
    side = table("Item | Amount", *rows)
    text, _ = compose(comparison(side, side))
    lines = [line for line in text.splitlines() if line.startswith("|")]
    assert len(lines) == 2 + 8


def test_a_topic_within_a_sentence_keeps_the_capitals_of_its_name() -> None:
    given = comparison(NORTH, SOUTH)
    _, rent = given.terms
    names = ("Rent", "Exhibit A", "Schedule II", "GDPR compliance", "Limits of liability")
    said = summarise(replace(given, terms=tuple(replace(rent, topic=name) for name in names)))
    assert said.endswith(
        "The terms differ on rent, Exhibit A, Schedule II, GDPR compliance and limits of liability."
    )


def test_a_pipe_in_a_document_does_not_break_the_table() -> None:
    text, _ = compose(comparison([block("The a|b fee is $5.")], [block("The a|b fee is $6.")]))
    row = next(line for line in text.splitlines() if "fee" in line.lower())
    assert "a\\|b" in row.lower()
    assert len(re.findall(r"(?<!\\)\|", row)) == 5


def test_nothing_in_common_is_said() -> None:
    bare = Comparison((A, B), "x", (), (), {}, "")
    assert compose(bare) == (
        "Nothing comparable on this was found in Lease_North.pdf and Lease_South.pdf.",
        (),
    )


def test_a_scaled_figure_shows_its_value() -> None:
    caption = block("(In millions)", kind="caption")
    rows = table("US dollars | 2024", "Net sales | 97,278")
    [figure] = figures_of(A, [caption, *rows])
    assert figure.shown == "$97,278 million"


def test_of_two_versions_the_redline_comes_first() -> None:
    edits = edits_of("60 days", "90 days")
    old, new = (block(f"{days} days", page=8, index=days) for days in (60, 90))
    change = Change("changed", "4.2", "60 days", "90 days", (old,), (new,), edits)
    found = replace(comparison(NORTH, SOUTH), changes=(change,))
    opening = "The two are versions of one text. Its paragraphs and clauses: 1 changed."
    asked, cited = compose(replace(found, question="What has changed?"))
    other, _ = compose(replace(found, question="Compare the rent", narrowed=True))
    listed = "\n\n- Changed 4.2: “90” (was “60”) days [DocA:p8][DocB:p8]"
    assert asked.startswith(f"{opening}{listed}")
    assert other.startswith(f"Of the paragraphs and clauses on this: 1 changed.{listed}")
    assert "| Metric |" in other.partition(listed)[2]
    assert [each.label for each in cited][:2] == ["DocA:p8", "DocB:p8"]


def test_of_what_is_asked_for_alone_that_is_told_and_where_there_is_none_all() -> None:
    new, gone = (block(f"{each}. Pets.", page=2) for each in ("5", "6"))
    changes = (
        Change("new", "5", "", new.text, (), (new,)),
        Change("gone", "6", gone.text, "", (gone,)),
    )
    found = replace(comparison(NORTH, SOUTH), changes=changes)
    for question, kinds in (
        ("Which clauses were removed?", {"Gone"}),
        ("What was added?", {"New"}),
        ("What moved?", {"New", "Gone"}),
    ):
        text, _ = compose(replace(found, question=question))
        assert {kind for kind in ("New", "Gone") if f"- {kind} " in text} == kinds


def test_where_nothing_asked_for_changed_that_is_said() -> None:
    own = block("5. Pets.", page=2)
    same = Change("unchanged", "5", own.text, own.text, (own,), (own,))
    found = replace(comparison(NORTH, SOUTH), changes=(same,), narrowed=True)
    text, _ = compose(replace(found, question="What changed in the pets clause?"))
    assert text.startswith("What was found on this is unchanged.")


def test_a_clause_with_another_number_is_told_by_both_and_its_words_alone() -> None:
    first, second = ("15.3 The Landlord shall clean.", "14.3. The Landlord may clean.")
    own, other = block(first), block(second)
    edits = edits_of(first, second)
    change = Change("changed", "14.3", first, second, (own,), (other,), edits)
    text, _ = compose(replace(comparison(NORTH, SOUTH), changes=(change,)))
    assert "- Changed 15.3 to 14.3: The Landlord “may” (was “shall”) clean. [" in text


def test_a_redline_is_listed_in_order_without_the_headings_of_clauses_that_are() -> None:
    head = block("5. Pets", kind="heading")
    lone = block("6. Law", kind="heading")
    text = block("Text.")
    changes = (
        Change("new", "5", "", head.text, (), (head,)),
        Change("new", "5.1", "", "5.1 Pets are welcome.", (), (block("5.1 Pets are welcome."),)),
        Change("gone", "6", lone.text, "", (lone,)),
        Change("unchanged", "7.1", "7.1 Yes.", "7.1 Yes.", (text,), (text,)),
        Change("moved", "8.1", "2.1 No dogs.", "8.1 No dogs.", (text,), (text,)),
        Change("changed", "10", "10 days", "11 days", (text,), (text,), figures_changed=True),
    )
    assert worth_listing(changes) == [*changes[1:3], *changes[4:]]
    found = replace(comparison(NORTH, SOUTH), question="What changed?", changes=changes)
    lines = [line for line in compose(found)[0].split("\n") if line.startswith("- ")]
    assert [line.split(":")[0] for line in lines] == [
        "- New 5.1",
        "- Gone 6",
        "- Moved 2.1 to 8.1",
        "- Changed 10",
    ]


def test_of_too_many_changes_those_of_numbers_are_listed() -> None:
    of_words = [Change("new", str(n), "", "Pets.", (), (block("Pets."),)) for n in range(CHANGES)]
    changes = (*of_words, replace(of_words[0], number="99", figures_changed=True))
    found = replace(comparison(NORTH, SOUTH), question="What changed?", changes=changes)
    *_, first, last = compose(found)[0].split("\n\n")[1].splitlines()
    assert first.startswith("- New 99")
    assert last == "- and 1 more change."


def test_the_same_text_is_said_to_be_the_same() -> None:
    same = Change("unchanged", "1", "1 Yes.", "1 Yes.")
    bare = Comparison((A, B), "overall", (), (), {}, "", changes=(same, same))
    assert compose(bare)[0] == "The two documents have the same text, paragraph for paragraph."


def test_a_long_quote_is_cut_between_words() -> None:
    assert shortened("one two three", 9) == "one two …"
    assert shortened("one two", 9) == "one two"
