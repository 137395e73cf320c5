"""`bulk` of a list of lots: what comes in, row by row, and what became of each row."""

import datetime as dt
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

from django.db import transaction
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.selectors import caller_of, store_of
from apps.core.api.bulk import conflicts_shown, id_of, read_alike, read_rows, result_rows
from apps.core.api.views import OwnedViewSet, instant, seen_at
from apps.core.clock import now
from apps.core.errors import Conflict
from apps.core.jobs.api import accepted
from apps.core.jobs.models import Job
from apps.lots.api.filters import LotFilter
from apps.lots.services import bulk
from apps.lots.services.bulk import Edit, LotsBulk


class BulkLots(OwnedViewSet, ABC):
    """One row and many: a change of one row is a bulk call of one.

    Stock and batches declare the request and the answer of `bulk` in the schema.
    """

    bulk_engine: ClassVar[LotsBulk]
    #: What goes along with a change, and changes nothing by itself.
    beside: ClassVar[tuple[str, ...]]
    filterset_class: ClassVar[type[LotFilter]]

    @abstractmethod
    def read_removal(self, row: dict[str, Any]) -> Any:
        """Return the parsed row of `delete`. Raises Invalid."""

    @action(detail=False, methods=["post"])
    def bulk(self, request: Request) -> Response:
        """Add, change, delete and restore up to 1,000 rows; a result for each.

        `atomic` (the default) does all or, with 400 and the rows that are wrong, nothing.
        `set` makes the same changes to `ids`, or to all that match `filter`, as an act: the
        `act_id` of a row undoes its change. More than 1,000 rows start a job (202), which changes
        the valid rows and reports the others. With `dry_run` the answer is the same, and nothing
        is changed.
        """
        draft = self.write_serializer(context=self.get_serializer_context())
        changes = self.write_serializer(partial=True, context=self.get_serializer_context())
        common: dict[str, Any] = {
            "owner": store_of(request),
            "by": caller_of(request),
            "now": now(),
        }
        alike = read_alike(
            request,
            changes=changes,
            beside=self.beside,
            filters=self.filterset_class,
            rows=self.get_queryset(),
        )
        if alike is not None:
            common |= alike.said
            with transaction.atomic():
                edited = self.bulk_engine.edit_alike(
                    item_ids=alike.ids,
                    changes=alike.changes,
                    atomic=alike.atomic,
                    **common,
                )
                if isinstance(edited, Job):
                    return accepted(edited)
                if alike.dry_run:
                    edited.acts.clear()
                rows = result_rows(edited, read=self.plain_rows)
                transaction.set_rollback(alike.dry_run)
                return Response(rows)
        readers: dict[str, Callable[[Any], Any]] = {
            "create": lambda row: dict(draft.run_validation(row)),
            "update": lambda row: self._edit(row, changes),
            "delete": self.read_removal,
            "restore": lambda row: id_of({"id": row}),
        }
        wanted = read_rows(request.data, readers=readers, at_once=bulk.AT_ONCE)
        with conflicts_shown(read=self.plain_rows):
            common |= wanted.read
            done = self.bulk_engine.change(refused=wanted.refused, atomic=wanted.atomic, **common)
        return Response(result_rows(done, read=self.plain_rows))

    def partial_update(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Change some fields; 409 with the current row when it changed since `updatedAt`."""
        values = self.validated(self.write_serializer, request.data, partial=True)
        item = self.get_owned(int(kwargs["pk"]))
        edit = self._edit_of(item.pk, values, seen_at(request))
        try:
            self.bulk_engine.edit_one(
                edit, owner=store_of(request), by=caller_of(request), now=now()
            )
        except Conflict as changed:
            if changed.data or type(changed) is not Conflict:
                raise
            raise Conflict(data=[self.row(item.pk)]) from changed
        return Response(self.row(item.pk))

    def _edit(self, row: Any, changes: Any) -> Edit:
        item_id = id_of(row)
        values = dict(changes.run_validation({k: v for k, v in row.items() if k != "id"}))
        return self._edit_of(item_id, values, instant(row.get("updatedAt"), field="updatedAt"))

    def _edit_of(self, pk: int, values: dict[str, Any], seen: dt.datetime | None) -> Edit:
        said = {name: values.pop(name, "") for name in self.beside}
        return Edit(item_id=pk, changes=values, seen_at=seen, **said)
