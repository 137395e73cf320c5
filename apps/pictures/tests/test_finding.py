"""Which model shows a part: each rule by an example of the real library."""

import pytest

from apps.pictures.rules.finding import Rule, Shelf, Wanted, find
from apps.pictures.rules.headers import Header, read_header


def shelf(**models: Header) -> Shelf:
    result = Shelf()
    for number, header in models.items():
        result.add(number.removeprefix("n"), header)
    return result


SHELF = shelf(
    n3001=Header("Brick  2 x  4"),
    n3648=Header("~Moved to 3648b", "3648b"),
    n3648b=Header("Technic Gear 24 Tooth"),
    n3626b=Header("Minifig Head"),
    n3626bp01=Header("Minifig Head with Standard Grin Pattern", "", ("3626p01",)),
    n6141=Header("Plate  1 x  1 Round"),
    n973=Header("Minifig Torso"),
    n2412b=Header("Tile  1 x  2 Grille with Groove"),
    n50018=Header("Minifig Weapon Sword"),
    na=Header("~Moved to b", "b"),
    nb=Header("~Moved to a", "a"),
    n96910=Header("Tile  1 x  2 Chamfered with 2 Top Indentations"),
    **{"62698-f1": Header("Minifig Computer Laptop (Open Flat)")},
)


@pytest.mark.parametrize(
    ("part", "model", "rule"),
    [
        (Wanted(1, "3001"), "3001", Rule.SAME),
        (Wanted(1, "3648"), "3648b", Rule.MOVED),
        (Wanted(1, "3626p01"), "3626bp01", Rule.KEYWORD),
        (Wanted(1, "4073", others=("6141",)), "6141", Rule.ALIAS),
        (Wanted(1, "2412a", "Tile, Modified 1 x 2 Grille"), "2412b", Rule.LETTER),
        (Wanted(1, "973pb1557c01", "Torso Jacket / Yellow Hands"), "973", Rule.PLAIN),
        (Wanted(1, "973c01"), "973", Rule.MAIN_PART),
        (Wanted(1, "99563"), "96910", Rule.MOVED),
        (Wanted(1, "62698"), "62698-f1", Rule.MOVED),
        (Wanted(1, "3626BPB0123"), "3626b", Rule.PLAIN),
    ],
)
def test_each_rule(part, model, rule):
    found = find(part, SHELF)
    assert found is not None
    assert (found.model, found.rule) == (model, rule)


def test_another_letter_must_not_mean_another_thing():
    assert find(Wanted(1, "50018a", "Plate 2 x 2"), SHELF) is None


def test_relations_lead_to_variants_and_to_the_plain_mould():
    others = {2: Wanted(2, "3001"), 3: Wanted(3, "nothing")}
    variant = find(Wanted(1, "x1", variants=(3, 2)), SHELF, others.get)
    plain = find(Wanted(1, "x1", plain=(2,)), SHELF, others.get)
    assert variant is not None
    assert variant.rule == Rule.RELATION
    assert plain is not None
    assert plain.rule == Rule.PLAIN


def test_what_moves_in_a_circle_has_no_model():
    assert find(Wanted(1, "a"), SHELF) is None


def test_a_part_without_a_model_has_none():
    assert find(Wanted(1, "10026", "Sticker Sheet"), SHELF) is None


def test_headers():
    header = read_header(
        b"\xef\xbb\xbf0 ~Moved To s\\3648b.DAT\r\n0 Name: 3648.dat\r\n"
        b"0 !KEYWORDS Set 6971-1, Bricklink 973pb0001, Rebrickable x\r\n1 16 0 0 0 1 0 0 0 1 0 0 0 1 a.dat\r\n"
        b"0 !KEYWORDS Bricklink too-late\r\n"
    )
    assert header == Header("~Moved To s\\3648b.DAT", "s/3648b", ("973pb0001",), ("x",))
    assert read_header(b"") == Header("")
