from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("recognition", "0006_keep_who_sat_at_the_station"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="stationsitting", name="stationsitting_once_per_key"
        ),
        migrations.AddConstraint(
            model_name="stationsitting",
            constraint=models.UniqueConstraint(
                fields=("owner", "by", "key"), name="stationsitting_once_per_person"
            ),
        ),
    ]
