from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("inventory", "0029_lock_prices")]

    operations = [
        migrations.RemoveIndex(model_name="stockact", name="stockact_newest_first"),
        migrations.AlterModelTable(name="stockact", table="lots_keptact"),
        migrations.AlterModelTable(name="actchunk", table="lots_actchunk"),
    ]
