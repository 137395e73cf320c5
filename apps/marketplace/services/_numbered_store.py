"""A client of a marketplace whose lots have the numbers of the stock."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, Self

from apps.inventory.models import Channel
from apps.inventory.services.channels import numbers_of
from apps.marketplace.providers.base import Marketplace
from apps.marketplace.providers.lots import LotChange, StoreLot, UnreadLot

REPLACED: Final = "Its number is that of a lot of your stock that has lot {lot_id} there."


class NumberedStore:
    """Names each lot by its number in the stock, and the marketplace's own id in each call.

    A lot that no channel has tied has its id as its number. Orders name lots by their ids: what an
    order says stays true where a lot is tied later.
    """

    def __init__(self, client: Marketplace, channel: Channel) -> None:
        self._client = client
        self._channel = channel

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def __enter__(self) -> Self:
        self._client.__enter__()
        return self

    def __exit__(self, *problem: object) -> None:
        self._client.__exit__(*problem)

    def lots(
        self, *, item_types: Sequence[str] = (), color_ids: Sequence[int] = ()
    ) -> list[StoreLot | UnreadLot]:
        found = self._client.lots(item_types=item_types, color_ids=color_ids)
        return list(self._numbered(found))

    def each_lot(
        self,
        *,
        item_types: Sequence[str] = (),
        color_ids: Sequence[int] = (),
        is_known: Callable[[str], bool] | None = None,
    ) -> Iterator[StoreLot | UnreadLot]:
        found = self._client.each_lot(item_types=item_types, color_ids=color_ids, is_known=is_known)
        return self._numbered(found)

    def lot(self, lot_id: int) -> StoreLot | UnreadLot:
        return replace(self._client.lot(self._remote_id(lot_id)), lot_id=lot_id)

    def change_lot(self, lot_id: int, change: LotChange) -> None:
        self._client.change_lot(self._remote_id(lot_id), change)

    def delete_lot(self, lot_id: int) -> None:
        self._client.delete_lot(self._remote_id(lot_id))

    def _remote_id(self, lot_id: int) -> int:
        lots = self._channel.lots.filter(marketplace_lot_id=lot_id)
        return lots.values_list("remote_lot_id", flat=True).first() or lot_id

    def _numbered(self, lots: Iterable[StoreLot | UnreadLot]) -> Iterator[StoreLot | UnreadLot]:
        numbers = numbers_of(owner=self._channel.owner, channel=self._channel)
        remote_ids = {number: remote_id for remote_id, number in numbers.items()}
        for lot in lots:
            number = numbers.get(lot.lot_id)
            if number is not None:
                yield replace(lot, lot_id=number)
            elif lot.lot_id in remote_ids:
                reason = REPLACED.format(lot_id=remote_ids[lot.lot_id])
                yield UnreadLot(lot.lot_id, lot.remarks, reason)
            else:
                yield lot
