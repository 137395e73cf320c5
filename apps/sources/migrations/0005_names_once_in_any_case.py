from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("sources", "0004_fill_keys_of_names")]

    operations = [
        migrations.AddIndex(
            model_name="source",
            index=models.Index(
                condition=models.Q(("twin__gt", 0)), fields=["owner"], name="source_twins"
            ),
        ),
        migrations.AddConstraint(
            model_name="source",
            constraint=models.UniqueConstraint(
                condition=models.Q(("twin", 0)),
                fields=("owner", "name_key"),
                name="source_name_once_in_any_case",
            ),
        ),
    ]
