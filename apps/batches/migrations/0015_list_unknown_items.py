from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("batches", "0014_keep_unknown_conditions")]

    operations = [
        migrations.AddIndex(
            model_name="batchitem",
            index=models.Index(
                condition=models.Q(("lot", None)),
                fields=["owner", "is_stowed", "quantity"],
                name="batchitem_unknown",
            ),
        ),
    ]
