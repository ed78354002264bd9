from django.db import migrations, models

EMPTY = "TRUNCATE search_segment, search_segmentrun, search_indexededition"


class Migration(migrations.Migration):
    """One number names a row of postings, so that one array asks for many; what was indexed is to be indexed again."""

    dependencies = [("search", "0005_passage_embeddings")]
    operations = [
        migrations.RunSQL(EMPTY, EMPTY),
        migrations.DeleteModel(name="PostingBlock"),
        migrations.DeleteModel(name="LargePosting"),
        migrations.CreateModel(
            name="PostingBlock",
            fields=[
                ("id", models.BigIntegerField(primary_key=True, serialize=False)),
                ("data", models.BinaryField()),
            ],
        ),
        migrations.CreateModel(
            name="LargePosting",
            fields=[
                ("id", models.BigIntegerField(primary_key=True, serialize=False)),
                ("term", models.BigIntegerField()),
                ("passage_count", models.PositiveIntegerField()),
                ("data", models.BinaryField()),
            ],
        ),
        migrations.RunSQL(
            "ALTER TABLE search_postingblock ALTER COLUMN data SET STORAGE EXTERNAL;"
            # Blocks of up to 8 KB stay in their page: one visit each.
            "ALTER TABLE search_postingblock SET (toast_tuple_target = 8160);"
            "ALTER TABLE search_largeposting ALTER COLUMN data SET STORAGE EXTERNAL",
            migrations.RunSQL.noop,
        ),
    ]
