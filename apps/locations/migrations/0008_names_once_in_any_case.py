from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("locations", "0007_fill_keys_of_names")]

    operations = [
        migrations.AddIndex(
            model_name="containertype",
            index=models.Index(
                condition=models.Q(("twin__gt", 0)), fields=["owner"], name="containertype_twins"
            ),
        ),
        migrations.AddConstraint(
            model_name="containertype",
            constraint=models.UniqueConstraint(
                condition=models.Q(("twin", 0)),
                fields=("owner", "name_key"),
                name="containertype_name_once_in_any_case",
            ),
        ),
        migrations.AddIndex(
            model_name="location",
            index=models.Index(
                condition=models.Q(("twin__gt", 0)), fields=["owner"], name="location_twins"
            ),
        ),
        migrations.AddConstraint(
            model_name="location",
            constraint=models.UniqueConstraint(
                condition=models.Q(("twin", 0)),
                fields=("owner", "name_key"),
                name="location_name_once_in_any_case",
            ),
        ),
    ]
