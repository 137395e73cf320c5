"""The modules of our own code as syntax trees, and who calls and imports what in them."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path


@dataclass(frozen=True)
class Module:
    """One Python file; `name` is its dotted name."""

    name: str
    path: Path

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All nodes of its syntax tree, as `ast.walk` yields them."""
        return _nodes_of(self.path.read_text())

    @property
    def app(self) -> str:
        """`inventory` for `apps.inventory.services.items`, else the top package."""
        parts = self.name.split(".")
        return parts[1] if parts[0] == "apps" and len(parts) > 1 else parts[0]

    @property
    def is_test(self) -> bool:
        return ".tests" in f".{self.name}." or self.name.startswith("tests")

    def imports(self) -> Iterator[tuple[int, str]]:
        """Yield (line, dotted name) of all that is imported, wherever in the file."""
        package = (
            self.name.split(".") if self.path.name == "__init__.py" else self.name.split(".")[:-1]
        )
        for node in _imports_of(self.path.read_text()):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    yield node.lineno, alias.name
            else:
                base = package[: len(package) - node.level + 1] if node.level else []
                origin = ".".join([*base, *([node.module] if node.module else [])])
                for alias in node.names:
                    yield node.lineno, f"{origin}.{alias.name}"

    def called_attributes(self) -> Iterator[tuple[int, str]]:
        """Yield (line, attribute) of each `something.attribute(…)`."""
        yield from _called_attributes_of(self.path.read_text())


@cache
def _nodes_of(text: str) -> tuple[ast.AST, ...]:
    """A copy of the tree with a planted violation differs from ours in a file or two."""
    return tuple(ast.walk(ast.parse(text)))


@cache
def _imports_of(text: str) -> tuple[ast.Import | ast.ImportFrom, ...]:
    return tuple(one for one in _nodes_of(text) if isinstance(one, ast.Import | ast.ImportFrom))


@cache
def _called_attributes_of(text: str) -> tuple[tuple[int, str], ...]:
    return tuple(
        (node.lineno, node.func.attr)
        for node in _nodes_of(text)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    )


def modules(root: Path, *packages: str) -> list[Module]:
    """Return the modules of these packages under `root`."""
    found = []
    for package in packages:
        for path in sorted((root / package).rglob("*.py")):
            parts = list(path.relative_to(root).with_suffix("").parts)
            if parts[-1] == "__init__":
                parts.pop()
            found.append(Module(".".join(parts), path))
    return found
