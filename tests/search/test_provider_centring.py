"""Taking out what all texts have in common."""

from __future__ import annotations

import importlib.metadata
import json

import numpy as np
import pytest
from django.core.management import call_command

from library.arabic import FOLD_VERSION
from search.mean_texts import kinds_of_texts
from search.modern_spelling import SPELLING_VERSION
from search.providers.centring import DATA, FACTOR, Centring, e5_centring
from search.providers.local_e5.weights import SHA256

MEANS = np.array([[1, 0, 0, 0], [1, 1, 0, 0]], np.float32)


def test_directions_outside_the_means_stay_and_those_inside_shrink() -> None:
    centred = Centring.from_means(MEANS, 0.5)(np.array([0, 3, 3, 0], np.float32))
    assert centred.tolist() == pytest.approx([0, 1 / 5**0.5, 2 / 5**0.5, 0])


def test_a_factor_of_nothing_only_normalises() -> None:
    assert Centring.from_means(MEANS, 0)(np.array([3, 0, 4, 0], np.float32)).tolist() == pytest.approx([0.6, 0, 0.8, 0])


def test_two_texts_that_share_only_the_common_part_become_strangers() -> None:
    one, other = Centring.from_means(MEANS, 1)(np.array([[5, 4, 1, 0], [5, 4, 0, 1]], np.float32))
    assert float(one @ other) == pytest.approx(0, abs=1e-6)


def test_a_vector_of_the_common_part_alone_stays_finite() -> None:
    assert np.isfinite(Centring.from_means(MEANS, 1)(np.array([1, 1, 0, 0], np.float32))).all()


def test_kinds_that_say_the_same_span_less() -> None:
    assert Centring.from_means(np.ones((3, 4), np.float32), 1).basis.shape == (1, 4)


def test_other_means_or_another_factor_have_another_name() -> None:
    assert Centring.from_means(MEANS, 1).sha256 != Centring.from_means(MEANS * 2, 1).sha256


def test_the_constants_are_of_this_model_spelling_and_list_of_texts() -> None:
    page = json.loads((DATA / "e5_small_means.json").read_text(encoding="utf-8"))
    made_from = (page["weights_sha256"], page["fold_version"], page["spelling_version"])
    assert made_from == (SHA256, FOLD_VERSION, SPELLING_VERSION), "run manage.py compute_means"
    assert page["texts"] == {kind: len(texts) for kind, (_, texts) in kinds_of_texts().items()}
    assert page["sources"] == {name: importlib.metadata.version(name) for name in page["sources"]}
    assert e5_centring().basis.shape == (8, 384)
    assert e5_centring().factor == FACTOR


@pytest.mark.long
def test_the_constants_are_what_the_texts_give() -> None:
    call_command("compute_means", "--check")
