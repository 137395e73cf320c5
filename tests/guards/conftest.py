"""A copy of the Python tree to plant violations in: a check that never failed is a rumour."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def planted(tmp_path: Path) -> Callable[..., Path]:
    """`planted({"apps/x.py": "import y"})` copies the tree and appends these lines to it."""

    def copy(lines: dict[str, str]) -> Path:
        tree = tmp_path / "tree"
        for package in ("apps", "bricks"):
            shutil.copytree(
                ROOT / package,
                tree / package,
                ignore=lambda folder, names: [
                    name
                    for name in names
                    if name == "__pycache__"
                    or not (name.endswith(".py") or (Path(folder) / name).is_dir())
                ],
            )
        shutil.copy(ROOT / "pyproject.toml", tree)
        for name, text in lines.items():
            path = tree / name
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("a") as file:
                file.write(f"\n{text}\n")
        return tree

    return copy
