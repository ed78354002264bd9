"""``evaluate_search``: a set through the product in a database of its own, which is gone afterwards."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from pytest_django import DjangoDbBlocker

from library.models import Passage
from search.evaluation import judged_sets, runner, scratch
from search.evaluation.kept_vectors import KeptVectors
from search.evaluation.report import BEGIN, END
from search.evaluation.scratch import scratch_database
from search.providers import choice
from search.providers.protocols import RerankSkipped
from tests.search.tiny_models import TinyEmbedder, TinyReranker

DOCUMENTS = {
    "word": "كتاب الطهارة والوضوء",
    "kin": "باب في كتابه",
    "empty": "",
    "twin": "باب في كتابه",
    "odd \0 id": "ما لا يخزن \0 \ud800",
}
QUERIES = "q1\tكتاب\nq2\tالوضوء\tللصلاة\nunjudged\tقلم\nq3\tمجهول\n"
QRELS = "q1\t0\tword\t2\nq1\t0\tkin\t1\nq2\t0\tword\t1\nq3\t0\tgone\t1\nabsent\t0\tword\t1\n"


@pytest.fixture(scope="module")
def db(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The database without a transaction: a scratch one is made beside it, and nothing is written to it.

    Under the name of pytest-django's own fixture, by which it knows that there must be a database.
    """
    with django_db_blocker.unblock():
        yield
        connection.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A judged set with everything odd that a set may have."""
    made = tmp_path_factory.mktemp("sets") / "odd"
    made.mkdir()
    lines = [json.dumps({"id": name, "text": text}) + "\n" for name, text in DOCUMENTS.items()]
    (made / "corpus.jsonl").write_text("".join(lines))
    (made / "queries.tsv").write_text(QUERIES)
    (made / "qrels.tsv").write_text(QRELS)
    return made


def databases() -> set[str]:
    with connection._nodb_cursor() as server:
        server.execute("SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [scratch.PREFIX])
        return {name for (name,) in server.fetchall()}


@dataclass
class Done:
    """What a run left."""

    numbers: dict[str, dict[str, float]]
    page: str
    out: str
    err: str


@pytest.fixture(scope="module")
def done(db: None, folder: Path) -> Done:
    """One run with all its options."""
    out, err = StringIO(), StringIO()
    file, page = folder.parent / "numbers.json", folder.parent / "page.md"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(choice, "embedder", lambda: TinyEmbedder(alike={"مجهول": "الطهارة"}))
        patch.setattr(choice, "reranker", lambda: TinyReranker(RerankSkipped("busy")))
        patch.setattr(KeptVectors, "embed_documents", lambda self, texts: self._embedder.embed_documents(texts))
        call_command("evaluate_search", folder, layers=True, json_file=file, markdown=page, stdout=out, stderr=err)
    return Done(json.loads(file.read_text()), page.read_text(), out.getvalue(), err.getvalue())


def test_the_numbers_are_written_as_json(done: Done) -> None:
    assert set(done.numbers["lexical"]) == {"ndcg@10", "map@10", "mrr@10", "recall@24", "recall@100", "ms"}


def test_they_are_those_of_the_judgements(done: Done) -> None:
    found = done.numbers["lexical"]
    assert found["mrr@10"] == pytest.approx(2 / 3, abs=1e-5)
    assert found["recall@24"] == pytest.approx(2 / 3, abs=1e-5)


def test_layers_are_measured_apart(done: Done) -> None:
    words, stems = done.numbers["lexical, words"], done.numbers["lexical, stems"]
    assert words["recall@100"] < stems["recall@100"]


def test_every_arm_is_measured(done: Done) -> None:
    assert list(done.numbers) == ["lexical, words", "lexical, stems", "lexical", "semantic", "fused", "reranked"]
    assert done.numbers["semantic"]["recall@24"] > 0
    assert done.numbers["fused"]["recall@24"] >= done.numbers["lexical"]["recall@24"]


def test_queries_that_an_arm_answered_with_less_are_counted(done: Done) -> None:
    assert "odd: reranked was less than that for 3 queries: busy" in done.err


def test_what_cannot_take_part_is_counted(done: Done) -> None:
    assert "odd: 1 queries without a relevant passage" in done.err
    assert "odd: 1 judged queries that are not in the set" in done.err
    assert "odd: 1 judgements of passages that are not in the corpus" in done.err


def test_a_table_is_printed(done: Done) -> None:
    assert "odd: 3 queries, 5 passages" in done.out
    assert "nDCG@10" in done.out


def test_a_page_gets_its_table_between_the_marks(done: Done) -> None:
    assert done.page.startswith(f"before\n{BEGIN}\n")
    assert done.page.endswith(f"{END}\nafter\n")
    assert "**odd** (3 queries, 5 passages)" in done.page
    assert "old" not in done.page


def test_the_live_database_is_left_alone(done: Done) -> None:
    assert not Passage.objects.filter(edition__source="judged").exists()


@pytest.fixture
def bare(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Scratch databases without tables: made in a moment."""
    monkeypatch.setattr(scratch, "call_command", lambda *args, **options: None)


