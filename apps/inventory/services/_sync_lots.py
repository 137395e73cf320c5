"""The lots of a file before they are matched: their place in the file and their catalogue lot."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cached_property
from typing import Final, NamedTuple

from apps.accounts.models import User
from apps.catalog.selectors.naming import CatalogueNames
from apps.catalog.selectors.resolving import LotIdentity
from apps.core.names import NamesThere, name_key
from apps.exchange.bsx_lot import BsxLot, BsxWarning, WarningCode
from apps.exchange.conditions import UNKNOWN_CONDITION
from apps.inventory.rules.bins import TAG, Part, bins_of
from apps.inventory.rules.bsx_fields import named, plain_values, refusal_of, warnings_of
from apps.inventory.rules.dividing import division, part_values
from apps.inventory.rules.sync_plan import OF_COLOR, OF_CONDITION
from apps.inventory.rules.sync_planning import OWN_WEIGHT, REMARKS, Read
from apps.inventory.selectors.exact_lots import exact_lots
from apps.inventory.selectors.meanings import (
    NumberHere,
    numbered_as_here,
    numbers_here,
    resolve_as_named,
)
from apps.inventory.services._stock import catalogue_weights
from apps.locations.rules.bin_names import FoundName
from apps.locations.rules.remarks import without_mark
from apps.locations.rules.several import Several, SeveralLocations
from apps.locations.services.remarks_reading import Place, RemarksReader, SeveralQuestion

#: Of a name that was told as a bin's: no item's number, and no doubt.
SAID: Final = ("", True)
NO_PLACE: Final = Place("", None)


class Found(NamedTuple):
    """The catalogue's answer for an identity: a lot, the pair to create one, or the refusal."""

    lot_id: int | None
    pair: tuple[int, int] | None
    reason: str
    grams: str | None
    #: Where the file has another site's number.
    here: NumberHere | None = None


def found_lots(
    identities: set[LotIdentity], owner: User, *, of_any_site: bool = False
) -> dict[LotIdentity, Found]:
    """Return the catalogue's answer for each identity, as visible to `owner`.

    `of_any_site`: the numbers may be another site's; else they are BrickLink's own.
    Not cached between chunks: at 100,000 lots a cache takes 25 MB and saves a tenth of the time.
    """
    wanted = list(identities)
    exact = exact_lots(wanted)
    answers = {
        identity: Found(lot_id, None, "", grams) for identity, (lot_id, grams) in exact.items()
    }
    others = resolve_as_named((one for one in wanted if one not in exact), owner=owner)
    weights = catalogue_weights(resolved.lot_id for resolved in others.values())
    here = numbers_here(others) if of_any_site else {}
    for identity, resolved in others.items():
        pair = None
        if resolved.reason == "no_lot" and resolved.item_id and resolved.color_id is not None:
            pair = (resolved.item_id, resolved.color_id)
        grams_found = weights.get(resolved.lot_id or 0)
        answers[identity] = Found(
            resolved.lot_id,
            pair,
            "" if pair else resolved.reason,
            None if grams_found is None else str(grams_found),
            here.get(identity),
        )
    return answers


