from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("marketplace", "0015_stores_that_get_what_they_lack")]

    operations = [
        migrations.AddField(
            "marketplaceconnection",
            "is_paused",
            models.BooleanField(
                db_default=False,
                default=False,
                help_text="left out of syncs until it is resumed",
            ),
        ),
    ]
