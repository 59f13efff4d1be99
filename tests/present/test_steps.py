"""What an answerer did, in words."""

from docqa.present.steps import after
from docqa.types.answer import Step
from docqa.types.events import AnswerEvent, PassagesFound, Reading, Retrying, Searching, TextDelta


def test_each_event_is_a_step_and_an_outcome_belongs_to_its_search() -> None:
    events: list[AnswerEvent] = [
        Searching("break right", ("a", "b")),
        PassagesFound(1, ("A.pdf", "B.pdf", "C.pdf", "D.pdf")),
        TextDelta("The tenant"),
        Reading("Lease.pdf", 4),
        Reading("Rents.xlsx", 2, "sheet “Rents”"),
    ]
    steps: tuple[Step, ...] = ()
    for event in events:
        steps = after(steps, event)
    assert steps == (
        Step(
            "Searching in 2 documents: break right", "1 passage in A.pdf, B.pdf, C.pdf and 1 more"
        ),
        Step("Reading Lease.pdf, page 4"),
        Step("Reading Rents.xlsx, sheet “Rents”"),
    )
    assert after((), PassagesFound(2)) == (Step("2 passages"),)


def test_a_wait_counts_down_on_one_line() -> None:
    steps = after((), Searching("rent"))
    for seconds in (3.0, 2.0, 1.0):
        steps = after(steps, Retrying(seconds, "the server is busy"))
    assert [each.text for each in steps] == [
        "Searching: rent",
        "Waiting 1 s: the server is busy",
    ]


def test_what_is_not_waited_for_is_told_as_it_is() -> None:
    assert after((), Retrying(0.0, "The model looks again")) == (Step("The model looks again"),)
