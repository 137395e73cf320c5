"""Make the same changes to many items of a batch, as one act that can be taken back."""

import datetime as dt
from typing import Any

from apps.batches.models import ActKind, Batch, BatchItem
from apps.batches.services._references import Changes, References
from apps.batches.services.acting import Acted, Plan, act_on
from apps.batches.services.items import changed_columns, completed
from apps.batches.services.selection import Chosen
from apps.core.errors import DomainError


def edit_alike(
    *, batch: Batch, chosen: Chosen, changes: Changes, dry_run: bool, by: Any, now: dt.datetime
) -> Acted:
    """Make the same change to all chosen items, and to the stock of stowed ones.

    Items that cannot be changed are skipped and reported in `failed`. Raises the errors of
    `act_on`.
    """

    def make(batch: Batch, items: list[BatchItem]) -> Plan:
        plan = Plan(kind=ActKind.EDIT, note="")
        wanted = {item.pk: completed(item, changes) for item in items}
        references = References(owner=batch.owner, rows=list(wanted.values()), now=now)
        for item in items:
            try:
                changed = changed_columns(item, wanted[item.pk], references)
            except DomainError as refusal:
                words = [word for some in refusal.fields.values() for word in some]
                plan.refuse(item, " ".join(words) or refusal.text)
                continue
            if changed:
                plan.edits[item.pk] = changed
        count = len(plan.edits)
        plan.note = f"{count:,} {'item' if count == 1 else 'items'} changed"
        plan.figures = {"changed": count, "unchanged": len(items) - count - len(plan.failed)}
        return plan

    return act_on(batch=batch, chosen=chosen, make=make, dry_run=dry_run, by=by, now=now)
