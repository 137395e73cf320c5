import re

import pytest
from rest_framework import serializers

from apps.core.api.fields import AnyText, Text, WholeNumber


class TestWholeNumber:
    @pytest.mark.parametrize(
        ("given", "taken"), [(3, 3), ("3", 3), (" 3 ", 3), ("-3", -3), (3.0, 3)]
    )
    def test_takes_whole_numbers(self, given, taken):
        assert WholeNumber().run_validation(given) == taken

    @pytest.mark.parametrize(
        "given", [1.5, "1.5", "1,234", "", "five", True, [3], {"a": 1}, "9" * 40, float("nan")]
    )
    def test_refuses_everything_else(self, given):
        with pytest.raises(serializers.ValidationError):
            WholeNumber().run_validation(given)

    def test_keeps_to_its_range(self):
        with pytest.raises(serializers.ValidationError):
            WholeNumber(min_value=0).run_validation(-1)


class TestText:
    def test_keeps_line_breaks_and_every_script(self):
        assert Text().run_validation("A-01\nзаметка 🧱") == "A-01\nзаметка 🧱"

    @pytest.mark.parametrize("given", ["a\x00b", "a\x01b", "a\x1fb", "a\ufffeb"])
    def test_refuses_what_no_file_can_hold(self, given):
        with pytest.raises(serializers.ValidationError):
            Text().run_validation(given)


class TestAnyText:
    @pytest.mark.parametrize("given", ["\x0b", "\x0c", " \x1c", "\x1f"])
    def test_says_in_the_schema_that_control_characters_alone_are_blank(self, given):
        with pytest.raises(serializers.ValidationError):
            AnyText().run_validation(given)
        assert not re.search(AnyText().accepts()["pattern"], given)
