"""What a list offers to filter and sort by, it can find: each has an index, or a reason."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.exceptions import FieldDoesNotExist
from django.db import models

from apps.core.api.serializers import named_columns
from apps.core.api.views import OwnedViewSet
from apps.core.jobs.models import Job
from tests.routes import api_routes

# Why no index is needed -> `View.what`. Anything else that is offered must have one.
REASONS = {
    "a batch has hundreds of rows, which batchitem_of_batch finds": """
        BatchItemViewSet.ordering=updatedAt
        BatchItemViewSet.ordering=qty BatchItemViewSet.ordering=price
        BatchItemViewSet.ordering=condition BatchItemViewSet.ordering=item_number
        BatchItemViewSet.ordering=item_name BatchItemViewSet.ordering=item_type
        BatchItemViewSet.ordering=color_name
        BatchItemViewSet.ordering=user_inventory_item_location_name
        BatchItemViewSet.state BatchItemViewSet.failed BatchItemViewSet.search
        BatchItemViewSet.item_type BatchItemViewSet.item_number BatchItemViewSet.color_name
        BatchItemViewSet.color_id BatchItemViewSet.condition BatchItemViewSet.color
        BatchItemViewSet.qty_min BatchItemViewSet.qty_max
        BatchItemViewSet.price_min BatchItemViewSet.price_max""",
    "a person has hundreds of batches, which batch_list_present finds": """
        BatchViewSet.ordering=name BatchViewSet.search BatchViewSet.status_id BatchViewSet.value_min
        BatchViewSet.value_max""",
    "a person has some hundreds of sets, which the owner's index finds": """
        UserSetViewSet.missing_max UserSetViewSet.search
        UserSetViewSet.theme UserSetViewSet.percent_min UserSetViewSet.percent_max
        UserSetViewSet.ordering=percent UserSetViewSet.ordering=value
        UserSetViewSet.ordering=parts_value UserSetViewSet.ordering=acquired_on
        UserSetViewSet.ordering=missing UserSetViewSet.ordering=name
        UserSetViewSet.ordering=number UserSetViewSet.ordering=pieces_required
        UserSetViewSet.ordering=price_paid UserSetViewSet.ordering=state
        UserSetViewSet.ordering=theme UserSetViewSet.ordering=year""",
    "a set has at most some thousand parts, which the set's index finds": """
        SetPartViewSet.color SetPartViewSet.color_id SetPartViewSet.kind
        SetPartViewSet.search SetPartViewSet.state SetPartViewSet.ordering=color
        SetPartViewSet.ordering=kind SetPartViewSet.ordering=missing
        SetPartViewSet.ordering=name SetPartViewSet.ordering=number
        SetPartViewSet.ordering=on_hand SetPartViewSet.ordering=required""",
    "a search finds at most some thousand sets, by its own index": """
        BuildableSetViewSet.missing_max BuildableSetViewSet.search
        BuildableSetViewSet.ordering=lots_missing BuildableSetViewSet.ordering=name
        BuildableSetViewSet.ordering=number BuildableSetViewSet.ordering=percent
        BuildableSetViewSet.ordering=pieces_required BuildableSetViewSet.ordering=year""",
    "the index of the lots in a colour finds the items": "ItemViewSet.color_id",
    "the table has some 200 rows": """
        ColorViewSet.ordering=part_count ColorViewSet.part_count ColorViewSet.color_type
        ColorViewSet.is_trans""",
    "the table has some 1,000 rows": "CategoryViewSet.name",
    "a person has dozens": """
        ContainerTypeViewSet.ordering=updatedAt SourceViewSet.search
        InventorySyncViewSet.ordering=updatedAt InventorySyncViewSet.state InventorySyncViewSet.target
        SourceViewSet.ordering=batch_count SourceViewSet.ordering=spent
        SourceViewSet.ordering=value SourceViewSet.used
        ExportViewSet.scope ExportViewSet.kind JobViewSet.kind StoreSyncViewSet.state
        ConflictViewSet.decision""",
    "a person has some hundreds, which the owner's index finds": """
        ActViewSet.kind StocktakeViewSet.state AuctionListingViewSet.search
        AuctionListingViewSet.my_bids
        AuctionListingViewSet.show_rejected AuctionListingViewSet.show_ended
        AuctionListingViewSet.kind
        AuctionListingViewSet.ends_within_hours AuctionListingViewSet.has_shipping
        AuctionListingViewSet.location AuctionListingViewSet.new_since
        AuctionListingViewSet.has_buy_it_now""",
    "another table's column: sorted after the join, half a second for 100,000 rows": """
        InventoryItemViewSet.ordering=item_number InventoryItemViewSet.ordering=part_name
        InventoryItemViewSet.ordering=color_name InventoryItemViewSet.ordering=location_name""",
    "a person has some thousands, read newest first by the owner's index": """
        ListingViewSet.state ListingViewSet.kind""",
    "half of the rows satisfy it, so an index would be slower than the owner's": """
        InventoryItemViewSet.ordering=condition InventoryItemViewSet.condition
        InventoryItemViewSet.item_type InventoryItemViewSet.show_zero_quantity
        InventoryItemViewSet.unpriced InventoryItemViewSet.listed""",
    "found from the items of the batch, by the index of their stock rows": """
        InventoryItemViewSet.batch InventoryItemViewSet.batch_id
        InventoryItemViewSet.batch_name""",
    "a probe a row of the lots of a channel, which begin with owner and number": """
        InventoryItemViewSet.for_sale_on""",
    "one probe a row of the index of a lot's figures": """
        InventoryItemViewSet.outlier InventoryItemViewSet.stale_price""",
    "a filter by another name: the index of updated_at, and location_without_a_label": """
        InventoryItemViewSet.since_sync LocationViewSet.label_printed""",
    "words in several columns: read through the owner's rows, half a second for 100,000": """
        InventoryItemViewSet.search InventoryItemViewSet.color_id
        InventoryItemViewSet.item_number InventoryItemViewSet.color_name
        InventoryItemViewSet.color InventoryItemViewSet.location_name
        InventoryItemViewSet.unconsolidated""",
    "a person has some thousands of locations, which location_list_in_order finds": """
        LocationViewSet.ordering=item_count LocationViewSet.ordering=stored_weight
        LocationViewSet.ordering=max_item_count LocationViewSet.search LocationViewSet.fill
        LocationViewSet.size_class""",
    "lots are asked for by item, which has a hundred at most": "LotViewSet.ordering=color_name",
    "items and colours have an index by it, and lots one by item and one by colour": """
        LotViewSet.item_number LotViewSet.item_type LotViewSet.color_name""",
    "a person has some thousands of orders, which order_by_state and order_by_date find": """
        OrderViewSet.tray OrderViewSet.ordering=orderedAt OrderViewSet.ordering=number
        OrderViewSet.ordering=buyer OrderViewSet.ordering=total
        OrderViewSet.channel OrderViewSet.marketplace OrderViewSet.is_open OrderViewSet.is_filed
        OrderViewSet.search PickWalkViewSet.is_open""",
    "the index of invoiced orders by their order finds them": "InvoiceViewSet.order",
    "inventoryitem_by_value has it as an expression": "InventoryItemViewSet.ordering=value",
    "it narrows nothing": """
        BatchViewSet.time_zone BatchItemViewSet.time_zone InventoryItemViewSet.time_zone""",
}
WITHOUT_AN_INDEX = {name for names in REASONS.values() for name in names.split()}


def list_views() -> list[type[Any]]:
    """The views of all lists, each once."""
    found = {
        route.view for route in api_routes() if getattr(route.view, "queryset", None) is not None
    }
    assert len(found) > 8
    return sorted(found, key=lambda view: view.__name__)


def offers(view: type[Any]) -> Iterator[tuple[str, str]]:
    """Yield (name on the wire, column) of every ordering and filter."""
    for name, column in getattr(view, "ordering_fields", {}).items():
        yield f"ordering={name}", column
    for name in getattr(view, "filterset_fields", None) or ():
        yield name, name
    filterset = getattr(view, "filterset_class", None)
    for name, found in (filterset.base_filters if filterset else {}).items():
        yield name, found.field_name


def has_index(model: type[models.Model], column: str, scope: set[str]) -> bool:
    """Tell whether an index begins with `column`, or with what every query here names first."""
    try:
        field = model._meta.get_field(column)
    except FieldDoesNotExist:
        return False
    if isinstance(field, models.Field) and (field.primary_key or field.unique or field.db_index):
        return True
    keys = [
        index.fields or [one.name for one in index.expressions if isinstance(one, models.F)]
        for index in model._meta.indexes
    ]
    keys += [
        constraint.fields
        for constraint in model._meta.constraints
        if isinstance(constraint, models.UniqueConstraint)
    ]
    for key in keys:
        names = [name.removeprefix("-") for name in key]
        if field.name in names and set(names[: names.index(field.name)]) <= scope:
            return True
    return False


def unindexed(view: type[Any]) -> Iterator[str]:
    model = view.queryset.model
    owned = issubclass(view, OwnedViewSet) or model is Job
    # Stored fields are searched among the owner's rows, which an index of each list finds.
    filterset = getattr(view, "filterset_class", None) if owned else None
    among_the_owners = named_columns(filterset.own_fields) if filterset else {}
    scope = {"owner"} if owned else set()
    for name, column in offers(view):
        if name not in among_the_owners and not has_index(model, column, scope):
            yield f"{view.__name__}.{name}"


@pytest.mark.parametrize("view", list_views(), ids=lambda view: view.__name__)
def test_every_offer_has_an_index_or_a_reason(view):
    assert [name for name in unindexed(view) if name not in WITHOUT_AN_INDEX] == []


def test_every_reason_is_needed():
    assert WITHOUT_AN_INDEX - {name for view in list_views() for name in unindexed(view)} == set()


def test_an_offer_without_an_index_is_found():
    class View(OwnedViewSet):
        queryset = Job.objects.all()
        ordering_fields = {"createdAt": "created_at", "attempts": "attempts", "id": "id"}
        filterset_fields = ("message",)

    assert list(unindexed(View)) == ["View.ordering=attempts", "View.message"]
