"""Errors of the services of locations."""

from collections.abc import Sequence
from typing import Any

from apps.core.errors import DomainError, ErrorCode
from apps.locations.rules.fit import Reason, left_out


class LocationFull(DomainError):
    """A location has no room; `data` names each broken limit and by how much.

    The message includes how many pieces a limit of weight does not count.
    """

    code = ErrorCode.CAPACITY_EXCEEDED
    message = "{sentence}"

    def __init__(
        self, *, location_id: int, name: str, reasons: Sequence[Reason], unweighed: int = 0
    ) -> None:
        self.reasons = list(reasons)
        super().__init__(
            sentence=" ".join([*(one.sentence(name) for one in reasons), *left_out(unweighed)]),
            data=[
                {
                    "location_id": location_id,
                    "name": name,
                    "limit": str(reason.limit),
                    "room": reason.room,
                    "wanted": reason.wanted,
                    "can_override": reason.can_override,
                }
                for reason in reasons
            ],
        )

    @property
    def can_override(self) -> bool:
        """Whether a person may pass every one of the limits with a reason."""
        return all(reason.can_override for reason in self.reasons)


class LocationGone(DomainError):
    code = ErrorCode.NOT_FOUND
    message = "This bin is not there any more."


class LocationNotEmpty(DomainError):
    """The location holds pieces; `data` lists them as id, name, number, quantity."""

    code = ErrorCode.LOCATION_NOT_EMPTY
    message = "{name} still holds {lots} {noun}."

    def __init__(self, *, name: str, lots: int, data: list[dict[str, Any]]) -> None:
        super().__init__(name=name, lots=lots, noun="lot" if lots == 1 else "lots", data=data)
