"""Base views: the owner's rows only, rows as mappings, every write applied once."""

import datetime as dt
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, ClassVar

from django.db import models, transaction
from django.http import Http404
from django.utils.dateparse import parse_datetime
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework.viewsets import GenericViewSet

from apps.core.api.fields import EARLIEST, LATEST
from apps.core.api.hidden import refuse_hidden
from apps.core.api.parameters import refuse_unknown_parameters
from apps.core.api.serializers import AnswerSerializer, RowSerializer, named_columns
from apps.core.clock import in_utc
from apps.core.concurrency import lock_in_order
from apps.core.errors import Conflict, Invalid
from apps.core.idempotency.once import apply_once
from apps.core.names import twins_of
from apps.core.ownership import OwnedQuerySet
from apps.core.prepared import IDS, WHOLE, AnyField, Prepared
from apps.core.throttling import PictureThrottle

Rows = list[dict[str, Any]]
KEYED_METHODS = {"POST", "PATCH"}
#: Options of an action that has neither the filters nor the order of its list.
UNFILTERED: dict[str, Any] = {"filterset_class": None, "ordering_fields": {}}
#: The same of one that answers without pages.
UNPAGED: dict[str, Any] = {**UNFILTERED, "pagination_class": None}


class KnownParameters(APIView):
    """Refuses a query parameter that the operation does not have, before it does anything.

    Without a `queryset` of its own, it is of all rows of the `row_serializer`'s model.
    """

    row_serializer: ClassVar[type[RowSerializer]]
    queryset: Any
    #: The orders of a list by their names on the wire, as `named_columns` reads them.
    ordered_by: ClassVar[str] = ""
    ordering_fields: ClassVar[dict[str, str]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "ordered_by" in cls.__dict__:
            cls.ordering_fields = named_columns(cls.ordered_by)
        if "row_serializer" in cls.__dict__ and "queryset" not in cls.__dict__:
            cls.queryset = cls.row_serializer.model._default_manager.all()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        refuse_unknown_parameters(self, request)
        refuse_hidden(request)


def _prepared(
    prepare: Callable[..., None], handler: Callable[..., Response], *args: Any, **kwargs: Any
) -> Response:
    prepare(*args, **kwargs)
    return handler(*args, **kwargs)


class AppliesOnce(KnownParameters):
    """Applies a POST or PATCH that carries an `Idempotency-Key` once per user and key."""

    # A view whose effect is not one database transaction keeps its own record instead.
    applies_once: ClassVar[bool] = True
    #: The method that does the slow part of an action, before its transaction begins.
    prepares: ClassVar[str] = ""
    # The schema replaces OPTIONS; the rules for other origins belong to CORS.
    http_method_names = ["get", "head", "post", "put", "patch", "delete"]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        method = (request.method or "").upper()
        key = request.headers.get("Idempotency-Key", "")
        name = method.lower()
        handler = getattr(self, name, None)
        if handler is None:
            return
        prepare = getattr(self, self.prepares) if self.prepares else None
        is_keyed = key and self.applies_once and method in KEYED_METHODS
        # DRF looks the handler up right after `initial`, so it finds this one.
        if is_keyed and request.user.is_authenticated:
            setattr(self, name, partial(apply_once, handler=handler, key=key, prepare=prepare))
        elif prepare is not None:
            setattr(self, name, partial(_prepared, prepare, handler))

    def validated(self, kind: type[Any], data: object, *, partial: bool = False) -> dict[str, Any]:
        """Return what `kind` makes of `data`. Raises ValidationError, field by field."""
        serializer = kind(data=data, partial=partial, context={"request": self.request})
        serializer.is_valid(raise_exception=True)
        return dict(serializer.validated_data)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        # After the transaction of the handler, which a refusal rolls back.
        for throttle in self.get_throttles():
            if isinstance(throttle, PictureThrottle):
                throttle.charge(request)
        return super().finalize_response(request, response, *args, **kwargs)


class ApiView(AppliesOnce):
    """A view of its own, outside the resources."""

    #: It asks a service outside while the caller waits: 502 and 504 are among its answers.
    asks_outside: ClassVar[bool] = False


@cache
def _reading(view: type[KnownParameters], shape: type[RowSerializer], **by: AnyField) -> Prepared:
    return Prepared(lambda **given: shape.select(view.queryset.order_by().filter(**given)), **by)


class OwnedViewSet(AppliesOnce, GenericViewSet[Any]):
    """A resource whose rows belong to one user; anybody else gets 404.

    Subclasses set `row_serializer` (what goes out), `write_serializer` (what comes in) and
    implement `create_row`, `update_row`, `delete_row`, each one service call.
    """

    write_serializer: ClassVar[type[Any]]
    ordering: ClassVar[str] = ""
    #: `row_serializer` selects nothing that `rows` annotates: its statement is built once.
    reads_prepared: ClassVar[bool] = False
    lookup_value_regex = r"\d{1,18}"
    _by_found_ids = False

    def get_queryset(self) -> Any:
        queryset: Any = super().get_queryset()
        if getattr(self, "swagger_fake_view", False):
            return queryset.none()
        if not isinstance(queryset, OwnedQuerySet):
            raise TypeError(f"{type(self).__name__} needs a queryset of an owned model")
        if self._by_found_ids:
            return queryset
        return queryset.owned_by(self.request.user)

    def get_serializer_class(self) -> Any:
        if self.action in {"create", "partial_update"}:
            return self.write_serializer
        return self.row_serializer

    # -- reading -----------------------------------------------------------------------

    def rows(self) -> models.QuerySet[Any]:
        """Return what list and retrieve read from: annotate here, not in get_queryset."""
        return self.get_queryset()

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        found = self.filter_queryset(self.rows())
        # Ids first: the joins and columns of a row are read for the page alone, not for
        # everything that is counted, sorted and skipped before it.
        ids = self.paginate_queryset(found.values_list("pk", flat=True))
        return self.get_paginated_response(self.rows_of(ids or []))

    def rows_of(self, ids: Sequence[Any]) -> Rows:
        """Return the rows with these ids, in this order, as they go out."""
        rows = {row["id"]: row for row in self.plain_rows(ids)}
        page = [rows[pk] for pk in ids if pk in rows]
        self.complete(page)
        return page

    def plain_rows(self, ids: Sequence[Any]) -> Rows:
        """Return the rows with these ids, which are the owner's, without what `complete` adds."""
        if not ids:
            return []
        # Asked for ids and owner, SQLite walks all of the owner's rows.
        shape = self.row_serializer
        if self.reads_prepared:
            found: Any = _reading(type(self), shape, pk__among=IDS).dicts(pk__among=ids)
        else:
            self._by_found_ids = True
            try:
                queryset = self.rows()
            finally:
                self._by_found_ids = False
            found = shape.select(queryset.order_by().filter(pk__in=ids))
        rows: Any = shape(found, many=True).data
        return list(rows)

    def complete(self, rows: Rows) -> None:
        """Add to rows what needs a query for all of them together."""

    def retrieve(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return Response(self.row(int(kwargs["pk"])))

    def row(self, pk: int, *, shape: type[RowSerializer] | None = None) -> Any:
        """Return the row for the response. Raises 404 for a row of another user."""
        shape = shape or self.row_serializer
        if self.reads_prepared:
            reading = _reading(type(self), shape, pk=WHOLE, owner=WHOLE)
            found = next(iter(reading.dicts(pk=pk, owner=self.request.user.pk)), None)
        else:
            found = shape.select(self.rows().filter(pk=pk)).order_by().first()
        if found is None:
            raise Http404
        row = shape(found).data
        self.complete([row])
        return row

    def get_owned(self, pk: object) -> Any:
        """Return the model instance of the caller. Raises 404."""
        found = self.get_queryset().filter(pk=pk).first()
        if found is None:
            raise Http404
        return found

    # -- writing -----------------------------------------------------------------------

    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        data = self.validated(self.write_serializer, request.data)
        return Response(self.row(self.create_row(data).pk), status=status.HTTP_201_CREATED)

    def partial_update(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Change some fields; 409 with the current row when it changed since `updatedAt`."""
        pk = int(kwargs["pk"])
        data = self.validated(self.write_serializer, request.data, partial=True)
        with transaction.atomic():
            locked = lock_in_order(self.get_queryset().filter(pk=pk))
            if not locked:
                raise Http404
            seen = seen_at(request)
            if seen is not None and locked[0].updated_at != seen:
                raise Conflict(data=[self.row(pk)])
            self.update_row(locked[0], data)
        return Response(self.row(pk))

    def destroy(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        self.delete_row(self.get_owned(int(kwargs["pk"])))
        return Response(None)

    def create_row(self, data: dict[str, Any]) -> Any:
        raise NotImplementedError

    def update_row(self, row: Any, data: dict[str, Any]) -> Any:
        raise NotImplementedError

    def delete_row(self, row: Any) -> Any:
        raise NotImplementedError


class TwinRow(AnswerSerializer):
    id: int
    name: str


class TwinGroup(AnswerSerializer):
    """Rows whose names differ in case only, from before that was refused; merge them."""

    rows: list[TwinRow]


class ShowsTwins(OwnedViewSet):
    """A resource whose rows have unique names, ignoring case."""

    @extend_schema(responses=TwinGroup(many=True), filters=False)
    @action(detail=False, methods=["get"], **UNPAGED)
    def twins(self, request: Request) -> Response:
        """List the names that differ in case only, each group oldest first."""
        groups = twins_of(self.get_queryset().model, owner=request.user)
        return Response([{"rows": rows} for rows in groups])


def seen_at(request: Request) -> dt.datetime | None:
    """Return the `updatedAt` that the caller sent, if any. Raises Invalid."""
    data = request.data
    return instant(data.get("updatedAt") if isinstance(data, dict) else None, field="updatedAt")


def instant(value: object, *, field: str) -> dt.datetime | None:
    """Return an ISO 8601 instant; None for null. Raises Invalid."""
    if value is None:
        return None
    try:
        found = parse_datetime(value) if isinstance(value, str) else None
    except ValueError:
        found = None
    if (
        found is None
        or found.tzinfo is None
        or (found := in_utc(found)) is None
        or not EARLIEST <= found.date() <= LATEST
    ):
        raise Invalid(fields={field: ["must be an instant such as 2026-01-31T12:00:00Z"]})
    return found
