"""Labels, faults and what is counted, on an answer that is made up."""

import json
from pathlib import Path

import pytest

from docqa.types.answer import Check
from docqa.types.document import Block, Box
from docqa.types.table import Row, Table
from tests.eval.checking import Judged, is_found, missed, placed, report, result_of
from tests.eval.faults import KINDS, faults_of, is_printed, numbers_in
from tests.eval.recorded import (
    LABELS,
    Item,
    Passage,
    Read,
    Record,
    answer_of,
    company_of,
    evidence_of,
    letters_before,
    misplaced,
    read_labels,
    read_records,
)

ANSWER = """\
Boeing's revenue rose 10.0%, from $2,000 million in 2021 to $2,200 million in 2022. [S1.2-3]

- $2,200 - $2,000 = $200 million. [S1.3]
- "Demand for aircraft remains strong this year." [S2.1]
"""
ROWS = [
    {
        "id": "made up",
        "document": "BOEING_2022.pdf",
        "question": "Did revenue rise?",
        "answer": ANSWER,
        "passages": [
            {
                "label": "S1",
                "title": "BOEING_2022.pdf, p. 7 — Item 8 › Statements",
                "blocks": [
                    "(Dollars in millions)",
                    "Years ended December 31, | 2022 | 2021",
                    "Revenue | $2,200 | $2,000",
                    "Assets | 9,100 | 8,400",
                ],
            },
            {
                "label": "S2",
                "title": "BOEING_2022.pdf, pp. 8–9 — Item 7",
                "blocks": ["Demand for aircraft remains strong this year. Orders doubled again."],
            },
        ],
    },
    {
        "id": "another",
        "document": "PFIZER_2021.pdf",
        "question": "What is it?",
        "answer": "A company. [S1.1]",
        "passages": [{"label": "S1", "title": "PFIZER_2021.pdf, p. 1", "blocks": ["Pfizer Inc."]}],
    },
]


@pytest.fixture
def records(tmp_path: Path) -> list[Record]:
    text = "\n".join(json.dumps(row) for row in ROWS)
    (tmp_path / "answers.jsonl").write_text(text, "utf-8")
    return read_records(tmp_path)


def items(record: Record) -> list[Item]:
    def item(text: str, kind: str, verdict: str, times: int = 1, **more: str) -> Item:
        at = -1
        for _ in range(times):
            at = record.text.index(text, at + 1)
        return Item(record.id, at, len(text), text[:16], kind, verdict, **more)  # type: ignore[arg-type]

    return [
        item("10.0%", "figure", "computed", sum="(2200-2000)/2000*100"),
        item("$2,000 million", "figure", "there", place="S1.3"),
        item("2021", "period", "there", place="S1.2"),
        item("$2,200 million", "figure", "there", place="S1.3"),
        item("2022", "period", "there", place="S1.2"),
        item("$2,200", "figure", "there", 2, place="S1.3"),
        item("$2,000", "figure", "there", 2, place="S1.3"),
        item("$200 million", "figure", "computed", sum="2200-2000"),
        item("Demand for aircraft remains strong this year.", "quote", "there", place="S2.1"),
    ]


def test_the_labels_kept_are_of_known_kinds_and_hold_little_of_the_answers() -> None:
    labels = [item for items in read_labels().values() for item in items]
    assert len(read_labels()) == 34
    assert {item.verdict for item in labels} == {
        "there", "elsewhere", "computed", "asked", "unsupported",
    }  # fmt: skip
    assert all(len(item.text) <= 40 for item in labels)
    assert all(item.place for item in labels if item.counted and item.verdict != "computed")
    assert all(item.sum for item in labels if item.verdict == "computed")
    assert LABELS.stat().st_size < 150_000


def test_a_record_becomes_the_answer_that_the_product_holds(records: list[Record]) -> None:
    answer = answer_of(records[0].text, evidence_of(records[0]))
    assert [c.label for c in answer.citations] == ["S1.2-3", "S1.3", "S2"]
    head, row = answer.citations[0].blocks
    assert head.column_header
    assert [(cell.text, cell.column) for cell in row.cells] == [
        ("Revenue", 0), ("$2,200", 1), ("$2,000", 2),
    ]  # fmt: skip
    assert answer.evidence[1].hit.chunk.headings == ("Item 7",)
    assert not misplaced(records[0], items(records[0]))
    assert misplaced(records[1], items(records[0])[:1])


