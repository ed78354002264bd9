import django.db.models.deletion
import pgvector.django.halfvec
from django.db import migrations, models

# The ORM makes no partitioned tables. The passage stands first in the key: a passage that is deleted looks here for its rows.
# The cascade is the database's, so that rows go with passages whoever deletes them. The column has no dimension, since models
# differ; each partition's index casts to its own.
TABLE = """
CREATE TABLE search_passageembedding (
    passage_id uuid NOT NULL REFERENCES library_passage (id) ON DELETE CASCADE,
    model_id smallint NOT NULL,
    edition_id integer NOT NULL CHECK (edition_id >= 0),
    text_md5 uuid NOT NULL,
    vector halfvec NOT NULL,
    PRIMARY KEY (passage_id, model_id)
) PARTITION BY LIST (model_id)
"""


class Migration(migrations.Migration):
    """A vector a passage and model, in a table partitioned by model."""

    dependencies = [
        ('library', '0003_forty_genres'),
        ('search', '0004_embedding_models'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL(TABLE, 'DROP TABLE search_passageembedding')],
            state_operations=[
                migrations.CreateModel(
                    name='PassageEmbedding',
                    fields=[
                        ('pk', models.CompositePrimaryKey('passage', 'model', blank=True, editable=False, primary_key=True, serialize=False)),
                        ('edition_id', models.PositiveIntegerField()),
                        ('text_md5', models.UUIDField()),
                        ('vector', pgvector.django.halfvec.HalfVectorField()),
                        ('model', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='search.embeddingmodel')),
                        ('passage', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='library.passage')),
                    ],
                ),
            ],
        ),
    ]
