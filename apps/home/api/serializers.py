"""The home page on the wire. Its rows are plain; these name their fields for the schema."""

from typing import Any

from rest_framework import serializers

from apps.core.money import MONEY
from apps.orders.models import OrderState

SUM: dict[str, Any] = {**MONEY, "max_digits": 24}
RATIO: dict[str, Any] = {"max_digits": 24, "decimal_places": 4, "allow_null": True}
Plain = serializers.Serializer[Any]


class FirstSteps(Plain):
    """What of the first steps is done."""

    locations = serializers.BooleanField()
    stock = serializers.BooleanField(help_text="a file was imported or a batch begun")
    marketplace = serializers.BooleanField()


class LastAddedItem(Plain):
    batch_id = serializers.IntegerField()
    batch_name = serializers.CharField()
    batch_pieces = serializers.IntegerField()
    is_archived = serializers.BooleanField()
    quantity = serializers.IntegerField()
    item_type = serializers.CharField(help_text="empty: the catalogue does not know it")
    item_number = serializers.CharField()
    item_name = serializers.CharField()
    color_name = serializers.CharField()
    color_html = serializers.CharField()
    image_url = serializers.CharField()
    addedAt = serializers.DateTimeField()


class Tiles(Plain):
    """Of batches, only those that are not archived count."""

    stock_pieces = serializers.IntegerField()
    stock_lots = serializers.IntegerField()
    stock_value = serializers.DecimalField(**SUM)
    lots_without_price = serializers.IntegerField(help_text="not in the value")
    batches = serializers.IntegerField()


class SittingPaceRow(Plain):
    startedAt = serializers.DateTimeField()
    minutes = serializers.IntegerField()
    pieces = serializers.IntegerField()
    per_minute = serializers.DecimalField(max_digits=12, decimal_places=1, allow_null=True)


class BatchReturnRow(Plain):
    id = serializers.IntegerField()
    name = serializers.CharField()
    cost = serializers.DecimalField(**SUM)
    value = serializers.DecimalField(**SUM)
    lots_without_price = serializers.IntegerField(help_text="not in the value")
    gives_back = serializers.DecimalField(**RATIO, help_text="value ÷ cost")


class SourceReturnRow(Plain):
    id = serializers.IntegerField()
    name = serializers.CharField()
    batches = serializers.IntegerField()
    spent = serializers.DecimalField(**SUM)
    value = serializers.DecimalField(**SUM, help_text="of batches whose cost is known")
    lots_without_price = serializers.IntegerField(help_text="not in the value")
    gives_back = serializers.DecimalField(**RATIO, help_text="value ÷ cost")


class ToDoLine(Plain):
    """One thing that waits for the person, and the page of the app where it is settled."""

    id = serializers.CharField()
    title = serializers.CharField()
    note = serializers.CharField()
    to = serializers.CharField(help_text="an address of the app, such as /app/inventory")
    count = serializers.IntegerField()
    money = serializers.DecimalField(**SUM, allow_null=True, help_text="at stake; null: unknown")
    since = serializers.DateTimeField(allow_null=True)
    is_due = serializers.BooleanField(help_text="`since` is when it is over")
    is_pressing = serializers.BooleanField(help_text="it failed, or is overdue or nearly over")


class MarketplaceState(Plain):
    marketplace_name = serializers.CharField()
    is_demo = serializers.BooleanField()
    has_store = serializers.BooleanField()
    state = serializers.ChoiceField(choices=["none", "untested", "ok", "refused"])
    problem = serializers.CharField()
    calls_left = serializers.IntegerField()


class RecogniserState(Plain):
    provider = serializers.CharField()
    is_demo = serializers.BooleanField()
    is_reachable = serializers.BooleanField()


class ImportedFile(Plain):
    name = serializers.CharField()
    at = serializers.DateTimeField()
    into = serializers.ChoiceField(choices=["inventory", "batch"])


class BackupFile(Plain):
    id = serializers.IntegerField()
    name = serializers.CharField()
    at = serializers.DateTimeField()
    of = serializers.ChoiceField(
        choices=["everything", "inventory"], help_text="a backup, or an export of the inventory"
    )


