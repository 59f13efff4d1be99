"""The programs that made the reranker, on documents of their own and one of the samples."""

from itertools import islice, repeat
from pathlib import Path
from random import Random

import numpy as np
import onnxruntime  # type: ignore[import-untyped]
import pytest
import torch

from docqa import installation
from docqa.models.network import words_in
from docqa.models.registry import MINILM, WEIGHTS, required_folder
from docqa.workspace import Workspace
from tests.eval.library import add_files
from tests.training import asked, teach
from tests.training.calibrate import platt
from tests.training.composed import Composed, composed_questions, says, write_documents
from tests.training.examples import Example, Lesson, read_lessons, write_lessons
from tests.training.held_back import parted
from tests.training.lessons import of_composed
from tests.training.network import Reader, bundled_weights, save
from tests.training.read_back import reader_in
from tests.training.teach import averaged, taught
from tests.training.train import PASSAGE, Texts, Turn, filled_up, train, turns

LEASE = "Lease_Harbour_Yard.pdf"
SHORT = 48  # tokens of a text, with which a step takes a third of the time
ASKED = (
    Composed(LEASE, 1, "Which firm rents out the building?", "Harbour Yard Estates Limited"),
    Composed(LEASE, 1, "Of which paper?", "words that no page of it has"),
)


@pytest.fixture(scope="module")
def lessons(tmp_path_factory: pytest.TempPathFactory) -> list[Lesson]:
    folder = tmp_path_factory.mktemp("library")
    with Workspace(folder) as workspace:
        workspace.add([path for path in installation.sample_paths() if path.name == LEASE])
        chunks = workspace.resources.catalog.document_chunks(workspace.documents()[0].id)
        asked = [
            Composed(LEASE, chunk.page_start, chunk.headings[-1], chunk.blocks[-1].text[:60])
            for chunk in chunks
            if chunk.headings
        ]
        return list(of_composed(workspace, (*asked, *ASKED)))


def full(lessons: list[Lesson]) -> list[Lesson]:
    """The lessons, each with as many texts that do not answer as a small step takes."""

    def filled(each: Example) -> Example:
        return Example(each.question, each.right, (*each.wrong, *("Of nothing.",) * 3))

    return [Lesson(filled(each.passages), filled(each.pieces), each.group) for each in lessons]


@pytest.fixture
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """A step takes two questions, and few texts beside what answers."""
    for name in ("QUESTIONS", "LAST_QUESTIONS", "OTHER_PASSAGES", "OTHER_PIECES"):
        monkeypatch.setattr(teach, name, 2)


def test_what_answers_is_never_among_the_others(lessons: list[Lesson]) -> None:
    assert len(lessons) >= 8
    assert "Of which paper?" not in {each.passages.question for each in lessons}
    for lesson in lessons:
        assert lesson.passages.right
        assert not set(lesson.passages.right) & set(lesson.passages.wrong)
        assert not set(lesson.pieces.right) & set(lesson.pieces.wrong)


def test_training_lowers_the_loss_and_the_export_scores_alike(
    lessons: list[Lesson], tmp_path: Path
) -> None:
    torch.manual_seed(0)
    folder = required_folder(MINILM)
    reader, texts = Reader(bundled_weights(folder)), Texts(folder)
    few = [each.passages for each in lessons if len(each.passages.wrong) >= 3][:2]
    one = Turn([Example(e.question, e.right[:1], e.wrong[:3]) for e in few], SHORT)
    losses = train(reader, texts, [repeat(one)], steps=5)
    assert np.mean(losses[-2:]) < 0.8 * np.mean(losses[:2])

    reader.slope, reader.shift = 0.8, -2.0
    save(reader, tmp_path / "network.onnx")
    session = onnxruntime.InferenceSession(tmp_path / "network.onnx")
    words = words_in(folder / WEIGHTS)
    read = [texts.pair(e.question, text, SHORT) for e in few for text in (*e.right, *e.wrong[:9])]
    exported = [
        session.run(["result"], {"question": words[a], "passage": words[b]})[0].item()
        for a, b in read
    ]
    with torch.no_grad():
        raw = reader(*filled_up(read, torch.device("cpu")))
    exact = torch.sigmoid(reader.slope * raw + reader.shift).tolist()
    assert np.abs(np.subtract(exported, exact)).max() < 0.2
    assert np.corrcoef(exported, exact)[0, 1] > 0.95


@pytest.mark.usefixtures("small_steps")
def test_what_is_learnt_last_is_averaged_with_what_was_before(lessons: list[Lesson]) -> None:
    torch.manual_seed(0)
    reader = taught(full(lessons), full(lessons[:4]), steps=2, last_steps=3)
    assert reader.mix.tolist() != Reader(bundled_weights(required_folder(MINILM))).mix.tolist()

    one, other = Reader(bundled_weights(required_folder(MINILM))), reader
    begun, learnt = one.mix.clone(), other.mix.clone()
    mean = averaged(one, other, share=0.7)
    assert mean.mix.tolist() == pytest.approx((0.3 * begun + 0.7 * learnt).tolist())


