from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("batches", "0010_no_price_is_null"),
    ]

    operations = [
        migrations.AlterField(
            model_name="batchact",
            name="kind",
            field=models.CharField(
                choices=[
                    ("reprice", "re-priced"),
                    ("spreadCost", "cost spread"),
                    ("recommend", "locations planned"),
                    ("consolidate", "consolidated"),
                    ("split", "split by location"),
                    ("move", "moved to another batch"),
                    ("copy", "copied to another batch"),
                    ("merge", "merged into another batch"),
                    ("stow", "stowed"),
                    ("remove", "removed"),
                    ("edit", "edited"),
                    ("markListed", "marked as listed or no longer"),
                ],
                max_length=12,
            ),
        ),
    ]
