"""Search as you type: ranking, other numbers, sizes, accents, slips, and hostile input."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.catalog.models import ElementCode, Item, ItemAlias, LotMaker
from apps.catalog.selectors import search_items, word_index
from apps.catalog.selectors.known_words import known_words
from apps.catalog.services.texts import refresh_texts
from apps.catalog.tests.factories import make_color, make_item, make_lot, searchable
from apps.core.testing.queries import count_queries

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.postgres,
    pytest.mark.usefixtures("searchable"),
]


def alias(item, value, kind="id", catalogue="R"):
    ItemAlias.objects.create(
        item=item, catalogue=catalogue, kind=kind, value=value, value_key=value.upper()
    )
    refresh_texts(item_ids=[item.pk])


def each_commoner_than_the_one_before(parts, sizes):
    sizes.update((part, size) for size, part in enumerate(parts, start=1))


def numbers(text, **options):
    return [hit.number for hit in search_items(text, **options).hits]


@pytest.fixture(scope="class")
def shelf(rows_of_class):
    """A small catalogue with the traps of the real one."""
    with searchable():
        make_color(5)
        brick = make_item("3001", "Brick 2 x 4")
        ElementCode.objects.create(code="300121", lot=make_lot(brick, make_color(5)))
        make_item("3001old", "Brick 2 x 4 without Cross Supports")
        round_plate = make_item("4073", "Plate, Round 1 x 1")
        alias(round_plate, "6141")
        make_item("6141-1", "My First Farm", "SET")
        tile = make_item("3069", "Tile 1 x 2 with Groove")
        alias(tile, "3069b")
        make_item("970c01", "Hips and White Legs")
        alias(make_item("970c03", "Hips and Yellow Legs"), "970c01")
        make_item("5716", "Spider Web")
        make_item("5716", "My World", "GEAR")
        for item_type in ("ORIGINAL_BOX", "INSTRUCTION", "SET"):
            make_item("10179-1", "Millennium Falcon", item_type)
        make_item("10179stk01", "Sticker Sheet for Set 10179")
        make_item("fig-015861", "Tudor House Food Critic", "MINIFIG")
        make_item("twn510", "Tudor House Patron", "MINIFIG")
        make_item("6329-1", "Truck Stop Café {Cafe}", "SET")
        make_item("2454", "Brick 1 x 2 x 5")
        make_item("50746", "Slope 30 1 x 1")
        alias(make_item("54200", "Slope 30 1 x 1 x 2/3"), "50746", kind="similar")
        make_item("nameless1", "")
        make_item("3001r", "Brick", is_retired=True)


@pytest.mark.usefixtures("shelf")
class TestSearchItems:
    @pytest.mark.parametrize(
        ("text", "first"),
        [
            ("6141", ["4073", "6141-1"]),
            ("3069b", ["3069"]),
            ("3069B", ["3069"]),
            ("970c01", ["970c01", "970c03"]),
            ("10179", ["10179-1", "10179-1", "10179-1", "10179stk01"]),
            ("300121", ["3001"]),
            ("fig-015861", ["fig-015861"]),
            ("fig 015861", ["fig-015861"]),
            ("twn510", ["twn510"]),
            ("TWN", ["twn510"]),
            ("café", ["6329-1"]),
            ("cafe", ["6329-1"]),
            ("CAFÉ", ["6329-1"]),
            ("2x4", ["3001", "3001old"]),
            ("2 x 4", ["3001", "3001old"]),
            ("2X4 brick", ["3001", "3001old"]),
            ("brick 2x4", ["3001", "3001old"]),
            ("4 with 2 brick", ["3001old"]),
            ("1x2x5", ["2454"]),
            ("50746", ["50746", "54200"]),
            ("nameless", ["nameless1"]),
            ("3001", ["3001", "3001old", "3001r"]),
        ],
    )
    def test_finds(self, text, first):
        assert numbers(text)[: len(first)] == first

    def test_shows_a_part_and_a_gear_of_the_same_number(self):
        hits = search_items("5716").hits

        assert [(hit.item_type, hit.matched) for hit in hits] == [
            ("GEAR", "number"),
            ("PART", "number"),
        ]

    @pytest.mark.parametrize("text", ["cty1", "CTY001"])
    def test_finds_a_number_that_was_padded_with_zeros(self, text):
        make_item("cty0001", "Policeman", "MINIFIG")

        (hit,) = search_items(text).hits

        assert (hit.number, hit.matched) == ("cty0001", "alias")

    def test_puts_sets_before_their_instructions_and_boxes(self):
        assert [hit.item_type for hit in search_items("10179").hits][:3] == [
            "SET",
            "INSTRUCTION",
            "ORIGINAL_BOX",
        ]

    def test_tells_how_each_was_found(self):
        ways = {hit.number: (hit.matched, hit.score) for hit in search_items("3001").hits}

        assert ways["3001"] == ("number", 1.0)
        assert ways["3001old"] == ("prefix", 0.8)
        assert search_items("6141").hits[0].matched == "alias"
        assert search_items("300121").hits[0].matched == "element"
        assert search_items("critic").hits[0].matched == "words"

    def test_names_the_colour_of_an_element(self):
        assert search_items("300121").hits[0].color_id == 5

    def test_finds_an_item_by_a_colour_that_it_exists_in(self):
        for text in ("2x4 red", "red 2x4"):
            hit = search_items(text).hits[0]
            assert (hit.number, hit.color_id) == ("3001", 5)

    def test_finds_an_item_by_what_a_colour_is_called_in_short_or_by_lego(self):
        make_lot(Item.objects.get(number="3001"), make_color(86, name="Light Bluish Gray"))

        for text in ("2x4 LBG", "lbg 2x4", "3001 lbg", "2x4 medium stone grey"):
            hit = search_items(text).hits[0]
            assert (hit.number, hit.color_id) == ("3001", 86)

    def test_finds_an_item_by_half_the_name_of_a_colour(self):
        brick = Item.objects.get(number="3001")
        make_lot(brick, make_color(7, name="Dark Blue"))
        make_lot(brick, make_color(8, name="Trans-Light Blue"))

        def found(text):
            return [(h.number, h.color_id, h.color_text) for h in search_items(text).hits][:1]

        assert found("3001 re") == [("3001", 5, "")]
        assert found("3001 dark b") == [("3001", 7, "")]
        assert found("d b 3001") == [("3001", 7, "")]
        assert found("brick 2x4 blu") == [("3001", None, "blu")]
        assert found("300121 blu") == [("3001", None, "blu")]

    @pytest.mark.parametrize(("word", "handed"), [("blu", "blu"), ("bla", "bla"), ("grey", "gray")])
    def test_leaves_a_colour_open_by_a_word_that_is_also_part_of_names(self, word, handed):
        brick = Item.objects.get(number="3001")
        names = ("Blue", "Dark Blue", "Black", "Pearl Black", "Light Gray", "Dark Gray")
        for color_id, name in enumerate(names, 20):
            make_lot(brick, make_color(color_id, name=name))

        (hit,) = search_items(f"3001 {word}").hits[:1]

        assert (hit.number, hit.color_id, hit.color_text) == ("3001", None, handed)

    def test_names_no_other_colour_than_the_one_that_was_typed_out(self):
        make_color(9, name="Blue")
        make_lot(Item.objects.get(number="3001"), make_color(7, name="Dark Blue"))

        (hit,) = search_items("3001 blue").hits[:1]

        assert (hit.number, hit.color_id, hit.color_text) == ("3001", None, "blue")

    def test_asks_for_the_colour_of_a_number_that_is_not_known_in_any_such(self):
        make_color(7, name="Dark Blue")

        (hit,) = search_items("3069b blu").hits[:1]

        assert (hit.number, hit.color_id, hit.color_text) == ("3069", None, "blu")
        assert numbers("tile blu") == []

    def test_puts_the_number_before_longer_ones_with_half_a_colour(self):
        make_lot(make_item("3069123", "Gem"), make_color(5))
        make_lot(Item.objects.get(number="3069"), make_color(5))

        assert numbers("3069 re")[:2] == ["3069", "3069123"]

    def test_keeps_to_one_type(self):
        assert {hit.item_type for hit in search_items("5716", item_type="GEAR").hits} == {"GEAR"}
        assert [hit.item_type for hit in search_items("tudor", item_type="M").hits] == [
            "MINIFIG",
            "MINIFIG",
        ]
        assert search_items("tudor", item_type="PART").hits == []
        assert search_items("part", item_type="PART").hits == []

    def test_ends_with_what_is_retired(self):
        assert numbers("brick")[-1] == "3001r"

    def test_finds_parts_of_words_where_whole_ones_give_little(self):
        answer = search_items("tudo")
        assert answer.hits[0].matched == "words"

        answer = search_items("icker")
        assert [(hit.number, hit.matched) for hit in answer.hits] == [("10179stk01", "similar")]

    @pytest.mark.parametrize(
        ("text", "meant"),
        [
            ("birck", ["brick"]),
            ("Brik 2 x 4", ["brick 2x4"]),
            ("milennium falcno", ["millennium falcon"]),
            ("tuodr", ["tudor"]),
        ],
    )
    def test_offers_what_may_have_been_meant_only_without_a_hit(self, text, meant):
        answer = search_items(text)

        assert (answer.hits, answer.did_you_mean) == ([], meant)
        assert search_items("brick").did_you_mean == []

    @pytest.mark.parametrize(
        "text",
        ["*", '"', "'", "%", "_", "\\", "\x00", "';--", "a AND", "NEAR(", "(", "&|!", ":*", "=part",
         "\ud800", "x" * 5_000, "💥", "<script>", "brick:*", "OR OR", "2 x", "-", "^brick"],
    )  # fmt: skip
    def test_never_fails(self, text):
        assert isinstance(search_items(text).hits, list)

    def test_takes_marks_for_nothing(self):
        assert numbers("=part") == []
        assert numbers("=short brick") == numbers("short brick")

    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
    @given(st.text(max_size=30))
    def test_never_fails_whatever_is_typed(self, text):
        search_items(text)

    def test_gives_no_more_than_asked_for(self):
        assert len(numbers("brick", limit=2)) == 2
        assert len(numbers("brick", limit=0)) == 1

    @pytest.mark.parametrize(
        ("text", "on_sqlite", "on_postgresql"),
        [
            ("3001", 3, 4),
            ("6141", 3, 4),
            ("brick 2x4", 5, 6),
            ("brick red", 7, 8),
            ("birck", 5, 6),
            ("plate birck", 5, 6),
        ],
    )
    def test_costs_few_queries(self, text, on_sqlite, on_postgresql):
        search_items("birck")  # this process knows the words

        queries, _ = count_queries(lambda: search_items(text))

        assert queries == {"sqlite": on_sqlite, "postgresql": on_postgresql}[connection.vendor]

    @pytest.mark.parametrize("text", ["brick red", "red brick", "brick 2x4", "plate round red"])
    @pytest.mark.parametrize("limit", [1, 2, 3, 5])
    def test_gives_the_best_of_what_a_longer_list_holds(self, text, limit):
        make_item("red1", "Red Brick")
        make_item("red2", "Brick, Red, Long")  # after the brick that exists in red
        make_lot(Item.objects.get(number="2454"), make_color(5))

        assert search_items(text, limit=limit).hits == search_items(text, limit=50).hits[:limit]

    def test_offers_the_spelling_of_more_items_first(self):
        make_item("birch", "Birch")
        for number in range(3):
            make_item(f"brick{number}", "Brick")

        assert search_items("birck").did_you_mean == ["brick", "birch"]


class TestKnownWords:
    def test_are_read_again_only_when_there_are_more(self):
        make_item("3001", "Brick 2 x 4")
        assert "brick" in known_words()

        queries, words = count_queries(known_words)
        make_item("3020", "Plate 2 x 4")

        assert (queries, "plate" in words) == (1, False)
        assert "plate" in known_words()
        assert "plat" not in known_words()


@pytest.fixture(scope="class")
def many(rows_of_class):
    items = [("b2", "Plate 1"), ("a9", "Plate 1"), ("c1", "Plate"), ("b1", "Plate 1")]
    items += [(f"z{n:02}", "Plate, long name") for n in range(30, 0, -1)]
    with searchable():
        for number, name in items:
            make_item(number, name)
    return ["c1", "a9", "b1", "b2", *(f"z{n:02}" for n in range(1, 31))]


class TestRanking:
    @pytest.mark.parametrize("limit", [1, 2, 3, 4, 10, 34, 50])
    def test_is_shortest_name_then_number_wherever_it_is_cut(self, many, limit):
        assert numbers("plate", limit=limit) == many[:limit]

    @pytest.mark.parametrize("fewest", [1, 10**6], ids=["range by range", "all at once"])
    @pytest.mark.parametrize("commoner", [1, 10**6], ids=["compared", "looked up"])
    def test_is_the_same_for_common_words(self, many, monkeypatch, fewest, commoner):
        for n in range(3):  # beyond the ranges that have an index of their own
            make_item(f"y{n}", f"Plate with a very {'long ' * 8}name")
        make_item("y9", "Plate", is_retired=True)
        monkeypatch.setattr(word_index, "MANY", fewest)
        monkeypatch.setattr(word_index, "FAR_COMMONER", commoner)
        monkeypatch.setattr(word_index, "_look_up_sizes", each_commoner_than_the_one_before)

        for limit in (1, 4, 20, 34, 35, 37, 38, 50):
            assert numbers("plate", limit=limit) == [*many, "y0", "y1", "y2", "y9"][:limit]
            assert numbers("long pl", limit=limit) == [*many[4:], "y0", "y1", "y2"][:limit]

    def test_needs_no_longer_names_once_there_are_enough(self, many, monkeypatch):
        if connection.vendor != "postgresql":
            pytest.skip("SQLite stops in the middle of its index")
        monkeypatch.setattr(word_index, "MANY", 1)
        with CaptureQueriesContext(connection) as queries:
            numbers("plate", limit=4)
        (search,) = [query["sql"] for query in queries if "hits0" in query["sql"]]

        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN (ANALYZE) {search}")
            plan = "\n".join(line for (line,) in cursor.fetchall())

        # Names of up to 8 and of up to 16 letters are looked up, of the three other ranges none.
        assert search.count(" OFFSET 0") == 5
        assert plan.count("(never executed)") >= 3


class TestColors:
    @pytest.mark.parametrize("text", ["brick green", "brick gre"])
    def test_are_those_that_the_person_sees_the_item_in(self, ann, bo, text):
        green = make_color(6, "Green")
        make_item("brick1", "Brick")
        makers = {"brick2": ann, "brick3": bo}
        for number, maker in makers.items():
            pair = make_lot(make_item(number, "Brick"), green, is_known=False)
            LotMaker.objects.create(lot=pair, maker=maker)
        make_lot(make_item("brick4", "Brick"), green)

        for number, maker in makers.items():
            named = [hit.number for hit in search_items(text, person=maker).hits if hit.color_id]
            assert named == [number, "brick4"]


class TestTheIndex:
    def test_follows_a_renamed_item(self):
        item = make_item("3001", "Brick 2 x 4")
        lot = make_lot(item)
        item.name = "Stone 2 x 4"
        item.save(update_fields=["name"])

        refresh_texts(item_ids=[item.pk])

        lot.refresh_from_db()
        assert (numbers("brick"), numbers("stone")) == ([], ["3001"])
        assert lot.composite_ssearch == "3001 stone 2 x 4 2x4 red"

    def test_forgets_a_removed_line(self):
        item = make_item("3001", "Brick 2 x 4")

        item.itemtext.delete()

        assert numbers("brick") == []

    def test_is_written_only_where_it_differs(self):
        item = make_item("3001", "Brick 2 x 4")

        queries, written = count_queries(lambda: refresh_texts(item_ids=[item.pk]))

        assert (queries, written) == (3, 0)


class TestTheIndexOfWords:
    def test_gives_each_range_of_ranks_an_index(self):
        if connection.vendor != "postgresql":
            pytest.skip("SQLite reads one index in ranking order")
        with connection.cursor() as cursor:
            cursor.execute("SELECT indexdef FROM pg_indexes WHERE tablename = 'catalog_itemtext'")
            indexes = " ".join(made for (made,) in cursor.fetchall())

        for above, highest in word_index.RANGES:
            assert f"((name_rank > {above}) AND (name_rank <= {highest}))" in indexes


class TestSeveralNumbers:
    def test_give_the_best_item_of_each_in_their_order(self, shelf):
        answer = search_items("6141; 3001\n99999, 3069b")

        assert [(hit.asked, hit.number) for hit in answer.hits] == [
            ("6141", "4073"),
            ("3001", "3001"),
            ("3069B", "3069"),
        ]

    def test_keep_to_the_type(self, shelf):
        assert numbers("6141, 3001", item_type="SET") == ["6141-1"]

    def test_give_an_item_once_that_two_of_them_mean(self, shelf):
        assert numbers("3069, 3069b") == ["3069"]

    def test_never_raise(self, shelf):
        assert numbers("3001\x00, 3\ud800, 3001") == ["3001"]