def test_a_network_that_was_written_is_read_back_and_averaged(tmp_path: Path) -> None:
    torch.manual_seed(0)
    folder = required_folder(MINILM)
    made, texts = Reader(bundled_weights(folder)), Texts(folder)
    with torch.no_grad():
        for each in made.parameters():
            each.mul_(1 + 0.05 * torch.randn_like(each))
    made.slope, made.shift = 0.7, -1.5
    save(made.eval(), tmp_path / "network.onnx")
    back = reader_in(tmp_path / "network.onnx").eval()
    assert (back.slope, back.shift) == pytest.approx((0.7, -1.5))
    pairs = [texts.pair("When does it end?", each, PASSAGE) for each in ("On 1 May.", "Never.")]
    with torch.no_grad():
        one, other = (reader(*filled_up(pairs, torch.device("cpu"))) for reader in (made, back))
        mean = averaged(reader_in(tmp_path / "network.onnx"), back, share=0.7).eval()
        same = mean(*filled_up(pairs, torch.device("cpu")))
    assert one.tolist() == pytest.approx(other.tolist(), abs=0.3)
    assert same.tolist() == pytest.approx(other.tolist(), abs=1e-3)


def test_every_lesson_comes_before_any_comes_again() -> None:
    made = [Example(f"{number}?", ("right",), ("a", "b", "c")) for number in range(6)]
    few = Example("too few others?", ("right",), ("a",))
    kind = turns([*made, few], questions=3, wrong=2, most=96, random=Random(0))
    drawn = [turn.examples for turn in islice(kind, 4)]
    assert sorted(each.question for turn in drawn[:2] for each in turn) == [
        f"{number}?" for number in range(6)
    ]
    assert all(len((*each.right, *each.wrong)) == 3 for turn in drawn for each in turn)


def test_of_some_questions_no_text_answers() -> None:
    answered = Example("answered?", ("right",), tuple("abcdefgh"))
    absent = Example("absent?", (), tuple("abcdefgh"))
    kind = turns([answered, absent], questions=2, wrong=3, most=96, random=Random(0))
    drawn = [each for turn in islice(kind, 50) for each in turn.examples]
    assert not any(each.right for each in drawn if each.question == "absent?")
    left_out = sum(not each.right for each in drawn if each.question == "answered?")
    assert 5 < left_out < 25


def test_lessons_are_kept_and_read_again(lessons: list[Lesson], tmp_path: Path) -> None:
    write_lessons(lessons, tmp_path / "lessons.json.gz")
    assert read_lessons(tmp_path / "lessons.json.gz") == lessons


def test_an_eighth_of_the_documents_is_held_back_whole() -> None:
    none = Example("", (), ())
    every = [Lesson(none, none, f"document {number % 16:02}") for number in range(64)]
    learnt, held = parted(every)
    assert len({each.group for each in held}) == 2
    assert not {each.group for each in held} & {each.group for each in learnt}


def test_what_was_composed_stands_in_the_documents_written_for_it(tmp_path: Path) -> None:
    write_documents(tmp_path)
    texts = {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()}
    asked = [each for each in composed_questions() if each.document in texts]
    assert len(asked) > 1000
    assert {each.document for each in asked} == set(texts)
    assert not [each for each in asked if not says(texts[each.document], each.answer)]


def test_a_document_written_for_it_is_read_with_its_tables(tmp_path: Path) -> None:
    write_documents(tmp_path)
    table = next(path for path in sorted(tmp_path.iterdir()) if "\n| " in path.read_text("utf-8"))
    for path in tmp_path.iterdir():
        if path != table:
            path.unlink()
    with Workspace(tmp_path / "library") as workspace:
        add_files(workspace, tmp_path)
        assert workspace.contents.tables(workspace.documents()[0].id)


def test_calibrated_scores_are_as_often_right_as_they_say() -> None:
    slope, shift = platt(
        [0.0] * 10 + [1.0] * 10, [True] * 2 + [False] * 8 + [True] * 8 + [False] * 2
    )
    low, high = (1 / (1 + np.exp(-(slope * score + shift))) for score in (0.0, 1.0))
    assert (low, high) == pytest.approx((0.2, 0.8), abs=0.01)


@pytest.mark.parametrize(
    ("questions", "documents"),
    [
        (asked.QUESTIONS, asked.DOCUMENTS),
        (asked.READER_QUESTIONS, asked.READER_DOCUMENTS),
    ],
)
def test_what_answers_a_question_as_people_ask_it_stands_in_its_document(
    questions: Path, documents: Path, tmp_path: Path
) -> None:
    asked.write_documents(tmp_path, documents)
    texts = {each.name: each.read_text(encoding="utf-8") for each in tmp_path.iterdir()}
    for each in asked.asked_questions(questions):
        assert (each.kind == "absent") == (each.quotes == ()), each.question
        assert all(quote in texts[each.document] for quote in each.quotes), each.question
