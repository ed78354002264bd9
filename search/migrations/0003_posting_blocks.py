import django.db.models.deletion
from django.db import migrations, models

EMPTY = "TRUNCATE search_segment, search_segmentrun, search_indexededition"


def segment_key(name):
    return models.ForeignKey(
        db_constraint=False,
        db_index=False,
        on_delete=django.db.models.deletion.CASCADE,
        related_name=name,
        to="search.segment",
    )


class Migration(migrations.Migration):
    """Postings in blocks instead of a row a term; what was indexed before is to be indexed again (`manage.py refold`)."""

    dependencies = [("search", "0002_external_bytes")]
    operations = [
        migrations.RunSQL(EMPTY, EMPTY),
        migrations.DeleteModel(name="Posting"),
        migrations.AddField(
            model_name="segment",
            name="block_bits",
            field=models.PositiveSmallIntegerField(
                default=0, help_text="It has 2 to this power blocks of postings."
            ),
            preserve_default=False,
        ),
        migrations.CreateModel(
            name="PostingBlock",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "segment", "number", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("data", models.BinaryField()),
                ("segment", segment_key("blocks")),
            ],
        ),
        migrations.CreateModel(
            name="LargePosting",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "segment", "term", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("term", models.BigIntegerField()),
                ("passage_count", models.PositiveIntegerField()),
                ("data", models.BinaryField()),
                ("segment", segment_key("large_postings")),
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
