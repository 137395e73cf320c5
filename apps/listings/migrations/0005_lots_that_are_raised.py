from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("listings", "0004_lots_that_moved")]

    operations = [
        migrations.AlterField(
            model_name="storesyncrow",
            name="kind",
            field=models.CharField(
                choices=[
                    ("sold", "Sold"),
                    ("gone", "Gone"),
                    ("lowered", "Lowered"),
                    ("raised", "Raised"),
                    ("removed", "Removed"),
                    ("changed", "Changed"),
                    ("linked", "Linked"),
                    ("moved", "Moved"),
                    ("only_there", "Only There"),
                ],
                max_length=10,
            ),
        ),
    ]
