"""The faults of `make mutants` can be planted: their texts stand where they say, once."""

from collections import Counter

import pytest

from tests.mutants.faults import Fault, faults


class TestFaults:
    def test_can_all_be_planted(self):
        assert [problem for one in faults() if (problem := one.problem())] == []

    def test_are_forty_of_both_halves_each_another(self):
        found = faults()

        assert len(found) >= 40
        assert sum(one.is_of_the_page for one in found) >= 12
        assert [
            name for name, times in Counter(one.name for one in found).items() if times > 1
        ] == []
        assert [one.name for one in found if one.old == one.new] == []

    @pytest.mark.parametrize("text", ["gone", "a = 1"])
    def test_whose_text_changed_or_stands_twice_are_named(self, tmp_path, text):
        (tmp_path / "code.py").write_text("a = 1\na = 1\n")
        planted = Fault(name="A fault", file="code.py", old=text, new="", test="code.py")

        problem = planted.problem(tmp_path)

        assert problem == f"A fault: its text stands {0 if text == 'gone' else 2} times in code.py"
