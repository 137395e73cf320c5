"""The price guide: figures of sales and offers of a lot."""

from typing import Any, Final

from django.conf import settings
from django.db import models

from apps.catalog.models.lot import Lot
from apps.core.ownership import OwnedQuerySet


def _price() -> "models.DecimalField[Any, Any]":
    return models.DecimalField(max_digits=12, decimal_places=4, null=True, blank=True)


def _owner() -> "models.ForeignKey[Any, Any]":
    """Return the column of the person whose key asked: the marketplace's terms bind figures to it."""
    return models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")


class Condition(models.TextChoices):
    """New or used."""

    NEW = "N", "new"
    USED = "U", "used"


class Region(models.TextChoices):
    """Whose sales the figures count."""

    US = "us", "United States"
    GLOBAL = "global", "worldwide"
    EU = "eu", "European Union"


#: The regions whose figures pages show beside each other.
SHOWN_REGIONS: Final = (Region.US, Region.GLOBAL)
#: A region, or the two letters of a country by ISO 3166-1, but for the one that is a region.
REGION: Final = (
    f"{'|'.join(Region.values)}|"
    "AD|AE|AF|AG|AI|AL|AM|AO|AQ|AR|AS|AT|AU|AW|AX|AZ|BA|BB|BD|BE|BF|BG|BH|BI|BJ|BL|BM|BN|"
    "BO|BQ|BR|BS|BT|BV|BW|BY|BZ|CA|CC|CD|CF|CG|CH|CI|CK|CL|CM|CN|CO|CR|CU|CV|CW|CX|CY|CZ|"
    "DE|DJ|DK|DM|DO|DZ|EC|EE|EG|EH|ER|ES|ET|FI|FJ|FK|FM|FO|FR|GA|GB|GD|GE|GF|GG|GH|GI|GL|"
    "GM|GN|GP|GQ|GR|GS|GT|GU|GW|GY|HK|HM|HN|HR|HT|HU|ID|IE|IL|IM|IN|IO|IQ|IR|IS|IT|JE|JM|"
    "JO|JP|KE|KG|KH|KI|KM|KN|KP|KR|KW|KY|KZ|LA|LB|LC|LI|LK|LR|LS|LT|LU|LV|LY|MA|MC|MD|ME|"
    "MF|MG|MH|MK|ML|MM|MN|MO|MP|MQ|MR|MS|MT|MU|MV|MW|MX|MY|MZ|NA|NC|NE|NF|NG|NI|NL|NO|NP|"
    "NR|NU|NZ|OM|PA|PE|PF|PG|PH|PK|PL|PM|PN|PR|PS|PT|PW|PY|QA|RE|RO|RS|RU|RW|SA|SB|SC|SD|"
    "SE|SG|SH|SI|SJ|SK|SL|SM|SN|SO|SR|SS|ST|SV|SX|SY|SZ|TC|TD|TF|TG|TH|TJ|TK|TL|TM|TN|TO|"
    "TR|TT|TV|TW|TZ|UA|UG|UM|UY|UZ|VA|VC|VE|VG|VI|VN|VU|WF|WS|YE|YT|ZA|ZM|ZW"
)


class PriceStat(models.Model):
    """A person's figures of one lot × condition × region × currency, in that currency per piece."""

    owner = _owner()
    lot = models.ForeignKey(
        Lot,
        on_delete=models.CASCADE,
        related_name="prices",
        db_index=False,  # pricestat_row_once begins with it
    )
    condition = models.CharField(max_length=1, choices=Condition.choices)
    region = models.CharField(max_length=6)
    currency = models.CharField(max_length=3)
    avg_sold_price = _price()
    avg_inventory_price = _price()
    low_price = _price()
    mean_sold_price = _price()
    median_sold_price = _price()
    mean_inventory_price = _price()
    median_inventory_price = _price()
    lowest_sold = models.JSONField(null=True, blank=True, help_text="the lowest prices, few")
    lowest_offered = models.JSONField(null=True, blank=True, help_text="the same")
    sell_through = models.DecimalField(
        max_digits=8, decimal_places=4, null=True, blank=True, help_text="sold / offered pieces"
    )
    sold_lots = models.PositiveIntegerField(default=0)
    sold_quantity = models.PositiveIntegerField(default=0)
    stock_lots = models.PositiveIntegerField(default=0)
    stock_quantity = models.PositiveIntegerField(default=0)
    synced_at = models.DateTimeField()
    sold_synced_at = models.DateTimeField(
        null=True, blank=True, help_text="when the market told what it sold for"
    )
    asked_synced_at = models.DateTimeField(
        null=True, blank=True, help_text="when the market told what it is offered at"
    )

    objects = OwnedQuerySet.as_manager()

    class Meta:
        verbose_name = "price figures"
        verbose_name_plural = "price figures"
        constraints = [
            models.UniqueConstraint(
                fields=["lot", "owner", "condition", "region", "currency"],
                name="pricestat_row_once",
            ),
        ]
        indexes = [
            # the daily deletion of what is too old to keep
            models.Index(fields=["synced_at"], name="pricestat_oldest_first"),
        ]

    def __str__(self) -> str:
        return f"{self.lot_id} {self.condition} {self.region} {self.currency}"


class PricePoint(models.Model):
    """A person's figures of a lot on one day: the history in its chart."""

    owner = _owner()
    lot = models.ForeignKey(
        Lot,
        on_delete=models.CASCADE,
        related_name="price_points",
        db_index=False,  # pricepoint_once_a_day begins with it
    )
    condition = models.CharField(max_length=1, choices=Condition.choices)
    region = models.CharField(max_length=6)
    currency = models.CharField(max_length=3)
    day = models.DateField(help_text="in UTC")
    avg_sold_price = _price()
    avg_inventory_price = _price()
    low_price = _price()
    sold_quantity = models.PositiveIntegerField(default=0)
    stock_quantity = models.PositiveIntegerField(default=0)

    objects = OwnedQuerySet.as_manager()

    class Meta:
        verbose_name = "price of a day"
        verbose_name_plural = "prices by day"
        constraints = [
            models.UniqueConstraint(
                fields=["lot", "owner", "currency", "condition", "region", "day"],
                name="pricepoint_once_a_day",
            ),
        ]
        indexes = [models.Index(fields=["day"], name="pricepoint_oldest_first")]

    def __str__(self) -> str:
        return f"{self.lot_id} {self.condition} {self.region} {self.currency} {self.day}"
