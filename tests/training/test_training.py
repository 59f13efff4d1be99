"""The programs that made the reranker, on two of the samples."""

from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import onnxruntime  # type: ignore[import-untyped]
import pytest
import torch
from numpy.typing import NDArray

from docqa import installation
from docqa.models.registry import MINILM, OWN, required_folder
from docqa.workspace import Workspace
from tests.retrieve.passages import chunk, documents
from tests.training.__main__ import halves
from tests.training.calibrate import platt
from tests.training.distil import CANDIDATES, distil, rows
from tests.training.negatives import Example, examples, passage
from tests.training.network import Lower, Reader, Upper, bundled_weights, save, smaller
from tests.training.questions import question_of
from tests.training.train import PASSAGE, QUESTION, Texts, train

SAMPLES = ("Property_A_Offering_Memo.pdf", "Lease_Harbour_Yard.pdf")


@pytest.fixture(scope="module")
def learnt(tmp_path_factory: pytest.TempPathFactory) -> list[Example]:
    folder = tmp_path_factory.mktemp("library")
    with Workspace(folder) as workspace:
        workspace.add([path for path in installation.sample_paths() if path.name in SAMPLES])
        every = workspace.documents()
        assert {document.name for document in every} == set(SAMPLES)
        opened = workspace.resources
        return examples(opened.catalog, opened.encoder, every, random=Random(0))


@pytest.mark.slow
def test_no_passage_is_both_right_and_wrong(learnt: list[Example]) -> None:
    assert len(learnt) > 50
    for example in learnt:
        assert example.question.strip()
        assert example.right
        assert not set(example.right) & set(example.wrong)


@pytest.mark.slow
def test_training_lowers_the_loss_and_the_export_scores_alike(
    learnt: list[Example], tmp_path: Path
) -> None:
    torch.manual_seed(0)
    folder = required_folder(MINILM)
    weights = bundled_weights(folder)
    upper, lower = Upper(weights), Lower(weights)
    texts = Texts(lower, folder)
    few = [example for example in learnt if len(example.wrong) >= 3][:8]
    losses = train(upper, texts, few, steps=16, questions=4, wrong=3)
    assert np.mean(losses[-4:]) < 0.8 * np.mean(losses[:4])

    reader = smaller(Reader(lower, upper, slope=0.8, shift=-2.0), kept=(0, 2), apart=0).eval()
    save(reader, tmp_path / "small.onnx")
    assert (tmp_path / "small.onnx").stat().st_size < 25e6
    session = onnxruntime.InferenceSession(tmp_path / "small.onnx")
    pairs = [(each.question, text) for each in few for text in (*each.right, *each.wrong)]
    read = [
        (np.array([texts.tokens(a, QUESTION)]), np.array([texts.tokens(b, PASSAGE)]))
        for a, b in pairs
    ]
    exported = [_run(session, *each) for each in read]
    with torch.no_grad():
        exact = [reader(torch.tensor(np.concatenate(each, axis=1))).item() for each in read]
    assert np.abs(np.subtract(exported, exact)).max() < 0.15
    assert np.corrcoef(exported, exact)[0, 1] > 0.98


@pytest.mark.slow
def test_a_smaller_network_comes_near_the_larger_one(learnt: list[Example]) -> None:
    torch.manual_seed(0)
    folder = required_folder(MINILM)
    weights = bundled_weights(folder)
    teacher = Reader(Lower(weights), Upper(weights))
    texts = Texts(teacher.lower, folder)
    few = [example for example in learnt if len(example.wrong) >= CANDIDATES - 1][:4]
    student = smaller(teacher, kept=(0, 3, 5), apart=1)
    losses = distil(teacher, student, texts, few, steps=8, random=Random(0))
    assert np.mean(losses[-2:]) < 0.8 * np.mean(losses[:2])


def test_rows_that_are_filled_up_score_as_they_do_alone() -> None:
    folder = required_folder(MINILM)
    weights = bundled_weights(folder)
    reader = Reader(Lower(weights), Upper(weights))
    texts = Texts(reader.lower, folder)
    pairs = [("Who pays the rent?", "The tenant does."), ("When?", "On quarter days. " * 30)]
    tokens = [texts.tokens(a, QUESTION) + texts.tokens(b, OWN.max_tokens) for a, b in pairs]
    with torch.no_grad():
        alone = [reader.raw(torch.tensor([each])).item() for each in tokens]
        together = reader.batch(*rows(texts, pairs))[1].tolist()
    assert together == pytest.approx(alone, abs=1e-3)


def test_half_of_the_documents_are_held_back() -> None:
    one = documents("A.pdf")[0]
    every = [replace(one, id=f"{number:06x}" + "0" * 58) for number in range(10)]
    learnt, unseen = halves(every)
    assert [each.id[5] for each in learnt] == ["1", "3", "5", "7", "9"]
    assert [each.id[5] for each in unseen] == ["0", "2", "4", "6", "8"]


def _run(
    session: onnxruntime.InferenceSession, question: NDArray[np.int64], passage: NDArray[np.int64]
) -> float:
    (result,) = session.run(["result"], {"question": question, "passage": passage})
    return float(result.item())


@pytest.mark.parametrize(
    ("sentence", "asked"),
    [
        ("“Premises” means the third floor of the building.", "Premises"),
        ("The rent is $48,000 a year, payable in advance on quarter days.", "the rent"),
        ("Net sales increased in 2022 primarily due to higher prices.", "net sales"),
        ("The tenant shall keep the premises in good repair.", "the tenant"),
    ],
)
def test_a_sentence_is_asked_for_by_its_subject(sentence: str, asked: str) -> None:
    for seed in range(5):
        question = question_of(sentence, Random(seed))
        assert asked.lower() in question.lower()
        assert "{" not in question


def test_a_sentence_without_a_subject_of_its_own_is_not_asked_for() -> None:
    assert question_of("It is due on the first day of each month.", Random(0)) == ""


def test_the_words_a_question_was_made_from_are_hidden() -> None:
    one = replace(chunk("Notice period. Six months."), headings=("Term", "Notice"))
    assert passage(one) == "Term › Notice\nNotice period. Six months."
    assert passage(one, hidden="Notice period.") == "Term › Notice\n Six months."
    assert passage(one, hidden="Notice") == "Term\n period. Six months."


def test_calibrated_scores_are_as_often_right_as_they_say() -> None:
    slope, shift = platt(
        [0.0] * 10 + [1.0] * 10, [True] * 2 + [False] * 8 + [True] * 8 + [False] * 2
    )
    low, high = (1 / (1 + np.exp(-(slope * score + shift))) for score in (0.0, 1.0))
    assert (low, high) == pytest.approx((0.2, 0.8), abs=0.01)
