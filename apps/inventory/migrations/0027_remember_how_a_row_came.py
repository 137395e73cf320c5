from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("inventory", "0026_keep_unknown_conditions")]

    operations = [
        migrations.AddField(
            model_name="inventoryitem",
            name="came_as",
            field=models.JSONField(
                blank=True,
                editable=False,
                help_text="what its file said, where a person chose what that means: rules.stacking",
                null=True,
            ),
        ),
    ]