class Health(Plain):
    marketplace = MarketplaceState()
    recognition = RecogniserState()
    last_import = ImportedFile(allow_null=True)
    last_backup = BackupFile(allow_null=True)


class HomeRow(Plain):
    """Everything on the home page."""

    currency = serializers.CharField()
    is_new = serializers.BooleanField(help_text="nothing is there yet")
    first_steps = FirstSteps()
    last_added = LastAddedItem(allow_null=True)
    tiles = Tiles()
    batch_returns = BatchReturnRow(many=True)
    waiting = ToDoLine(many=True, help_text="most money first")
    health = Health()


class BatchLine(Plain):
    id = serializers.IntegerField()
    name = serializers.CharField()
    source_name = serializers.CharField()
    createdAt = serializers.DateTimeField()
    is_archived = serializers.BooleanField()
    lots = serializers.IntegerField()
    pieces = serializers.IntegerField()
    cost = serializers.DecimalField(**SUM, allow_null=True)
    value = serializers.DecimalField(**SUM)
    lots_without_price = serializers.IntegerField(help_text="not in the value")
    gives_back = serializers.DecimalField(**RATIO, help_text="value ÷ cost")
    cost_per_kg = serializers.DecimalField(**SUM, allow_null=True)
    cost_per_piece = serializers.DecimalField(**SUM, allow_null=True)


class SourceLine(SourceReturnRow):
    pieces = serializers.IntegerField()


class SourceProfitLine(Plain):
    """What buyers kept and paid for, less what that took. Only sales in the person's currency."""

    id = serializers.IntegerField(allow_null=True, help_text="null: of no batch that is known")
    name = serializers.CharField()
    pieces = serializers.IntegerField(help_text="sold and not returned")
    sold = serializers.DecimalField(**SUM, help_text="after discounts")
    fees = serializers.DecimalField(**SUM, help_text="by the person's percentage; none by hand")
    cost = serializers.DecimalField(**SUM, allow_null=True, help_text="of the sold pieces")
    profit = serializers.DecimalField(**SUM, allow_null=True, help_text="sold − fees − cost")
    paid_back = serializers.DecimalField(**RATIO, help_text="(sold − fees) ÷ what all of it cost")


class BatchProfitLine(SourceProfitLine):
    source_name = serializers.CharField()


class SittingLine(SittingPaceRow):
    id = serializers.IntegerField()
    lots = serializers.IntegerField()
    undos = serializers.IntegerField()


class StockLine(Plain):
    age = serializers.CharField()
    lots = serializers.IntegerField()
    pieces = serializers.IntegerField()
    value = serializers.DecimalField(**SUM)
    lots_without_price = serializers.IntegerField(help_text="not in the value")

    def get_fields(self) -> Any:
        # A word that Python keeps for itself.
        return {
            "class": serializers.CharField(help_text="A, B or C, by value"),
            **super().get_fields(),
        }


class SellThroughLine(Plain):
    item_type = serializers.CharField(help_text="empty: the catalogue does not know it")
    stock_pieces = serializers.IntegerField()
    sold_30 = serializers.IntegerField(help_text="pieces sold in 30 days")
    sold_90 = serializers.IntegerField()
    sold_365 = serializers.IntegerField()
    sell_through = serializers.DecimalField(
        **RATIO, help_text="sold in a year ÷ (sold in a year + in stock)"
    )


class SalesDayLine(Plain):
    day = serializers.DateField()
    orders = serializers.IntegerField()
    pieces = serializers.IntegerField()
    amount = serializers.DecimalField(**SUM)


class SalesCategoryLine(Plain):
    category = serializers.CharField(help_text="empty: the catalogue does not know it")
    orders = serializers.IntegerField()
    lots = serializers.IntegerField()
    pieces = serializers.IntegerField()
    amount = serializers.DecimalField(**SUM)


class WalkLine(Plain):
    """An ended pick walk."""

    id = serializers.IntegerField()
    startedAt = serializers.DateTimeField()
    minutes = serializers.DecimalField(max_digits=12, decimal_places=1)
    orders = serializers.IntegerField()
    stops = serializers.IntegerField()
    minutes_per_order = serializers.DecimalField(max_digits=12, decimal_places=1, allow_null=True)


