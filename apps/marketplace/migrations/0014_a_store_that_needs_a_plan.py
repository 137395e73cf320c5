from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("marketplace", "0013_stores_of_a_person")]

    operations = [
        migrations.AddField(
            "marketplaceconnection",
            "needs_plan",
            models.BooleanField(
                db_default=False,
                default=False,
                help_text="connected beside another: left out of syncs until a plan with it was applied",
            ),
        ),
    ]
