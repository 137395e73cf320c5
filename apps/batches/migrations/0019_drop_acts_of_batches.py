from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("batches", "0018_keep_acts_with_those_of_stock")]

    operations = [migrations.DeleteModel(name="BatchAct")]
