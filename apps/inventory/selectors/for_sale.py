"""On which channels lots of the stock are for sale."""

from typing import Any, ClassVar

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Aggregate, Exists, OuterRef, QuerySet, Subquery, TextField
from django.db.models.sql.compiler import SQLCompiler

from apps.accounts.models import User
from apps.inventory.models import ChannelLot


class _Joined(Aggregate):
    """Numbers as a text with commas between, on both databases."""

    output_field: ClassVar[TextField[Any, Any]] = TextField()
    template = "STRING_AGG(%(expressions)s::text, ',')"

    def as_sqlite(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **extra: Any
    ) -> Any:
        template = "GROUP_CONCAT(%(expressions)s, ',')"
        return super().as_sql(compiler, connection, template=template, **extra)


def lots_for_sale() -> QuerySet[ChannelLot]:
    """Return the lots of channels that buyers see."""
    return ChannelLot.objects.filter(quantity__gt=0, stockroom="")


def with_channels(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Annotate rows of stock with the ids of the channels that they are for sale on, as a text."""
    lots = lots_for_sale().filter(
        owner=OuterRef("owner"), marketplace_lot_id=OuterRef("marketplace_lot_id")
    )
    ids = lots.order_by().values("marketplace_lot_id").annotate(ids=_Joined("channel_id"))
    return rows.annotate(for_sale_on=Subquery(ids.values("ids")))


def is_for_sale(*, owner: User, channel_id: int | None = None) -> Exists:
    """Return the condition on rows of stock that they are for sale on a channel, or on any."""
    lots = lots_for_sale().filter(owner=owner, marketplace_lot_id=OuterRef("marketplace_lot_id"))
    return Exists(lots if channel_id is None else lots.filter(channel=channel_id))
