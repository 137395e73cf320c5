"""The permissions of staff in the admin, by group: viewers read everything, operators also act.

Staff in neither group see nothing unless they are superusers. `migrate` adds the permissions of
new models to both groups.
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
    """Create both groups and grant their permissions. Keeps permissions granted by a person."""
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
