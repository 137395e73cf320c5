"""When an address was confirmed; names without line breaks and links."""

import re
from typing import Any

from django.db import migrations, models

# Written out: a rule that changes later must not change what this migration does.
BREAKS = re.compile(
    "[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]+"
)
LINKS = re.compile(r"\S*(?:@|://|\b[wW]{3}\.|[a-z0-9-]\.[a-z]{2,})\S*")


def clean_names(apps: Any, schema_editor: Any) -> None:
    user = apps.get_model("accounts", "User")
    changed = []
    for row in user.objects.only("pk", "name").iterator(chunk_size=2_000):
        name = " ".join(LINKS.sub("", BREAKS.sub(" ", row.name)).split())
        if name != row.name:
            row.name = name
            changed.append(row)
    user.objects.bulk_update(changed, ["name"], batch_size=500)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0003_keep_profile_fields_and_devices")]
    operations = [
        migrations.AddField(
            "user", "email_confirmed_at", models.DateTimeField(blank=True, null=True)
        ),
        migrations.RunPython(clean_names, migrations.RunPython.noop),
    ]