class ReportsRow(Plain):
    """All reports. Of batches the newest 200, of sittings the newest 100; the files hold all."""

    currency = serializers.CharField()
    batch_count = serializers.IntegerField()
    batches = BatchLine(many=True)
    sources = SourceLine(many=True)
    profit = BatchProfitLine(many=True, help_text="the 200 that sold most")
    source_profit = SourceProfitLine(many=True, help_text="over batches whose cost is known")
    pace = SittingLine(many=True)
    stock = StockLine(many=True)
    sell_through = SellThroughLine(many=True)
    sales = SalesDayLine(many=True, help_text="a year, in the person's currency")
    categories = SalesCategoryLine(many=True)
    walks = WalkLine(many=True, help_text="the newest 100")


class WorthBasis(Plain):
    """The past proceeds of a kilogram, in dollars like the site's prices."""

    batches = serializers.IntegerField(help_text="how many it rests on")
    source_name = serializers.CharField(help_text="empty: of all sources")
    value_per_kg = serializers.DecimalField(**SUM, help_text="at the prices of their items")
    minutes_per_kg = serializers.DecimalField(
        max_digits=24, decimal_places=1, allow_null=True, help_text="null: no sitting is known"
    )
    fee_percent = serializers.DecimalField(max_digits=5, decimal_places=3)
    hourly_rate = serializers.DecimalField(**MONEY)
    net_per_kg = serializers.DecimalField(**SUM, help_text="after fees and work")


class ListingWorth(Plain):
    id = serializers.IntegerField()
    worth = serializers.DecimalField(max_digits=24, decimal_places=2, help_text="landed")
    highest_bid = serializers.DecimalField(
        max_digits=24, decimal_places=2, allow_null=True, help_text="null: shipping is unknown"
    )
    rests_on = serializers.ChoiceField(choices=["of_site", "of_all"])


class AuctionWorthRow(Plain):
    """Listings without a weight, and all without a basis, are left out."""

    of_site = WorthBasis(allow_null=True, help_text="batches whose source is the site")
    of_all = WorthBasis(allow_null=True, help_text="batches of any source")
    listings = ListingWorth(many=True)


class FoundBin(Plain):
    location_id = serializers.IntegerField(allow_null=True, help_text="null: in no bin")
    name = serializers.CharField()
    pieces = serializers.IntegerField()


class FoundPart(Plain):
    """An item in a colour that is in stock, or an item that is not."""

    item_id = serializers.IntegerField(allow_null=True, help_text="null: not in the catalogue")
    lot_id = serializers.IntegerField(allow_null=True)
    row_id = serializers.IntegerField(
        allow_null=True, help_text="of its row in stock with the most pieces"
    )
    item_type = serializers.CharField()
    item_number = serializers.CharField()
    item_name = serializers.CharField()
    color_id = serializers.IntegerField(allow_null=True)
    color_name = serializers.CharField()
    color_html = serializers.CharField()
    image_url = serializers.CharField(allow_null=True)
    pieces = serializers.IntegerField(help_text="in stock")
    bins = FoundBin(many=True, help_text="at most 4, the fullest first")
    more_bins = serializers.IntegerField(help_text="bins that are not among `bins`")


class FoundLocation(Plain):
    id = serializers.IntegerField()
    name = serializers.CharField()
    pieces = serializers.IntegerField()
    most_pieces = serializers.IntegerField(allow_null=True, help_text="null: no limit")


class FoundBatch(Plain):
    id = serializers.IntegerField()
    name = serializers.CharField()
    is_archived = serializers.BooleanField()
    createdAt = serializers.DateTimeField()


class FoundSet(Plain):
    id = serializers.IntegerField()
    number = serializers.CharField()
    name = serializers.CharField()
    state = serializers.CharField()


class FoundSource(Plain):
    id = serializers.IntegerField()
    name = serializers.CharField()


class FoundOrder(Plain):
    id = serializers.IntegerField()
    number = serializers.CharField()
    state = serializers.ChoiceField(choices=OrderState.choices)
    buyer = serializers.CharField()


class FindRow(Plain):
    orders = FoundOrder(many=True)
    parts = FoundPart(many=True)
    locations = FoundLocation(many=True)
    batches = FoundBatch(many=True)
    sets = FoundSet(many=True)
    sources = FoundSource(many=True)
