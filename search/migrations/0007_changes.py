import django.db.models.functions.datetime
from django.db import migrations, models

TABLES = ("search_segment", "search_indexededition", "library_author", "library_book", "library_edition")

NOTE_CHANGES = """
CREATE FUNCTION search_note_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO search_change DEFAULT VALUES;
    RETURN NULL;
END $$;
""" + "".join(
    f"CREATE TRIGGER search_note_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON {table}"
    " FOR EACH STATEMENT EXECUTE FUNCTION search_note_change();"
    for table in TABLES
)
FORGET = (
    "".join(f"DROP TRIGGER search_note_change ON {table};" for table in TABLES) + "DROP FUNCTION search_note_change();"
)


class Migration(migrations.Migration):
    """Note every change of the catalogue and the index, so that searches know when to read them anew."""

    dependencies = [("search", "0006_rows_by_number")]
    operations = [
        migrations.CreateModel(
            name="Change",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.RunSQL(NOTE_CHANGES, FORGET),
    ]
