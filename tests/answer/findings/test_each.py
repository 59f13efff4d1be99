"""What each of several documents says, as one answer."""

from docqa.answer.evidence import add_evidence, citations_in, resolve
from docqa.answer.findings.each import NOT_OUTRIGHT, together
from docqa.answer.findings.quoting import ALSO
from docqa.answer.findings.worked import LIKELY, NEAREST_TO_IT
from docqa.types.answer import Answer
from tests.answer.passages import document, hit


def told(name: str, text: str, *, likely: bool = False, found: bool = True) -> Answer:
    passages = [
        hit("Nobody cites this.", of=document(name)),
        hit("Words.", of=document(name), index=1),
    ]
    evidence = add_evidence((), passages)
    return Answer(
        text, "extractive", citations_in(text, evidence), evidence, (), found=found, likely=likely
    )


STATED = told("Lease A.pdf", f"“Six months.” [S2]\n\n{ALSO}\n- “Rent.” [S1]")
NEAR = told("Lease B.pdf", f"{LIKELY}\n- “Notice.” [S2]\n- “Term.” [S1]", likely=True)
FAR = told("Lease C.pdf", f"{NEAREST_TO_IT}\n- “Dogs.” [S1]", likely=True)
NOTHING = told("Memo.pdf", "Nothing.", found=False)


def test_what_is_stated_comes_first_and_silence_is_told() -> None:
    answers = {"Lease B.pdf": NEAR, "Memo.pdf": NOTHING, "Lease C.pdf": FAR, "Lease A.pdf": STATED}
    both = together(answers)
    assert both.text == (
        "Lease A:\n- “Six months.” [S1]\n\n"
        f"{NOT_OUTRIGHT}\n- Lease B: “Notice.” [S2]\n\n"
        "Nothing stands out in Memo or Lease C."
    )
    assert both.found
    assert not both.likely
    names = [resolve(label, both.evidence).document for label in ("S1", "S2")]
    assert names == ["Lease A.pdf", "Lease B.pdf"]


def test_likely_places_alone_are_no_more_than_likely() -> None:
    assert together({"Lease B.pdf": NEAR, "Memo.pdf": NOTHING}).likely


def test_of_a_table_its_first_rows_are_shown() -> None:
    rows = "".join(f"\n  - {unit} — Rent: 10 [S2]" for unit in range(5))
    table = told("Roll.pdf", f"{LIKELY}\n- Rents:{rows}\n- “Term.” [S1]", likely=True)
    both = together({"Lease B.pdf": NEAR, "Roll.pdf": table})
    _, shown = both.text.split("- Roll: ")
    assert shown.splitlines() == ["Rents:", *(f"  - {unit} — Rent: 10 [S2]" for unit in range(3))]


def test_where_nothing_comes_near_anywhere_nothing_is_found() -> None:
    assert not together({"Memo.pdf": NOTHING, "Lease D.pdf": NOTHING}).found


def test_a_notice_is_given_where_all_have_it() -> None:
    warned = Answer("No.", "extractive", warnings=("One.", "Two."), found=False)
    other = Answer("“Six.” [S1]", "extractive", evidence=STATED.evidence, warnings=("Two.",))
    assert together({"A.pdf": warned, "B.pdf": other}).warnings == ("Two.",)


def test_where_no_place_is_likely_the_nearest_of_each_is_shown() -> None:
    other = told("Lease D.pdf", f"{NEAREST_TO_IT}\n- “Cats.” [S2]\n- “Birds.” [S1]", likely=True)
    both = together({"Lease C.pdf": FAR, "Lease D.pdf": other, "Memo.pdf": NOTHING})
    assert both.text == (
        f"{NEAREST_TO_IT}\n- Lease C: “Dogs.” [S1]\n- Lease D: “Cats.” [S2]\n\n"
        "Nothing stands out in Memo."
    )
    assert both.likely
