"""The connection, its calls and price refreshes on the wire."""

import datetime as dt
from typing import Annotated, Any

from rest_framework import serializers

from apps.catalog.models.price import Condition
from apps.core.api.bulk import MOST, ListFilters
from apps.core.api.fields import ListOf, Matching, RowId, WholeNumber, YesOrNo
from apps.core.api.serializers import AnswerSerializer, DataSerializer, RelatedFields
from apps.inventory.api.filters import ItemFilter
from apps.marketplace.providers.base import Secrets
from apps.marketplace.providers.known import DEFAULT, MARKETPLACES, MarketplaceId
from apps.marketplace.rules import LEAST_GUIDE_SHARE, MOST_GUIDE_SHARE
from apps.marketplace.rules.calls import Allowance
from apps.marketplace.services.connections import secret_fields, secrets_of
from apps.marketplace.services.refreshes import MOST_LOTS
from apps.marketplace.services.wants import MOST_WANTED

STATES = ["none", "untested", "ok", "refused"]


class AllowanceRow(DataSerializer):
    shape = Allowance

    limit: Annotated[int, "of all calls of the day; beyond it, none of this kind"]


class CallsRow(AnswerSerializer):
    used: int
    limit: int
    left: Annotated[int, "today, for changes of the stock; others have less"]
    resetsAt: dt.datetime
    kinds: list[AllowanceRow]


class MarketplaceRow(AnswerSerializer):
    """A marketplace where a store can be connected."""

    marketplace = serializers.ChoiceField(choices=[each.value for each in MarketplaceId])
    marketplace_name: str
    mark: Annotated[str, "one or two letters, beside what is of it"]
    is_demo: Annotated[bool, "calls go to the demo store, not to a real one"]
    has_prices: Annotated[bool, "it tells prices, and items by their number"]


class MarketplaceChoice(MarketplaceRow):
    """A marketplace with the state of the person's connection there."""

    channel_id: Annotated[int | None, "of the person's store there; null: never connected"]
    state = serializers.ChoiceField(choices=STATES)
    is_paused: Annotated[bool, "syncs leave it out"]


class ConnectionRow(MarketplaceRow):
    """A connection in the API: never with its secrets."""

    choices: Annotated[list[MarketplaceChoice], "each of them can be connected"]
    state = serializers.ChoiceField(choices=STATES)
    has_store: Annotated[
        bool, "a store is connected, or the demo store, which connects when it is first used"
    ]
    problem: str
    is_paused: Annotated[bool, "syncs leave the store out until it is resumed"]
    needs_plan: Annotated[
        bool, "connected beside another: syncs leave it out until a plan with it was applied"
    ]
    readAt: Annotated[dt.datetime | None, "when a sync of several stores last read it"]
    outgoing_address: Annotated[
        str, "ours as the marketplace saw it, when it refused a token bound to another"
    ]
    guide_share: Annotated[int, "percent of a day's calls that Get prices may use"]
    connectedAt: dt.datetime | None
    testedAt: dt.datetime | None
    calls: CallsRow


def _secret(help_text: str) -> Matching:
    return Matching(
        r"[A-Za-z0-9]{8,128}",
        required=False,
        max_length=200,
        write_only=True,
        help_text=help_text,
        error_messages={"invalid": "Letters and digits only, as the marketplace shows it."},
    )


class SecretsWrite(RelatedFields):
    """A marketplace, and all secrets that it knows a seller by. They are never sent back."""

    marketplace = serializers.ChoiceField(
        choices=[each.value for each in MarketplaceId], default=DEFAULT.value
    )

    def get_fields(self) -> dict[str, Any]:
        """Return the marketplace and the secrets of all of them."""
        secrets = {
            name: _secret(shown)
            for each in MarketplaceId
            for name, shown in secret_fields(each).items()
        }
        return {**super().get_fields(), **secrets}

    def validate(self, data: dict[str, Any]) -> dict[str, Any]:
        info = MARKETPLACES[data["marketplace"]]
        known = secret_fields(info.id)
        problems = {name: ["This field is required."] for name in known if name not in data}
        for name in data.keys() - known.keys() - {"marketplace"}:
            problems[name] = [f"This is no secret of {info.name}."]
        if problems:
            raise serializers.ValidationError(problems)
        return data

    def secrets(self) -> Secrets:
        """Return what was told, once it is valid."""
        return secrets_of(self.validated_data["marketplace"], self.validated_data)


class DemoWrite(serializers.Serializer[Any]):
    """Whose demo store."""

    marketplace = serializers.ChoiceField(
        choices=[each.value for each in MarketplaceId], default=DEFAULT.value
    )


class LookUpWrite(serializers.Serializer[Any]):
    """Which unknown number."""

    id = RowId(help_text="a row of the stock that the catalogue does not know")


class RefreshWrite(serializers.Serializer[Any]):
    """Which lots' prices to ask for."""

    lot_ids = ListOf(
        child=WholeNumber(min_value=1, max_value=2**63 - 1), min_length=1, max_length=MOST_LOTS
    )


class ConnectionChange(RelatedFields):
    """How a connection is used."""

    guide_share = WholeNumber(
        min_value=LEAST_GUIDE_SHARE,
        max_value=MOST_GUIDE_SHARE,
        required=False,
        help_text="percent of a day's calls that Get prices may use",
    )
    is_paused = YesOrNo(required=False, help_text="syncs leave the store out")

    some_of = ("guide_share", "is_paused")


class WantedRow(serializers.Serializer[Any]):
    """Pieces of a lot in a condition."""

    lot_id = WholeNumber(min_value=1, max_value=2**63 - 1)
    condition = serializers.ChoiceField(choices=Condition.choices)
    quantity = WholeNumber(min_value=0, max_value=2**31 - 1, default=1)


class WantWrite(RelatedFields):
    """The lots to get prices for: `lots`, or rows of stock by `ids` or `filter`; none: continue."""

    lots = WantedRow(
        many=True,
        required=False,
        max_length=MOST_WANTED,  # type: ignore[call-arg]  # goes to the list around it
    )
    ids = ListOf(child=RowId(), required=False, min_length=1, max_length=MOST)
    filter = ListFilters(ItemFilter)

    def validate(self, data: dict[str, Any]) -> dict[str, Any]:
        if len(data) > 1:
            raise serializers.ValidationError({"lots": ["give one of lots, ids and filter"]})
        return super().validate(data)