def test_a_scratch_database_is_dropped_at_the_end(bare: None) -> None:
    with scratch_database() as name:
        assert connection.settings_dict["NAME"] == name
        assert name in databases()
    assert name not in databases()


def test_django_is_connected_as_before_at_the_end(bare: None) -> None:
    before = connection.settings_dict["NAME"]
    with scratch_database():
        pass
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_database()")
        assert cursor.fetchone() == (before,)


def test_it_is_dropped_after_an_interrupt(bare: None) -> None:
    with pytest.raises(KeyboardInterrupt), scratch_database() as name:
        interrupt()
    assert name not in databases()


def interrupt() -> None:
    raise KeyboardInterrupt


def test_what_a_killed_run_left_is_dropped_by_the_next(bare: None) -> None:
    left = f"{scratch.PREFIX}7"
    with connection._nodb_cursor() as server:
        server.execute(f"CREATE DATABASE {left}")
    with scratch_database():
        assert left not in databases()


def test_the_database_of_a_living_run_stays(bare: None) -> None:
    with scratch_database() as name, connection._nodb_cursor() as server:
        scratch._drop_leftovers(server)
        assert name in databases()


def test_an_arm_that_there_is_not_is_left_out(
    db: None, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "indexed", lambda judged, **options: nullcontext(list(DOCUMENTS)))
    monkeypatch.setattr(choice, "reranker", lambda: None)
    file, err = tmp_path / "numbers.json", StringIO()
    call_command("evaluate_search", folder, wanted=["reranked"], json_file=file, stdout=StringIO(), stderr=err)
    assert json.loads(file.read_text()) == {}
    assert "odd: reranked left out: the settings turn reranking off" in err.getvalue()


@pytest.mark.django_db
def test_inside_a_transaction_there_is_none() -> None:
    with pytest.raises(RuntimeError, match="inside a transaction"), scratch_database():
        pass


@pytest.mark.parametrize("wrong", ["--arm", "--try"])
def test_a_value_that_is_none_is_refused(wrong: str, folder: Path) -> None:
    with pytest.raises(CommandError):
        call_command("evaluate_search", str(folder), wrong, "nothing")


def test_a_set_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="nowhere: there is no such folder"):
        call_command("evaluate_search", tmp_path / "nowhere")


def test_json_takes_one_set(folder: Path) -> None:
    with pytest.raises(CommandError, match="--json takes one set"):
        call_command("evaluate_search", folder, folder, json_file=Path("numbers.json"))


def test_a_page_without_marks_is_named(db: None, folder: Path, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"page\.md: there is no line"):
        call_command("evaluate_search", folder, markdown=tmp_path / "page.md", stdout=StringIO(), stderr=StringIO())


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "to_beat"),
    [
        ("quranqa2023-train", 0.274),
        ("arcd", 0.795),
        ("tydiqa-goldp-ar-dev", 0.880),
        ("islamiceval2026-misquote-dev", 0.811),
    ],
)
def test_ranking_beats_what_was_measured_beforehand(
    db: None, shared: Path, tmp_path: Path, name: str, to_beat: float
) -> None:
    file = tmp_path / "numbers.json"
    call_command("evaluate_search", shared / "eval" / name, wanted=["lexical"], json_file=file, stdout=StringIO())
    assert json.loads(file.read_text())["lexical"]["ndcg@10"] > to_beat


@pytest.mark.long
def test_real_books_give_every_set(db: None, corpus: Path, tmp_path: Path) -> None:
    call_command("make_judgements", corpus / "openiti", tmp_path, stdout=StringIO())
    sets = [judged_sets.read(folder) for folder in sorted(tmp_path.iterdir())]
    names = ["edition-twin", "english-verse", "heading-section", "name-biography", "verse-commentary"]
    assert [(found.name, len(found.judged)) for found in sets] == [(name, 500) for name in names]
    for found in sets:
        known = {document.id for document in found.documents()}
        assert known.issuperset(passage for grades in found.grades.values() for passage in grades)
