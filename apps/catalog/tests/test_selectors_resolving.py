"""Resolving what files say: known, alias, any case, unknown item, unknown colour, no lot."""

import pytest

from apps.catalog.models import ElementCode, ItemAlias, Lot
from apps.catalog.selectors import LotIdentity, resolve_lots
from apps.catalog.selectors.naming import ColorsByText
from apps.catalog.tests.factories import make_color, make_item, make_lot
from apps.core.testing.queries import count_queries

pytestmark = pytest.mark.django_db


def alias(item, value, catalogue="B", kind="former", **also):
    return ItemAlias.objects.create(
        item=item, catalogue=catalogue, kind=kind, value=value, value_key=value.upper(), **also
    )


class TestResolveLots:
    def test_finds_a_lot_by_type_letter_and_number(self):
        lot = make_lot(make_item("3001"))

        answer = resolve_lots([LotIdentity("P", "3001", 5)])[LotIdentity("P", "3001", 5)]

        assert (answer.lot_id, answer.reason, answer.via, answer.is_known) == (
            lot.pk,
            "",
            "number",
            True,
        )

    def test_keeps_the_types_apart(self):
        make_lot(make_item("5716", item_type="PART"))
        gear = make_lot(make_item("5716", item_type="GEAR"))
        make_color(0)

        answers = resolve_lots([LotIdentity("GEAR", "5716", 0), LotIdentity("SET", "5716", 0)])

        assert answers[LotIdentity("GEAR", "5716", 0)].lot_id == gear.pk
        assert answers[LotIdentity("SET", "5716", 0)].reason == "unknown_item"

    def test_falls_back_to_any_case(self):
        lot = make_lot(make_item("3626bpb0001"))

        answer = resolve_lots([LotIdentity("PART", "3626BPB0001", 5)])

        assert answer[LotIdentity("PART", "3626BPB0001", 5)].lot_id == lot.pk
        assert answer[LotIdentity("PART", "3626BPB0001", 5)].via == "any_case"

    def test_leaves_numbers_that_differ_in_case_only_undecided(self):
        make_item("ab1")
        make_item("AB1")
        make_color()

        answer = resolve_lots([LotIdentity("PART", "Ab1", 5)])

        assert answer[LotIdentity("PART", "Ab1", 5)].reason == "unknown_item"

    def test_knows_the_element_id_of_one_lot(self):
        lot = make_lot(make_item("3001"))
        other = make_lot(make_item("3002"))
        for code, of in (("300121", lot), ("300221", lot), ("300221", other)):
            ElementCode.objects.create(code=code, lot=of)
        sure, of_two, in_red = (
            LotIdentity("P", "300121", None),
            LotIdentity("P", "300221", None),
            LotIdentity("P", "300121", 5),
        )

        answers = resolve_lots([sure, of_two, in_red])

        assert (answers[sure].lot_id, answers[sure].via) == (lot.pk, "element")
        # It could be either, and a number with a colour is an item's.
        assert {answers[of_two].reason, answers[in_red].reason} == {"unknown_item"}

    @pytest.mark.parametrize(
        ("catalogue", "kind", "via"),
        [("B", "former", "former"), ("B", "alternate", "alternate"), ("R", "id", "rebrickable")],
    )
    def test_knows_other_numbers(self, catalogue, kind, via):
        item = make_item("4073")
        lot = make_lot(item)
        alias(item, "6141", catalogue, kind)

        answer = resolve_lots([LotIdentity("PART", "6141", 5)])[LotIdentity("PART", "6141", 5)]

        assert (answer.lot_id, answer.via) == (lot.pk, via)

    def test_prefers_a_former_number_to_a_foreign_one(self):
        renumbered, foreign = make_item("75c12"), make_item("970c03")
        alias(foreign, "970c01", "R", "id", confidence=1000)
        alias(renumbered, "970c01", "B", "former", confidence=100)
        make_color()

        answer = resolve_lots([LotIdentity("PART", "970c01", 5)])

        assert answer[LotIdentity("PART", "970c01", 5)].item_id == renumbered.pk

    def test_does_not_take_a_similar_mould_for_the_item(self):
        alias(make_item("54200"), "50746", "R", "similar")
        make_color()

        answer = resolve_lots([LotIdentity("PART", "50746", 5)])

        assert answer[LotIdentity("PART", "50746", 5)].reason == "unknown_item"

    @pytest.mark.parametrize(
        ("item_type", "old", "new"),
        [
            ("MINIFIG", "cty001", "cty0001"),
            ("PART", "3001pb1", "3001pb001"),
            ("PART", "973pb12c1", "973pb0012c01"),
        ],
    )
    def test_finds_numbers_that_were_padded_with_zeros(self, item_type, old, new):
        item = make_item(new, item_type=item_type)
        asked = LotIdentity(item_type, old)

        found = resolve_lots([asked])[asked]

        assert (found.item_id, found.via) == (item.pk, "former")

    @pytest.mark.parametrize(
        ("item_type", "number", "there"),
        [
            ("SET", "11-2", ["0011-2"]),
            ("PART", "3001pb1", ["03001pb1"]),
            ("PART", "3001", ["03001"]),
            ("MINIFIG", "cty1", ["cty001", "cty0001"]),
        ],
    )
    def test_adds_no_zeros_in_front_or_where_several_have_them(self, item_type, number, there):
        for one in there:
            make_item(one, item_type=item_type)
        asked = LotIdentity(item_type, number)

        assert resolve_lots([asked])[asked].reason == "unknown_item"

    def test_follows_a_replaced_item(self):
        new = make_item("3069")
        lot = make_lot(new)
        make_item("3069b", is_retired=True, replaced_by=new)

        answer = resolve_lots([LotIdentity("PART", "3069b", 5)])

        assert answer[LotIdentity("PART", "3069b", 5)].lot_id == lot.pk

    def test_follows_the_element_ids_of_a_replaced_item(self):
        lot = make_lot(make_item("3069"))
        old = make_lot(make_item("3069b", is_retired=True, replaced_by=lot.item))
        for of in (lot, old):
            ElementCode.objects.create(code="306921", lot=of)
        ElementCode.objects.create(code="4114307", lot=old)
        asked = [LotIdentity("PART", code, None) for code in ("306921", "4114307")]

        answers = resolve_lots(asked)

        assert [answers[one].lot_id for one in asked] == [lot.pk, lot.pk]

    def test_tells_unknown_item_unknown_colour_and_missing_lot_apart(self):
        item = make_item("3001")
        make_color(7)

        answers = resolve_lots(
            [
                LotIdentity("PART", "nothing", 7),
                LotIdentity("PART", "3001", 999),
                LotIdentity("PART", "3001", 7),
                LotIdentity("Z", "3001", 7),
            ]
        )

        assert [answer.reason for answer in answers.values()] == [
            "unknown_item",
            "unknown_color",
            "no_lot",
            "unknown_item",
        ]
        missing = answers[LotIdentity("PART", "3001", 7)]
        assert (missing.item_id, missing.color_id) == (item.pk, 7)
        assert Lot.objects.count() == 0

    def test_costs_the_same_for_one_and_for_two_thousand(self):
        make_lot(make_item("3001"))
        one = [LotIdentity("PART", "3001", 5), LotIdentity("PART", "none1", 5)]
        many = [*one, *(LotIdentity("PART", f"n{n}", n) for n in range(1_998))]

        few_queries, _ = count_queries(lambda: resolve_lots(one))
        many_queries, answers = count_queries(lambda: resolve_lots(many))

        assert (few_queries, many_queries, len(answers)) == (6, 6, 2_000)


class TestColorsByText:
    def test_knows_words_of_other_languages_where_no_catalogue_has_such_a_name(self):
        red, grey = make_color(5, name="Red"), make_color(85, name="Dark Bluish Gray")
        colors = ColorsByText()

        assert colors.named("Rot") == colors.named("rouge") == red.pk
        assert colors.named("röd") == colors.named("Czerwony") == red.pk
        assert colors.named("neudunkelgrau") == colors.named("dunkelbläulichgrau") == grey.pk
        # Black is not in this catalogue.
        assert colors.named("schwarz") is None

    def test_prefers_a_name_of_the_catalogue(self):
        make_color(5, name="Red")
        own = make_color(77, name="Rot")

        assert ColorsByText().named("rot") == own.pk
