from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='ApiKey',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('name', models.CharField(help_text='Who calls with it, and what for.', max_length=200, verbose_name='holder')),
                ('prefix', models.CharField(editable=False, max_length=20, unique=True, verbose_name='prefix')),
                ('digest', models.CharField(editable=False, max_length=64)),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='made')),
                ('revoked_at', models.DateTimeField(blank=True, editable=False, null=True, verbose_name='revoked')),
            ],
            options={
                'verbose_name': 'API key',
                'verbose_name_plural': 'API keys',
                'ordering': ['-created_at'],
            },
        ),
        migrations.CreateModel(
            name='RateWindow',
            fields=[
                ('caller', models.CharField(max_length=80, primary_key=True, serialize=False)),
                ('started', models.DateTimeField()),
                ('calls', models.PositiveIntegerField()),
            ],
        ),
    ]
