from django.contrib.postgres.operations import TrigramExtension
from django.db import migrations
from pgvector.django import VectorExtension


class Migration(migrations.Migration):
    """Trigrams for names, vectors for meaning; both ship with the embedded server."""

    initial = True
    dependencies: list[tuple[str, str]] = []
    operations = [TrigramExtension(), VectorExtension()]
