from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("locations", "0005_keep_the_names_of_deleted_locations")]

    operations = [
        migrations.AddField(
            model_name="containertype",
            name="name_key",
            field=models.TextField(
                default="", editable=False, help_text="the name without regard to case"
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="containertype",
            name="twin",
            field=models.PositiveBigIntegerField(default=0, editable=False),
        ),
        migrations.AddField(
            model_name="location",
            name="name_key",
            field=models.TextField(
                default="", editable=False, help_text="the name without regard to case"
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="location",
            name="twin",
            field=models.PositiveBigIntegerField(default=0, editable=False),
        ),
    ]
