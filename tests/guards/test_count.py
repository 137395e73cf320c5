"""`make count` counts what counts, and more lines than the ratchet allows are refused."""

from tests.guards.conftest import ROOT
from tests.guards.count import BLOCK, count, excess, python_files, typescript_files

BLOCK_OF_LINES = "\n".join(f"    number_{n} = {n}" for n in range(BLOCK))


def write(root, files):
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


class TestCount:
    def test_reads_the_apps_without_tests_and_migrations(self, tmp_path):
        write(
            tmp_path,
            {
                "apps/bins/rules.py": f"def act(a: Any, b: int):\n{BLOCK_OF_LINES}\n",
                "apps/bins/views.py": f"from apps.bins import rules\ndef see():\n{BLOCK_OF_LINES}\n",
                "apps/bins/tests/test_rules.py": "from apps.bins import rules\n",
                "apps/bins/migrations/0001.py": "x = 1\n",
            },
        )

        (bins,) = count(list(python_files(tmp_path))).values()

        assert (bins.lines, bins.functions) == (2 * BLOCK + 3, [BLOCK + 1, BLOCK + 1])
        assert (bins.untyped, bins.one_importer, bins.blocks) == (1, 1, 2)

    def test_reads_the_features_without_tests(self, tmp_path):
        write(
            tmp_path,
            {
                "features/bins/rows.ts": "export function row() {\n  return 1;\n}\n",
                "features/bins/page.tsx": 'import { row } from "./rows";\nexport const a = row();\n',
                "features/bins/page.test.tsx": 'import { row } from "./rows";\n',
            },
        )

        parts = count(list(typescript_files(tmp_path)))

        bins = parts["features/bins"]
        assert (bins.lines, bins.functions, bins.one_importer) == (5, [3], 1)

    def test_finds_most_files_of_ours(self):
        assert len(list(python_files(ROOT))) > 500
        assert len(list(typescript_files(ROOT / "frontend" / "src"))) > 500

    def test_refuses_more_lines_than_allowed(self):
        (problem,) = excess({"apps": 11, "frontend": 20}, {"apps": 10, "frontend": 20})

        assert problem.startswith("apps: 11, 10 are allowed")
