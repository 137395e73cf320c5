import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q
from more_itertools import chunked

AT_ONCE = 2_000
#: The jobs that ask for prices. Of the calls, only those of the guide are sure to return any.
ASKING = ("marketplace.refresh_prices", "marketplace.get_prices")


def give_figures_an_owner(apps, schema_editor):
    """Give the figures to the only person who asked a marketplace.

    Where several asked, whose figures they are is not known: they are deleted, and *Get prices*
    asks again. Where nobody asked, they were invented for the demo, and everybody who saw them
    keeps them.
    """
    CallDay = apps.get_model("marketplace", "CallDay")
    Job = apps.get_model("core", "Job")
    asked = CallDay.objects.filter(guide__gt=0).values_list("owner_id", flat=True)
    began = Job.objects.filter(kind__in=ASKING, owner__isnull=False, started_at__isnull=False)
    people = sorted({*asked, *began.values_list("owner_id", flat=True)})
    for name in ("PriceStat", "PricePoint"):
        model = apps.get_model("catalog", name)
        for currency in model.objects.order_by().values_list("currency", flat=True).distinct():
            rows = model.objects.filter(owner=None, currency=currency)
            owners = people if people else people_with(apps, currency)
            if len(people) > 1 or not owners:
                rows.delete()
                continue
            for owner_id in owners[1:]:
                copy(model, rows, owner_id)
            rows.update(owner_id=owners[0])
    if schema_editor.connection.vendor == "postgresql":
        # A table with deferred checks cannot be altered.
        schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")


def people_with(apps, currency):
    """Return the people who see amounts in this currency."""
    Preferences = apps.get_model("accounts", "Preferences")
    people = apps.get_model("accounts", "User").objects.order_by("pk")
    with_it = Preferences.objects.filter(currency=currency).values("user")
    found = Q(pk__in=with_it)
    if currency == Preferences._meta.get_field("currency").get_default():
        found |= ~Q(pk__in=Preferences.objects.values("user"))
    return list(people.filter(found).values_list("pk", flat=True))


def copy(model, rows, owner_id):
    for some in chunked(rows.order_by("pk").iterator(AT_ONCE), AT_ONCE):
        for row in some:
            row.pk, row.owner_id = None, owner_id
        model.objects.bulk_create(some)


def owner(**kwargs):
    return models.ForeignKey(
        on_delete=django.db.models.deletion.CASCADE,
        related_name="+",
        to=settings.AUTH_USER_MODEL,
        **kwargs,
    )


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("catalog", "0010_sort_items_by_number"),
        ("core", "0004_tell_what_a_job_works_on"),
    ]

    operations = [
        migrations.RemoveConstraint(model_name="pricestat", name="pricestat_row_once"),
        migrations.RemoveConstraint(model_name="pricepoint", name="pricepoint_once_a_day"),
        migrations.AddField("pricestat", "owner", owner(null=True)),
        migrations.AddField("pricepoint", "owner", owner(null=True)),
        migrations.RunPython(give_figures_an_owner, migrations.RunPython.noop),
        migrations.AlterField("pricestat", "owner", owner()),
        migrations.AlterField("pricepoint", "owner", owner()),
        migrations.AddConstraint(
            "pricestat",
            models.UniqueConstraint(
                fields=("lot", "owner", "condition", "region", "currency"),
                name="pricestat_row_once",
            ),
        ),
        migrations.AddConstraint(
            "pricepoint",
            models.UniqueConstraint(
                fields=("lot", "owner", "currency", "condition", "region", "day"),
                name="pricepoint_once_a_day",
            ),
        ),
        migrations.AddIndex(
            "pricepoint", models.Index(fields=["day"], name="pricepoint_oldest_first")
        ),
    ]
