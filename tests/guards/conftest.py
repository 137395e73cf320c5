"""A copy of the Python tree to plant violations in: a check that never failed is a rumour."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def copied_tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tree = tmp_path_factory.mktemp("tree")
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
    return tree


@pytest.fixture
def planted(copied_tree: Path) -> Iterator[Callable[[dict[str, str]], Path]]:
    """`planted({"apps/x.py": "import y"})` appends these lines to the copy, for this test."""
    before: dict[Path, str | None] = {}

    def plant(lines: dict[str, str]) -> Path:
        for name, text in lines.items():
            path = copied_tree / name
            own = path.read_text() if path.exists() else None
            before.setdefault(path, own)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{own or ''}\n{text}\n")
        return copied_tree

    yield plant
    for path, text in before.items():
        if text is not None:
            path.write_text(text)
            continue
        path.unlink(missing_ok=True)
        for folder in path.parents:
            if any(folder.iterdir()):
                break
            folder.rmdir()
