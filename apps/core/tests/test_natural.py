"""Natural order in Python and in the database."""

import pytest
from django.db.models import TextField, Value

from apps.core.natural import NaturalOrder, natural_key

NUMBERS = [
    *("0", "3", "3001", "3001pb02", "3001pb010", "3001-1", "10247", "75192-2", "75192-10"),
    *("0055", "sw0001", "sw10", "A-2", "A-10", "a-11", "9" * 13, "10" * 10, "-", "", "x12y"),
]


class TestNaturalKey:
    def test_puts_numbers_in_the_order_of_their_values(self):
        ordered = sorted(["10247", "75192-10", "A-10", "2335", "a-2", "75192-2"], key=natural_key)

        assert ordered == ["2335", "10247", "75192-2", "75192-10", "a-2", "A-10"]


@pytest.mark.django_db
class TestNaturalOrder:
    def test_is_the_key_of_python_on_both_databases(self, django_user_model):
        person = django_user_model.objects.create_user("a@example.org", "long enough 12")
        one = django_user_model.objects.filter(pk=person.pk)
        for number in NUMBERS:
            found = one.values_list(NaturalOrder(Value(number, output_field=TextField())))

            assert found.get() == (natural_key(number),), number
