"""Items and colours with ids of another marketplace, derived from those of the starter catalogue."""

import threading
import zlib

from simulators.store.catalogue import colours
from simulators.store.catalogue import item as item_of
from simulators.store.wire import Refusal

TYPES = {
    "Part": "PART",
    "Set": "SET",
    "Minifigure": "MINIFIG",
    "Gear": "GEAR",
    "Sticker": "PART",
    "Minibuild": "UNSORTED_LOT",
    "Instructions": "INSTRUCTION",
    "Packaging": "ORIGINAL_BOX",
}
_COLOR_BASE = 500


class Catalogue:
    """Which of our numbers each of their items is. Safe for many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._items: dict[str, tuple[str, list[str]]] = {}
        #: (type, number) -> its items, where tests need none or several.
        self.several: dict[tuple[str, str], list[str]] = {}

    def boids_of(self, kind: str, number: str) -> list[str]:
        """Return the ids of the items with a number; none for an unknown number."""
        try:
            item_of(TYPES[kind], number)
        except Refusal:
            return []
        boids = self.several.get((kind, number))
        if boids is None:
            boids = [str(100_000 + zlib.crc32(f"{kind} {number}".encode()) % 9_000_000)]
        for boid in boids:
            self.know(boid, kind, number)
        return boids

    def know(self, boid: str, kind: str, number: str) -> None:
        """Keep that an item is this number, perhaps beside others."""
        with self._lock:
            numbers = self._items.setdefault(boid, (kind, []))[1]
            if number not in numbers:
                numbers.append(number)

    def get(self, boid: str) -> tuple[str, list[str]]:
        """Return type and numbers of an item. Raises Refusal."""
        with self._lock:
            found = self._items.get(boid)
        if found is None:
            raise Refusal(400, f"Invalid BOID: {boid}")
        return found

    def described(self, boid: str) -> dict[str, object]:
        """Return an item in the API's format."""
        kind, numbers = self.get(boid)
        return {
            "boid": boid,
            "name": f"{kind} {numbers[0]}",
            "type": kind,
            "ids": [
                {"id": boid, "type": "boid"},
                *({"id": number, "type": "bl_item_no"} for number in numbers),
            ],
        }


def color_list() -> dict[str, dict[str, object]]:
    """Return the colours by their id, with ours in `bl_ids`."""
    return {
        str(_COLOR_BASE + ours): {
            "id": str(_COLOR_BASE + ours),
            "name": row["color_name"],
            "hex": row["color_code"],
            "bl_ids": [str(ours)],
        }
        for ours, row in colours().items()
        if ours
    }
