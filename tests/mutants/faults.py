"""The faults that the tests must find, as they stand in `faults.toml`."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A text of a file and what stands there wrongly; `test` must fail then."""

    name: str
    file: str
    old: str
    new: str
    test: str
    on: str = "sqlite"

    @property
    def is_of_the_page(self) -> bool:
        return self.file.startswith("frontend/")

    def problem(self, root: Path = ROOT) -> str | None:
        """Return why it cannot be planted, or None."""
        path = root / self.file
        times = path.read_text().count(self.old) if path.exists() else 0
        if times != 1:
            return f"{self.name}: its text stands {times} times in {self.file}"
        if not (root / self.test.split()[0]).exists():
            return f"{self.name}: there is no {self.test.split()[0]}"
        return None

    def plant(self, root: Path) -> str:
        """Write it into the tree; return what stood in the file before."""
        path = root / self.file
        before = path.read_text()
        path.write_text(before.replace(self.old, self.new))
        return before


def faults() -> list[Fault]:
    """Return all faults, those of the back end first."""
    with (Path(__file__).parent / "faults.toml").open("rb") as file:
        return [Fault(**one) for one in tomllib.load(file)["fault"]]
