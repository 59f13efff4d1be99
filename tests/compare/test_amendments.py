"""An amendment beside the contract that it changes: by the numbers that it names."""

from dataclasses import replace

import numpy as np

from docqa.compare.amendments import amendment_among
from docqa.compare.comparison import compare
from docqa.compare.gather import Evidence
from docqa.settings import Settings
from docqa.types.comparison import Comparison
from docqa.types.document import Block, Chunk, Document
from docqa.types.search import Hit
from tests.compare.pages import block, document, numbered
from tests.compare.test_comparison import tabled

LEASE, DEED = document("Lease"), document("Deed_of_Variation")


def heading(text: str) -> Block:
    return block(text, kind="heading")


CLAUSES = numbered(
    [
        block("This lease is dated 23 June 2023 and made between Elm Ltd and Oak plc."),
        heading("4. Rent"),
        block("4.1 The Tenant shall pay a rent of £20,000 a year."),
        block("4.2 The rent is due on the first day of each month."),
        heading("5. Repairs"),
        block("5.1 The Tenant shall keep the Premises in repair."),
        heading("7. Break"),
        block("7.1 The Tenant may end this lease on 1 June 2028 by six months' notice."),
        heading("9. Use"),
        block("9.1 The Premises shall be used as offices."),
    ]
)
CHANGES = numbered(
    [
        heading("DEED OF VARIATION"),
        block("This deed is supplemental to a lease dated 23 June 2023."),
        heading("2. Variations"),
        block("2.1 Clause 7.1 of the Lease is deleted and replaced with the following:"),
        block("“7.1 The Tenant may end this lease on 1 June 2030 by nine months' notice.”"),
        block("2.2 In clause 4 of the Lease, “£20,000” is replaced by “£25,000”."),
        block("2.3 Clauses 5.1 and 9.1 are amended by adding “at its own cost”."),
        heading("3. This deed"),
        block("3.1 The Tenant keeps this deed safe. Clause 2 of this deed may be amended."),
    ]
)


def rows(*sides: tuple[Document, list[Block]]) -> dict[str, list[str]]:
    found = amendment_among([each for each, _ in sides], [own for _, own in sides])
    return {row.topic: [side.quote for side in row.sides] for row in found.rows} if found else {}


def test_each_clause_that_is_named_stands_beside_what_is_said_of_it() -> None:
    found = rows((LEASE, CLAUSES), (DEED, CHANGES))
    deletion, wording = CHANGES[3].text, CHANGES[4].text
    assert found == {
        "Clause 7.1: Break": [CLAUSES[7].text, f"{deletion} {wording}"],
        "Clause 4: Rent": [f"4. Rent {CLAUSES[2].text} {CLAUSES[3].text}", CHANGES[5].text],
        "Clause 5.1: Repairs": [CLAUSES[5].text, CHANGES[6].text],
        "Clause 9.1: Use": [CLAUSES[9].text, CHANGES[6].text],
    }
    back = rows((DEED, CHANGES), (LEASE, CLAUSES))
    assert back == {topic: quotes[::-1] for topic, quotes in found.items()}


def test_two_amendments_and_two_contracts_amend_neither() -> None:
    assert rows((DEED, CHANGES), (document("Second_amendment"), CHANGES)) == {}
    assert rows((LEASE, CLAUSES), (document("Other_lease"), CLAUSES)) == {}
    assert rows((LEASE, CLAUSES), (DEED, CHANGES[:3])) == {}


def test_an_amendment_of_another_contract_is_told_by_its_day_and_parties() -> None:
    other = [replace(each, text=each.text.replace("2023", "2019")) for each in CHANGES]
    assert rows((LEASE, CLAUSES), (DEED, other)) == {}
    between = [*CHANGES[:1], block("This deed is made between Elm Ltd and Oak Ltd."), *CHANGES[2:]]
    assert rows((LEASE, CLAUSES), (DEED, between)) == {}
    parties = [*CHANGES[:1], block("This deed is made between Elm Ltd and Oak plc."), *CHANGES[2:]]
    assert rows((LEASE, CLAUSES), (DEED, numbered(parties)))


def evidence(*sides: tuple[Document, list[Block]]) -> Evidence:
    """Passages of a paragraph each, whose vectors all point one way."""
    blocks = {each.id: own for each, own in sides}
    hits = {
        each.id: tuple(
            Hit(Chunk(f"{each.id}:{b.index}", each.id, b.index, (b,), ()), each)
            for b in own
            if b.kind != "heading"
        )
        for each, own in sides
    }
    vectors = {
        key: np.tile(np.eye(1, 6, dtype=np.float32), (len(own), 1)) for key, own in hits.items()
    }
    return Evidence(hits, vectors, blocks, tabled(blocks))


def compared(question: str) -> Comparison:
    given = evidence((LEASE, CLAUSES), (DEED, CHANGES))
    return compare([LEASE, DEED], question, given, settings=Settings())


def test_what_is_named_is_paired_and_what_the_amendment_is_silent_on_is_not_told() -> None:
    found = compared("")
    assert [row.topic for row in found.terms] == [
        "Clause 7.1: Break",
        "Clause 4: Rent",
        "Clause 5.1: Repairs",
        "Clause 9.1: Use",
    ]
    pairs = [tuple(hit.chunk.text for hit in pair.passages) for pair in found.pairs]
    assert (CLAUSES[7].text, CHANGES[3].text) in pairs
    assert (CLAUSES[2].text, CHANGES[5].text) in pairs
    assert found.only_in[LEASE.id] == ()
    assert any("Deed_of_Variation.pdf amends Lease.pdf" in said for said in found.warnings)


def test_of_a_subject_the_clauses_on_it_alone_are_told() -> None:
    assert [row.topic for row in compared("Compare the break").terms] == ["Clause 7.1: Break"]
    assert [row.topic for row in compared("Compare the rent").terms] == ["Clause 4: Rent"]
