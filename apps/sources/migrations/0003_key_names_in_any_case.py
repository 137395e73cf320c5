from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("sources", "0002_index_rows_by_making")]

    operations = [
        migrations.AddField(
            model_name="source",
            name="name_key",
            field=models.TextField(
                default="", editable=False, help_text="the name without regard to case"
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="source",
            name="twin",
            field=models.PositiveBigIntegerField(default=0, editable=False),
        ),
    ]
