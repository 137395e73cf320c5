from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("orders", "0008_keep_the_day_of_an_order")]

    operations = [
        migrations.AddField(
            "orderline",
            "is_out",
            models.BooleanField(
                default=False,
                help_text="the stock did not count its pieces when the order arrived",
            ),
        ),
    ]