class LotReader:
    """Reads lots by the person's options, and collects the locations named in their Remarks.

    `there` holds the names of the locations that exist; `rate` turns amounts into the store's
    currency.
    """

    def __init__(
        self,
        *,
        there: NamesThere,
        creates: bool,
        reads_remarks: bool = True,
        several: SeveralLocations,
        splits: bool,
        patterns: Sequence[str] = (),
        rate: Decimal | None,
    ) -> None:
        self.there = there
        #: Names of locations that are not there, with the lots that carry them.
        self.found_names: dict[str, FoundName] = {}
        self._new = NamesThere(())
        self._left_out: set[str] = set()
        self.matched_locations: set[str] = set()
        self.ignored_remarks = 0
        self.question = SeveralQuestion()
        #: By lot id: Remarks of the file that name bins, which the rows keep without them.
        self.remarks_there: dict[int, str] = {}
        self._creates = creates
        self._reads_remarks = reads_remarks
        self._splits = splits
        self._rate = rate
        self._names = CatalogueNames()
        self._remarks = RemarksReader(
            there=there, creates=creates, several=several, patterns=patterns
        )

    def read(
        self, lot: BsxLot, found: Found, *, given: tuple[str, ...] | None = None
    ) -> list[Read]:
        """Return the lot; where it is split by its Remarks, one for each location.

        `given` are the columns that its file fills, where it leaves some as they are.
        """
        raw = (lot.item_type, lot.item_number, lot.color_id) if found.here else None
        reason = found.reason or (OF_CONDITION if lot.condition == UNKNOWN_CONDITION else "")
        if reason == "unknown_color" and lot.color_id is None and not lot.color_name:
            reason = OF_COLOR
        lot, bins, why_not = bins_of(named(numbered_as_here(lot, found.here), self._names))
        if given is not None:
            lot = self._with_zeros(lot)
        values = plain_values(lot, rate=self._rate)
        refusal = refusal_of(lot, rate=self._rate, is_part=given is not None)
        # A refused lot reports only its refusal.
        odd = () if refusal else warnings_of(lot)
        told = [(str(w.code), w.field, w.message) for w in odd]
        if why_not and not refusal:
            told.append(("bins_not_kept", TAG, why_not))
        place = self._place(lot)
        parts: tuple[tuple[str, int], ...] = ()
        if place.several and not refusal and not bins:
            parts = self._asked(lot, place.several)
        about = (lot.item_number, bool(lot.place or place.several))
        read = Read(
            lot.index,
            lot.line,
            refusal,
            found.lot_id,
            found.pair,
            reason,
            "" if parts else self._location(place.name, refusal, lot.quantity, about),
            lot.quantity,
            values,
            values[OWN_WEIGHT] or found.grams,
            told,
            given,
            lot.is_change,
            raw,
        )
        if bins and not refusal:
            self._note_remarks(lot, bins)
            return self._in_bins(read, bins, found)
        if parts:
            return self._split(read, parts)
        if values[REMARKS] and not (read.location or refusal):
            self.ignored_remarks += 1
        return [read]

    def _place(self, lot: BsxLot) -> Place:
        if not self._reads_remarks:
            return NO_PLACE
        return Place(lot.place, None) if lot.place else self._remarks.read(lot.remarks)

    def _with_zeros(self, lot: BsxLot) -> BsxLot:
        """Return a lot in bin 153 as in bin 0153, where that is the only one: spreadsheets take zeros off."""
        number = lot.place or lot.remarks
        if not number.isdecimal() or number in self.there:
            return lot
        name = self._by_number.get(number.lstrip("0"), "")
        if not name:
            return lot
        warning = BsxWarning(
            WarningCode.ZEROS_PUT_BACK,
            "",
            f"Bin “{number}” is read as your “{name}”: a spreadsheet may have taken the zeros off.",
            line=lot.line,
            index=lot.index,
        )
        remarks = name if lot.remarks == number else lot.remarks
        place = name if lot.place else ""
        return replace(lot, place=place, remarks=remarks, warnings=(*lot.warnings, warning))

    @cached_property
    def _by_number(self) -> dict[str, str]:
        """The bins whose names are numbers that begin with 0, by that number; '' for several."""
        found: dict[str, str] = {}
        for name in self.there:
            number = name.lstrip("0")
            if name.isdecimal() and name != number:
                found[number] = "" if number in found else name
        return found

    def leave_out(self, names: Collection[str]) -> None:
        """Let these names be remarks and no bins, in lots that were read before too."""
        self._left_out |= set(names)
        self.ignored_remarks += sum(self.found_names[name].lots for name in names)

    def without_left_out(self, read: Read) -> Read:
        """Return a lot without the location that its Remarks do not name after all."""
        return read._replace(location="") if read.location in self._left_out else read

    def _asked(self, lot: BsxLot, several: Several) -> tuple[tuple[str, int], ...]:
        """Note that this lot is asked about; return the parts that it is to be split into."""
        parts = division(lot, several)
        self.question.note(lot.remarks, several, quantity=lot.quantity, is_divisible=bool(parts))
        return parts if self._splits else ()

    def _split(self, read: Read, parts: tuple[tuple[str, int], ...]) -> list[Read]:
        rows = [
            read._replace(
                location=self._location(name, "", quantity, SAID),
                quantity=quantity,
                values=part_values(read.values, name),
                warnings=[],
            )
            for name, quantity in parts
        ]
        # Only the first row of a divided lot carries its warnings.
        rows[0] = rows[0]._replace(warnings=read.warnings)
        return rows

    def _note_remarks(self, lot: BsxLot, bins: Sequence[Part]) -> None:
        has_base = any(tag == "Remarks" for tag, _text in lot.base)
        is_plain = len(bins) == 1 and bins[0].lot.remarks == lot.remarks
        if lot.marketplace_lot_id and not has_base and not is_plain:
            self.remarks_there[lot.marketplace_lot_id] = without_mark(lot.remarks)

    def _in_bins(self, read: Read, bins: Sequence[Part], found: Found) -> list[Read]:
        """Return the parts of a lot as we wrote them."""
        rows: list[Read] = []
        for lot, place in bins:
            values = plain_values(lot, rate=self._rate)
            rows.append(
                read._replace(
                    location=self._location(place, "", lot.quantity, SAID),
                    quantity=lot.quantity,
                    values=values,
                    grams=values[OWN_WEIGHT] or found.grams,
                    warnings=read.warnings if not rows else [],
                )
            )
        return rows

    def _location(self, name: str, refusal: str, pieces: int, about: tuple[str, bool]) -> str:
        if not self._reads_remarks:
            return ""
        if name in self.there:
            name = self.there.spelt(name)
            self.matched_locations.add(name)
        elif name:
            if not self._creates:
                return ""
            name = self._new.spelt(name)
            if not refusal:
                number, is_sure = about
                found = self.found_names.get(name)
                if found is None:
                    self._new.add(name)
                    found = self.found_names[name] = FoundName(name)
                found.add(
                    pieces=pieces,
                    is_part=name_key(name) == name_key(number),
                    is_sure=is_sure,
                )
        return name
