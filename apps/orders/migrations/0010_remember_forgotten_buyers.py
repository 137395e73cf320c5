from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("orders", "0009_keep_which_pieces_were_out")]

    operations = [
        migrations.CreateModel(
            name="ForgottenBuyer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("mark", models.CharField(max_length=64, unique=True)),
                ("created_at", models.DateTimeField()),
            ],
            options={"verbose_name": "forgotten buyer"},
        ),
    ]
