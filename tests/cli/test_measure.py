"""Measuring search from the command line."""

from pathlib import Path

from tests.cli.conftest import Run


def test_evaluate(run: Run, tmp_path: Path) -> None:
    asked = tmp_path / "questions.jsonl"
    lines = [
        '{"question": "What is the monthly rent?", "document": "Lease North.pdf", "pages": [1]}',
        '{"question": "How many moons has Saturn?", "answerable": false}',
    ]
    asked.write_text("\n".join(lines), encoding="utf-8")
    code, [told] = run("evaluate", str(asked))
    assert code == 0
    within, everywhere = told["figures"]
    assert within["hit_at"]["1"] == {"value": 1.0, "hits": 1, "n": 1, "interval": [0.2065, 1.0]}
    assert everywhere["every_document"]["n"] == 1
    assert everywhere["refusal_recall"]["n"] == 1
    assert len(told["questions"]) == 3
    asked.write_text('{"question": "Rent?", "document": "Memo.pdf"}', encoding="utf-8")
    code, [told] = run("evaluate", str(asked), "--within", "library")
    assert (code, len(told["skipped"])) == (1, 1)
