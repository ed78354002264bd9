import django.contrib.postgres.fields
import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    """Embedding models, which of them is searched, and the passages that wait for their vectors."""

    dependencies = [
        ('library', '0003_forty_genres'),
        ('search', '0003_posting_blocks'),
    ]

    operations = [
        migrations.CreateModel(
            name='EmbeddingModel',
            fields=[
                ('id', models.SmallAutoField(primary_key=True, serialize=False)),
                ('key', models.CharField(help_text="The spec's short name of exactly this model.", max_length=100, unique=True)),
                ('name', models.CharField(max_length=100)),
                ('dimension', models.PositiveSmallIntegerField()),
                ('query_prefix', models.CharField(blank=True, max_length=50)),
                ('document_prefix', models.CharField(blank=True, max_length=50)),
                ('fold_version', models.PositiveSmallIntegerField()),
                ('spelling_version', models.PositiveSmallIntegerField()),
                ('passage_words', models.PositiveSmallIntegerField(help_text='Words of a passage that count at most.')),
                ('constants_sha256', models.CharField(blank=True, help_text='Of the means taken out of every vector.', max_length=64)),
                ('factor', models.FloatField(help_text='How much of the means is taken out.')),
                ('state', models.CharField(choices=[('filling', 'filling'), ('ready', 'ready')], default='filling', max_length=10)),
                ('has_index', models.BooleanField(default=False)),
                ('hnsw_m', models.PositiveSmallIntegerField(default=16, help_text='Neighbours of a node of the index.')),
                ('bands', models.JSONField(default=list, help_text='The smallest ef_search with recall@24 of .99 by share of the library; null: none has it.')),
                ('tuned_at', models.DateTimeField(null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'verbose_name': 'embedding model',
                'verbose_name_plural': 'embedding models',
            },
        ),
        migrations.CreateModel(
            name='EmbeddingBatch',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False, auto_created=True, verbose_name='ID')),
                ('edition_id', models.PositiveIntegerField()),
                ('passages', django.contrib.postgres.fields.ArrayField(base_field=models.UUIDField(), size=None)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('not_before', models.DateTimeField(default=django.utils.timezone.now)),
                ('error', models.TextField(blank=True)),
                ('model', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='batches', to='search.embeddingmodel')),
            ],
            options={
                'indexes': [
                    models.Index(fields=['model', 'attempts', 'id'], name='embedding_batch_order'),
                    models.Index(fields=['edition_id'], name='embedding_batch_by_edition'),
                ],
            },
        ),
        migrations.CreateModel(
            name='SearchSettings',
            fields=[
                ('id', models.PositiveSmallIntegerField(default=1, primary_key=True, serialize=False)),
                ('active_model', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='search.embeddingmodel')),
            ],
            options={
                'verbose_name': 'search settings',
                'verbose_name_plural': 'search settings',
                'constraints': [models.CheckConstraint(condition=models.Q(('id', 1)), name='search_settings_has_one_row')],
            },
        ),
    ]
