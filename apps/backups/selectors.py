"""The newest copies of a person's data."""

from typing import Any

from apps.accounts.models import User
from apps.backups.models import Backup
from apps.exports.models import Export, Scope


def newest_copies(*, owner: User) -> dict[str, dict[str, Any]]:
    """Return the newest backup (`everything`) and file of the whole `inventory`, of those there are."""
    files: dict[str, Any] = {
        "everything": Backup.objects.owned_by(owner),
        "inventory": Export.objects.owned_by(owner).filter(scope=Scope.INVENTORY),
    }
    return {
        of: newest
        for of, rows in files.items()
        if (
            newest := rows.filter(written_at__isnull=False)
            .order_by("-created_at")
            .values("id", "file_name", "written_at")
            .first()
        )
    }