def test_heads_that_are_fewer_share_the_columns_beside_the_labels() -> None:
    rows = ("Three months | Six months", "$ | 2022 | 2021 | 2022 | 2021", "Sales | 5 | 4 | 9 | 8")
    record = Record("r", 0, "a.pdf", "", "", (Passage("S1", "a.pdf, p. 2", rows),))
    [piece] = evidence_of(record)
    over, years, sales = piece.hit.chunk.blocks
    assert [(cell.column, cell.span) for cell in over.cells] == [(1, 2), (3, 2)]
    assert [cell.column for cell in years.cells] == [0, 1, 2, 3, 4]
    assert over.column_header
    assert years.column_header
    assert not sales.column_header
    known = [Block(text, 2, Box(1, 2, 3, 4), "table", at, table=7) for at, text in enumerate(rows)]
    table = Table("a", 1, (2,), (), (Row("Sales", (), 2),))
    read = Read({("a.pdf", 2, each.text): each for each in known}, {"a.pdf": (table,)})
    [piece] = evidence_of(record, read=read)
    assert piece.hit.chunk.blocks == tuple(known)
    assert piece.hit.tables == (table,)


def test_faults_are_of_every_kind_and_change_what_stands_there(records: list[Record]) -> None:
    labels = {records[0].id: items(records[0]), records[1].id: []}
    faults = faults_of(records, labels, seed=1, most=50)
    assert {fault.kind for fault in faults} == set(KINDS)
    assert faults == faults_of(records, labels, seed=1, most=50)
    assert faults != faults_of(records, labels, seed=2, most=50)
    printed = numbers_in(" ".join(b for p in records[0].passages for b in p.blocks))
    for fault in faults:
        assert fault.text != records[0].text
        assert fault.around[0] <= fault.start < fault.end <= fault.around[1]
        if fault.kind in ("digit", "operand", "result"):
            assert not any(is_printed(number, printed) for number in numbers_in(fault.put_in))
    put_in = {fault.put_in for fault in faults}
    assert {"$2,000 million", "$8,400 million"} <= put_in  # a column beside, a row below
    assert {"$2,200 billion", "Pfizer"} <= put_in
    assert [f.other for f in faults if f.kind == "document"] == [1]


def test_a_number_is_printed_at_its_own_scale_or_a_thousand_times_it() -> None:
    printed = numbers_in("1,577 of 14")
    assert {str(n) for n in numbers_in("1.6, 1.5, 1577, 140") if is_printed(n, printed)} == {
        "1.6", "1577",
    }  # fmt: skip
    assert company_of("Pfizer_2023Q2_10Q.pdf") == "PFIZER"


def check(record: Record, text: str, result: str, kind: str = "figure") -> Check:
    at = record.text.index(text)
    return Check(kind, text, at, at + len(text), result)  # type: ignore[arg-type]


def test_an_item_gets_the_result_of_the_check_over_it(records: list[Record]) -> None:
    record, labelled = records[0], items(records[0])
    checks = [
        check(record, "$2,000 million", "stands"),
        check(record, "Demand for aircraft", "stands", "quote"),
        check(record, "10.0%", "not supported"),
    ]
    results = [result_of(item, checks) for item in labelled]
    assert results[:4] == ["not supported", "stands", "silent", "silent"]
    assert results[-1] == "stands"
    assert is_found(labelled[2], "in question")
    assert not is_found(labelled[1], "in question")
    judged = Judged(record, tuple(labelled), (), tuple(checks), 1.0)
    assert [alarm.text for alarm in judged.alarms] == ["10.0%"]


def test_checks_keep_their_place_where_citations_were_set_right(records: list[Record]) -> None:
    record = records[0]
    text = record.text.replace("[S1.2-3]", "[S1.3][S2]")
    at = text.index("$200 million")
    moved = Check("figure", "$200 million", at, at + 12, "computed")
    answer = answer_of(text, evidence_of(record))
    [found] = placed(type(answer)(answer.text, "m", checks=(moved,)), record.text)
    assert record.text[found.start : found.end] == "$200 million"
    assert letters_before("a [S1.2] b") == [0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2]


def test_what_falls_short_of_a_bar_is_named(
    records: list[Record], capsys: pytest.CaptureFixture[str]
) -> None:
    record, labelled = records[0], items(records[0])
    silent = report([Judged(record, tuple(labelled), (), (), 1.0)], [])
    assert "n=9" in capsys.readouterr().out
    assert [line.split(" is ")[0] for line in missed(silent, answers=1)] == ["found"]
    everything = tuple(
        Check("quote" if i.kind == "quote" else "figure", i.text, i.at, i.end, "stands")
        for i in labelled
    )
    assert (
        missed(report([Judged(record, tuple(labelled), (), everything, 1.0)], []), answers=1) == []
    )
