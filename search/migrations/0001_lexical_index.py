import django.contrib.postgres.indexes
import django.contrib.postgres.search
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Segments, their runs and postings, the live generation of each edition, lexemes for phrases."""

    initial = True

    dependencies = [
        ('library', '0003_forty_genres'),
    ]

    operations = [
        migrations.CreateModel(
            name='IndexedEdition',
            fields=[
                ('edition', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='indexed', serialize=False, to='library.edition')),
                ('generation', models.PositiveBigIntegerField()),
                ('fold_version', models.PositiveSmallIntegerField()),
                ('passage_count', models.PositiveIntegerField()),
                ('indexed_at', models.DateTimeField(auto_now=True)),
            ],
        ),
        migrations.CreateModel(
            name='Segment',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('passage_count', models.PositiveIntegerField()),
                ('word_count', models.PositiveBigIntegerField(help_text='The sum of all lengths.')),
                ('fold_version', models.PositiveSmallIntegerField()),
                ('passage_ids', models.BinaryField()),
                ('lengths', models.BinaryField()),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('passage_count__range', (1, 65536))), name='segment_places_are_uint16')],
            },
        ),
        migrations.CreateModel(
            name='Posting',
            fields=[
                ('pk', models.CompositePrimaryKey('term', 'segment', blank=True, editable=False, primary_key=True, serialize=False)),
                ('term', models.TextField(db_collation='C')),
                ('passage_count', models.PositiveIntegerField()),
                ('data', models.BinaryField()),
                ('segment', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.CASCADE, related_name='postings', to='search.segment')),
            ],
        ),
        migrations.CreateModel(
            name='PassageLexemes',
            fields=[
                ('passage', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='lexemes', serialize=False, to='library.passage')),
                ('sequence_number', models.PositiveIntegerField()),
                ('fold_version', models.PositiveSmallIntegerField()),
                ('tsv', django.contrib.postgres.search.SearchVectorField()),
                ('edition', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='library.edition')),
            ],
            options={
                'verbose_name_plural': 'passage lexemes',
                'indexes': [django.contrib.postgres.indexes.GinIndex(fields=['tsv'], name='passage_lexemes_tsv')],
            },
        ),
        migrations.CreateModel(
            name='SegmentRun',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('start', models.PositiveIntegerField()),
                ('count', models.PositiveIntegerField()),
                ('edition_id', models.PositiveIntegerField()),
                ('generation', models.PositiveBigIntegerField()),
                ('first_sequence', models.PositiveIntegerField()),
                ('segment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='runs', to='search.segment')),
            ],
            options={
                'indexes': [models.Index(fields=['edition_id'], name='segment_run_by_edition')],
                'constraints': [models.UniqueConstraint(fields=('segment', 'start'), name='segment_run_place')],
            },
        ),
    ]
