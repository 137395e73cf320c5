"""What a person lets be for sale on a channel, and at which prices."""

import datetime as dt
from collections.abc import Mapping
from typing import Any, Final

from django.db import transaction

from apps.accounts.models import User
from apps.core.errors import ValueRefused
from apps.inventory.models import ChannelRule
from apps.inventory.selectors.channel_rules import as_sale_rule
from apps.marketplace.services.connections import connection_of

#: Less is a slip of the keys: it would sell the stock for nothing.
LEAST_PERCENT: Final = 1


@transaction.atomic
def change_sale_rule(
    *, owner: User, marketplace: str | None, values: Mapping[str, Any], now: dt.datetime
) -> None:
    """Store the rule of a channel; one that lets all be for sale as it is, is none.

    Nothing is sent by it: the next sync, or the plan of it, works with the rule. Raises
    NotConnected, ValueRefused.
    """
    channel = connection_of(owner=owner, marketplace=marketplace).channel
    refuse_rule(values)
    ChannelRule.objects.owned_by(owner).filter(channel=channel).delete()
    rule = ChannelRule(owner=owner, channel=channel, **values)
    if rule.currency or not as_sale_rule(rule).is_everything:
        rule.save(force_insert=True)
    # What was compared with the last reading was compared by the earlier rule.
    channel.lots.update(updated_at=now)


def refuse_rule(values: Mapping[str, Any]) -> None:
    """Raise ValueRefused for a rule by which nothing could be for sale, or no price be made."""
    least, most = values["least_value"], values["most_value"]
    if least is not None and most is not None and least > most:
        raise ValueRefused(fields={"most_value": ["must be at least the least value"]})
    if values["percent"] < LEAST_PERCENT:
        raise ValueRefused(fields={"percent": [f"at least {LEAST_PERCENT} % of the price"]})
    if values["rate"] != 1 and not values["currency"]:
        raise ValueRefused(fields={"rate": ["name the currency that it leads to"]})
