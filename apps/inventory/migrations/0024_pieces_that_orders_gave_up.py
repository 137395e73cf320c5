"""Pieces that orders gave up at the marketplace are kept apart until the store is read again."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("inventory", "0023_promise_counted_and_uncounted_pieces")]

    operations = [
        migrations.AddField(
            "receivedlot",
            "given_up",
            models.PositiveIntegerField(
                db_default=0,
                default=0,
                help_text="pieces that orders gave up since the last reading: there again, or not",
            ),
        ),
    ]
