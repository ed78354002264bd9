"""``manage.py embedding_model``: the models of embeddings there are; make, switch, drop one."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from search.providers import choice
from search.providers.protocols import Embedder
from search.semantic import batches, lifecycle
from search.semantic.batches import waiting
from search.semantic.models import EmbeddingModel, SearchSettings


class Command(BaseCommand):
    """Workers fill what is made here; a model that the settings ask for is switched on when it is full."""

    help = (
        "List, create, activate or drop models of embeddings. Switching leaves no gap: both tables are there meanwhile."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the acts."""
        acts = parser.add_subparsers(dest="act", required=True, metavar="ACT")
        acts.add_parser("list", help="show all models, their state and what they lack")
        create = acts.add_parser("create", help="make the table of a model; workers fill it")
        create.add_argument("--local", action="store_true", help="the local one, also where there is a Cohere key")
        activate = acts.add_parser("activate", help="make search use a model; 'none': search by words only")
        activate.add_argument("key")
        drop = acts.add_parser("drop", help="drop a model and its vectors")
        drop.add_argument("key")
        refill = acts.add_parser("refill", help="look for passages without a vector and have them embedded")
        refill.add_argument("key")

    def handle(self, *, act: str, key: str = "", local: bool = False, **options: Any) -> None:
        """Do one act; what cannot be done is said in one line."""
        match act:
            case "list":
                self._list()
            case "create":
                self._create(choice.local_embedder() if local else choice.embedder())
            case "activate" if key == "none":
                lifecycle.deactivate()
                self.stdout.write("Search is by words only.")
            case "activate":
                lifecycle.activate(_model(key))
                self.stdout.write(f"Search uses {key}.")
            case "drop":
                self._drop(_model(key))
            case _:
                model = _model(key)
                batches.enqueue_all(model)
                self.stdout.write(f"{waiting(model).passages:,} passages wait for their vectors.")

    def _list(self) -> None:
        active = SearchSettings.model_in_use()
        for model in EmbeddingModel.objects.order_by("pk"):
            left = waiting(model)
            mark = "*" if model == active else " "
            index = f"index m={model.hnsw_m}" if model.has_index else "no index"
            tuned = "tuned" if model.tuned_at else "not tuned"
            self.stdout.write(
                f"{mark} {model.key}  {model.state}, {left.passages:,} passages wait, {left.stuck:,} failed, "
                f"{index}, {tuned}"
            )

    def _create(self, embedder: Embedder) -> None:
        model = lifecycle.create(embedder.spec)
        self.stdout.write(f"{model.key}: {waiting(model).passages:,} passages wait for their vectors.")

    def _drop(self, model: EmbeddingModel) -> None:
        try:
            lifecycle.drop(model)
        except lifecycle.ModelInUse as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{model.key} is gone.")


def _model(key: str) -> EmbeddingModel:
    try:
        return EmbeddingModel.objects.get(key=key)
    except EmbeddingModel.DoesNotExist:
        known = ", ".join(EmbeddingModel.objects.values_list("key", flat=True)) or "none yet"
        raise CommandError(f"There is no model {key!r}; there is: {known}.") from None
