from decimal import Decimal

import pytest
from django.http import QueryDict
from rest_framework import serializers

from apps.core.api.fields import Amount, AnyText, Text, WholeNumber


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


class Prices(serializers.Serializer):
    price = Amount(max_digits=12, decimal_places=7)


class TestAmount:
    @pytest.mark.parametrize(
        ("given", "taken"),
        [("99.1", "99.1"), (99.1, "99.1"), (2.0, "2"), (3, "3"), (".5", "0.5"), (1e-05, "0.00001")],
    )
    def test_takes_text_and_numbers(self, given, taken):
        assert Amount(max_digits=12, decimal_places=7).run_validation(given) == Decimal(taken)

    @pytest.mark.parametrize(
        "given", [0.1 + 0.2, "1e-05", "1,25", True, 1e-08, float("nan"), 1e20, "1" * 400]
    )
    def test_refuses_what_the_schema_does_not_allow_in_json(self, given):
        assert not Prices(data={"price": given}).is_valid()

    def test_takes_in_forms_what_programs_write_for_small_numbers(self):
        prices = Prices(data=QueryDict("price=1e-05"))
        assert prices.is_valid(), prices.errors
        assert prices.validated_data == {"price": Decimal("0.00001")}

    @pytest.mark.parametrize(
        "given", ["0", "7", "07", "007", "99.5", "099.5", "100", "100.0", ".5"]
    )
    @pytest.mark.parametrize("least", [None, 0, -50])
    def test_takes_zeros_in_front(self, given, least):
        field = Amount(max_digits=5, decimal_places=2, min_value=least, max_value=100)
        assert field.run_validation(given) == Decimal(given)

    @pytest.mark.parametrize("given", ["-0", "0007", "101", "100.01", "-1"])
    def test_refuses_what_is_out_of_its_range(self, given):
        field = Amount(max_digits=5, decimal_places=2, min_value=0, max_value=100)
        with pytest.raises(serializers.ValidationError):
            field.run_validation(given)

    def test_knows_no_negative_nothing(self):
        assert str(Amount(max_digits=5, decimal_places=2).run_validation("-0")) == "0.00"


class TestText:
    def test_keeps_line_breaks_and_every_script(self):
        assert Text().run_validation("A-01\nзаметка 🧱") == "A-01\nзаметка 🧱"

    @pytest.mark.parametrize("given", ["a\x00b", "a\x01b", "a\x1fb", "a\ufffeb"])
    def test_refuses_what_no_file_can_hold(self, given):
        with pytest.raises(serializers.ValidationError):
            Text().run_validation(given)


class TestAnyText:
    @pytest.mark.parametrize("given", ["\x0b", "\x0c", " \x1c", "\x1f"])
    def test_takes_control_characters_alone_for_blank(self, given):
        with pytest.raises(serializers.ValidationError):
            AnyText().run_validation(given)
