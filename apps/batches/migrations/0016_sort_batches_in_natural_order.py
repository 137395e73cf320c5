from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("batches", "0015_list_unknown_items")]

    operations = [migrations.RemoveIndex(model_name="batch", name="batch_list_by_name")]
