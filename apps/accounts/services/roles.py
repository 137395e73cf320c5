"""What the staff may do in the admin, by group: look at everything, or operate it too.

Who is neither is a superuser or sees nothing. A model that is added later is in both groups
after the next `migrate`.
"""

from typing import Final

from django.contrib.auth.models import Group, Permission
from django.db import transaction
from django.db.models import Q

VIEWER: Final = "Viewer"
OPERATOR: Final = "Operator"
# Beyond reading: each permission is for an action that calls a service, or for correcting a name.
OPERATOR_MAY: Final = (
    "core.change_job",  # try again, cancel
    "accounts.change_user",  # allow, block, correct a name; no rights, no passwords
    "catalog.add_importrun",  # import catalogue files
    "marketplace.change_lotrefresh",  # ask for prices again
    "batches.change_batch",  # archive, restore
    "auctions.change_sitestate",  # resume calls to the site
    "locations.change_location",
    "locations.change_containertype",
    "sources.change_source",
)


@transaction.atomic
def make_roles() -> None:
    """Make both groups and grant them what they may; what a person granted besides stays."""
    looking = Permission.objects.filter(codename__startswith="view_").exclude(
        content_type__app_label__in=["admin", "auth", "contenttypes", "sessions"]
    )
    doing = Q()
    for name in OPERATOR_MAY:
        app, _, codename = name.partition(".")
        doing |= Q(content_type__app_label=app, codename=codename)
    for name, granted in (
        (VIEWER, looking),
        (OPERATOR, looking | Permission.objects.filter(doing)),
    ):
        group, _ = Group.objects.get_or_create(name=name)
        group.permissions.add(*granted)
