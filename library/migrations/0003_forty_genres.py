import json
from pathlib import Path

from django.db import migrations

GENRES = Path(__file__).resolve().parents[1] / "data" / "genres.json"


def write_genres(apps, schema_editor):
    genre = apps.get_model("library", "Genre")
    genre.objects.bulk_create(genre(**row) for row in json.loads(GENRES.read_text("utf-8")))


def remove_genres(apps, schema_editor):
    apps.get_model("library", "Genre").objects.all().delete()


class Migration(migrations.Migration):
    """The contract's 40 genres."""

    dependencies = [("library", "0002_catalogue_and_text")]
    operations = [migrations.RunPython(write_genres, remove_genres)]
