"""Prints how large each app and each feature of the front end is; fails above the ratchet.

python -m tests.guards.count [--check]    (`[tool.count]` of pyproject.toml holds the ratchet)

Tests, migrations and generated code do not count.
"""

import ast
import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from tests.guards.source import Module, modules

ROOT = Path(__file__).resolve().parents[2]
FRONT_END = ROOT / "frontend" / "src"
GENERATED = FRONT_END / "shared" / "api" / "schema.ts"
# So many equal lines in two places are a repeated block.
BLOCK = 8
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)

# The formatter closes a function at the indentation at which it begins.
_FUNCTION = re.compile(
    r"^(?P<indent>\s*)(?:export )?(?:default )?(?:async )?"
    r"(?:function\b|const \w+ = (?:async )?(?:<.*>)?\()"
)
_ANY = re.compile(r"(?:: |<|\bas )any(?=[\[\],;)>=|])")
_IMPORT = re.compile(r'(?:from|import\(|^import) ?"(\.[^"]*)"', re.MULTILINE)


@dataclass
class Counted:
    """What one file, or all files of an app or feature, amount to."""

    lines: int = 0
    functions: list[int] = field(default_factory=list)
    untyped: int = 0
    one_importer: int = 0
    blocks: int = 0


@dataclass(frozen=True)
class File:
    """One file of the code that counts; `imports` are the files that it imports."""

    path: Path
    part: str
    text: str
    functions: list[int]
    untyped: int
    imports: set[Path]


def python_files(root: Path) -> Iterator[File]:
    """Yield the files of the apps."""
    found = [
        one
        for one in modules(root, "apps")
        if not one.is_test and ".migrations" not in f".{one.name}." and one.name != "apps"
    ]
    path_of = {one.name: one.path for one in found}
    for one in found:
        text = one.path.read_text()
        yield File(
            one.path,
            one.app,
            text,
            [
                (node.end_lineno or node.lineno) - node.lineno + 1
                for node in one.nodes
                if isinstance(node, FUNCTIONS)
            ],
            sum(_untyped(node.args) for node in one.nodes if isinstance(node, FUNCTIONS)),
            set(_imported(one, path_of)),
        )


def _untyped(parameters: ast.arguments) -> int:
    """Return how many parameters are typed Any, alone or beside None; not *args and **kwargs."""
    found = (*parameters.posonlyargs, *parameters.args, *parameters.kwonlyargs)
    named = [ast.unparse(one.annotation) for one in found if one.annotation is not None]
    return sum(one in {"Any", "Any | None"} for one in named)


def _imported(module: Module, path_of: dict[str, Path]) -> Iterator[Path]:
    for _, name in module.imports():
        for origin in (name, name.rpartition(".")[0]):
            if origin in path_of:
                yield path_of[origin]
                break


def typescript_files(source: Path) -> Iterator[File]:
    """Yield the files of the front end."""
    for path in sorted(source.rglob("*.ts*")):
        is_test = ".test." in path.name or {"testing", "apiTesting"} & set(path.parts)
        if is_test or path.name.endswith(".d.ts") or path == GENERATED:
            continue
        text = path.read_text()
        folders = path.relative_to(source).parts
        origins = ((path.parent / name).resolve() for name in _IMPORT.findall(text))
        yield File(
            path,
            "/".join(folders[: 2 if folders[0] in {"features", "shared"} else 1]),
            text,
            list(_lengths(text.splitlines())),
            len(_ANY.findall(text)),
            {file for origin in origins if (file := _file_of(origin))},
        )


def _lengths(lines: list[str]) -> Iterator[int]:
    for start, line in enumerate(lines):
        if not (opened := _FUNCTION.match(line)):
            continue
        indent = opened["indent"]
        for end in range(start, len(lines)):
            closes = lines[end].startswith((f"{indent}}}", f"{indent});"))
            one_line = end == start and line.endswith((";", "}"))
            if one_line or (closes and not lines[end].endswith(("{", "=> ("))):
                yield end - start + 1
                break


def _file_of(origin: Path) -> Path | None:
    for name in (f"{origin}.ts", f"{origin}.tsx", f"{origin}/index.ts", f"{origin}/index.tsx"):
        if Path(name).is_file():
            return Path(name)
    return None


def count(files: list[File]) -> dict[str, Counted]:
    """Return what each app or feature amounts to."""
    parts: dict[str, Counted] = defaultdict(Counted)
    importers: dict[Path, int] = defaultdict(int)
    for file in files:
        for path in file.imports - {file.path}:
            importers[path] += 1
    repeated = _repeated_blocks(files)
    for file in files:
        part = parts[file.part]
        part.lines += len(file.text.splitlines())
        part.functions += file.functions
        part.untyped += file.untyped
        part.one_importer += importers[file.path] == 1
        part.blocks += repeated[file.path]
    return parts


def _repeated_blocks(files: list[File]) -> dict[Path, int]:
    """Return how many blocks of each file stand elsewhere, too, imports aside."""
    places: dict[int, list[tuple[Path, int]]] = defaultdict(list)
    for file in files:
        lines = [
            line
            for line in map(str.strip, file.text.splitlines())
            if len(line) > 3 and not line.startswith(("import ", "from ", "export {"))
        ]
        for start in range(len(lines) - BLOCK + 1):
            places[hash("\n".join(lines[start : start + BLOCK]))].append((file.path, start))
    starts = {place for found in places.values() if len(found) > 1 for place in found}
    counted: dict[Path, int] = defaultdict(int)
    for path, start in starts:
        counted[path] += (path, start - 1) not in starts
    return counted


def table(title: str, parts: dict[str, Counted]) -> Iterator[str]:
    """Yield the lines to print."""
    yield f"{title:<24}{'lines':>8}{'median':>8}{'Any':>6}{'one importer':>14}{'repeated':>10}"
    whole = Counted()
    for one in parts.values():
        whole.lines += one.lines
        whole.functions += one.functions
        whole.untyped += one.untyped
        whole.one_importer += one.one_importer
        whole.blocks += one.blocks
    for name, one in [*sorted(parts.items()), ("together", whole)]:
        length = f"{median(one.functions or [0]):g}"
        yield (
            f"{name:<24}{one.lines:>8,}{length:>8}{one.untyped:>6,}"
            f"{one.one_importer:>14,}{one.blocks:>10,}"
        )


def excess(sizes: dict[str, int], ratchet: dict[str, int]) -> list[str]:
    """Return what is larger than the ratchet allows: lines by tree, parameters typed Any."""
    return [
        f"{name}: {sizes[name]:,}, {most:,} are allowed: take some away, or raise "
        f"[tool.count] of pyproject.toml in a commit that says why"
        for name, most in ratchet.items()
        if sizes[name] > most
    ]


def main(*, check: bool) -> int:
    python = count(list(python_files(ROOT)))
    typescript = count(list(typescript_files(FRONT_END)))
    sizes = {
        "apps": sum(one.lines for one in python.values()),
        "frontend": sum(one.lines for one in typescript.values()),
        "Any": sum(one.untyped for one in python.values()),
    }
    if not check:
        print("\n".join([*table("apps", python), "", *table("frontend", typescript)]))
    ratchet = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["count"]
    problems = excess(sizes, ratchet)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(check="--check" in sys.argv))
