import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """The tables are those of `lots` already, and so are the foreign keys."""

    dependencies = [
        ("inventory", "0030_move_acts_to_lots"),
        ("lots", "0001_keep_acts"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="numberchoice",
                    name="act",
                    field=models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="choices",
                        to="lots.keptact",
                    ),
                ),
                migrations.AlterField(
                    model_name="wordchoice",
                    name="act",
                    field=models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="words",
                        to="lots.keptact",
                    ),
                ),
                migrations.AlterField(
                    model_name="stocktake",
                    name="act",
                    field=models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="lots.keptact",
                    ),
                ),
                migrations.DeleteModel(name="ActChunk"),
                migrations.DeleteModel(name="StockAct"),
            ]
        )
    ]
