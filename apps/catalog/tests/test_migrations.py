"""Databases of older versions, upgraded in place, and taken back."""

BEFORE = [("catalog", "0008_index_beginnings_of_words")]
WITHOUT_SHAPES = [("catalog", "0009_search_by_length_of_names")]


class TestWordsWithoutShapes:
    def test_keep_the_words_and_get_their_shapes_again_on_the_way_back(self, migrate):
        words = migrate(BEFORE).get_model("catalog", "SearchWord").objects
        words.create(word="brick", initial="b", length=5)

        after = migrate(WITHOUT_SHAPES).get_model("catalog", "SearchWord").objects
        assert after.get().word == "brick"
        after.create(word="tile")

        back = migrate(BEFORE).get_model("catalog", "SearchWord").objects
        shapes = back.order_by("word").values_list("word", "initial", "length")
        assert list(shapes) == [("brick", "b", 5), ("tile", "t", 4)]
