"""Read the bins of a file's lots from their Remarks, as the importing person chose."""

from collections import Counter
from collections.abc import Container, Sequence
from typing import Any, Final, NamedTuple

from apps.exchange.table_dates import has_become_a_date
from apps.locations.rules.bin_names import place_by_pattern
from apps.locations.rules.remarks import without_mark
from apps.locations.rules.several import Several, SeveralLocations, several_in
from apps.locations.services.locations import AT_ONCE, name_in_remarks

MOST_EXAMPLES: Final = 5


class Place(NamedTuple):
    """The location that Remarks name, '' for none, and the several that they name instead."""

    name: str
    several: Several | None


class RemarksReader:
    """Reads Remarks as names of locations. `there` holds the names that exist.

    Without `creates` only those count, so that Remarks which name none of them name nothing.
    `patterns` give the position of the bin in a text, such as "in *".
    """

    def __init__(
        self,
        *,
        there: Container[str],
        creates: bool,
        several: SeveralLocations,
        patterns: Sequence[str] = (),
    ) -> None:
        self._there = there
        self._patterns = patterns
        self._creates = creates
        self._choice = several
        self._places: dict[str, Place] = {}

    def read(self, remarks: str) -> Place:
        place = self._places.get(remarks)
        if place is None:
            if len(self._places) > AT_ONCE:
                self._places.clear()  # as many locations as a file names at once, not all texts
            place = self._places[remarks] = self._place(remarks)
        return place

    def _place(self, remarks: str) -> Place:
        text = name_in_remarks(remarks)
        if has_become_a_date(text) and text not in self._there:
            return Place("", None)
        if self._patterns and text not in self._there:
            for pattern in self._patterns:
                if name := place_by_pattern(text, pattern):
                    return Place(name, None)
        several = self._several(remarks)
        if several is None or self._choice is SeveralLocations.WHOLE:
            return Place(text, several)
        return Place(several.names[0] if self._choice is SeveralLocations.FIRST else "", several)

    def _several(self, remarks: str) -> Several | None:
        if "\n" in remarks:
            return None
        several = several_in(" ".join(without_mark(remarks).split()), there=self._there)
        if several is None or self._creates:
            return several
        missing = [name for name in several.names if name not in self._there]
        if len(missing) == len(several.names):
            return None
        # A row for a location that does not exist and is not created would have no place.
        return several._replace(quantities=()) if missing else several


class SeveralQuestion:
    """Gathers what to ask about lots whose Remarks name several locations."""

    def __init__(self) -> None:
        self.lots = 0
        self._divisible = 0
        self._separators: Counter[str] = Counter()
        self._examples: dict[str, dict[str, Any]] = {}

    def note(self, remarks: str, several: Several, *, quantity: int, is_divisible: bool) -> None:
        self.lots += 1
        self._divisible += is_divisible
        self._separators[several.separator] += 1
        text = without_mark(remarks)
        # One that can be split belongs to what is shown: it is asked about apart.
        room = len(self._examples) < MOST_EXAMPLES or (is_divisible and self._divisible == 1)
        if room and text not in self._examples:
            self._examples[text] = {
                "remarks": text,
                "quantity": quantity,
                "locations": list(several.names),
                "quantities": list(several.quantities) if is_divisible else [],
            }

    def as_dict(self) -> dict[str, Any]:
        """Return the question as it goes out: how many lots, how separated, some of them."""
        return {
            "lots": self.lots,
            "divisible": self._divisible,
            "separators": [separator for separator, _ in self._separators.most_common()],
            "examples": list(self._examples.values()),
        }

    def message(self) -> str:
        """Return the question's first sentence, for people."""
        example = next(iter(self._examples))
        if self.lots == 1:
            return f"1 lot names several bins in Remarks: “{example}”."
        return f"{self.lots:,} lots name several bins in Remarks, such as “{example}”."
