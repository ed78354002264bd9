from django.db import migrations

COLUMNS = [("search_segment", "passage_ids"), ("search_segment", "lengths"), ("search_posting", "data")]


def set_storage(storage):
    return [f"ALTER TABLE {table} ALTER COLUMN {column} SET STORAGE {storage}" for table, column in COLUMNS]


class Migration(migrations.Migration):
    """Keep long byte strings uncompressed: they do not compress, and parts of them can then be read without the rest."""

    dependencies = [("search", "0001_lexical_index")]
    operations = [migrations.RunSQL(set_storage("EXTERNAL"), set_storage("EXTENDED"))]
