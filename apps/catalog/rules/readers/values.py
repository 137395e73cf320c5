"""What each row means: typed values for the staging tables. A bad value refuses the row.

Every function takes the values in the order of its format's columns and returns the tuple
that the importer stages. `?` and nothing mean unknown, never 0.
"""

from decimal import Decimal
from typing import Final

from apps.catalog.rules.kinds import item_type_of
from apps.catalog.rules.text import (
    BadValue,
    alternates_of,
    clean_name,
    clean_number,
    clean_text,
    read_count,
    read_dimensions,
    read_flag,
    read_id,
    read_rgb,
    read_weight,
    read_year,
)

CODE_LENGTH: Final = 12
PATH_LENGTH: Final = 400

ItemValues = tuple[str, str, str, str, int | None, str, int | None, Decimal | None, str, list[str]]


def short_name(text: str, what: str, length: int = 100) -> str:
    """Return a cleaned name that may not be empty nor longer than `length`."""
    name = clean_name(text)
    if not name:
        raise BadValue(f"no {what}")
    if len(name) > length:
        raise BadValue(f"a {what} of {len(name)} characters where {length} are allowed")
    return name


def known_type(text: str) -> str:
    """Return the item type of a letter or name. Raises BadValue."""
    item_type = item_type_of(text)
    if item_type is None:
        raise BadValue(f"item type {text[:20]!r} where one of P S M B G C I O U is expected")
    return item_type.value


def bl_color(values: list[str]) -> tuple[int, str, str, str, int, int | None, int | None]:
    """id, name, rgb, type, parts, first year, last year."""
    number, name, rgb, kind, parts, first, last = values
    color = read_id(number, "colour id")
    if color < 0:
        raise BadValue(f"colour id {color} where 0 or more is expected")
    return (
        color,
        short_name(name, "colour name"),
        read_rgb(rgb),
        clean_text(kind)[:30],
        read_count(parts or "0", "number of parts"),
        read_year(first),
        read_year(last),
    )


def bl_category(values: list[str]) -> tuple[int, str]:
    """id, name."""
    number, name = values
    return read_count(number, "category id"), short_name(name, "category name", 200)


def bl_item(values: list[str], item_type: str) -> ItemValues:
    """type, number, name, path, category id, dimensions, year, grams, and other numbers."""
    category, number, name, path, year, weight, dimensions, alternates, own_type = values[:9]
    if len(values) > 9 and dimensions:  # XML has a tag for each direction
        dimensions = " x ".join(part.strip() or "?" for part in (dimensions, *values[9:]))
    cleaned = clean_number(number)
    return (
        known_type(own_type) if own_type else item_type,
        cleaned,
        cleaned.upper(),
        clean_name(name),
        read_count(category, "category id") if category.strip() else None,
        clean_name(path)[:PATH_LENGTH],
        read_year(year),
        read_weight(weight),
        read_dimensions(dimensions),
        [other for other in alternates_of(alternates) if other != cleaned],
    )


def bl_code(values: list[str]) -> tuple[str, str, str]:
    """number, colour name, element code."""
    number, color, code, item_type = values
    if item_type and known_type(item_type) != "PART":
        raise BadValue(f"a code of a {item_type}; only parts have codes here")
    return clean_number(number), short_name(color, "colour name"), element_code(code)


def element_code(text: str) -> str:
    """Return an element id: 1 to 12 digits, kept as text. Raises BadValue."""
    code = text.strip()
    if not code.isascii() or not code.isdigit() or len(code) > CODE_LENGTH:
        raise BadValue(f"element id {code[:40]!r} where digits are expected")
    return code


def bl_component(values: list[str]) -> tuple[str, str, int, int, bool, bool, int, bool]:
    """type, number, colour id, quantity, spare, alternate, match id, counterpart."""
    item_type, number, quantity, color, _name, extra, alternate, match, counterpart = values
    return (
        known_type(item_type),
        clean_number(number),
        read_count(color or "0", "colour id"),
        read_count(quantity, "quantity", least=1),
        read_flag(extra, "Extra?"),
        read_flag(alternate, "Alternate?"),
        read_count(match or "0", "Match ID"),
        read_flag(counterpart, "Counterpart?"),
    )


def part_weight(values: list[str]) -> tuple[str, Decimal | None]:
    """number, grams."""
    number, grams = values
    return clean_number(number), read_weight(grams)


def listed_part(values: list[str]) -> tuple[str, str, Decimal | None]:
    """number, borrowed name, grams."""
    number, name, grams, _source = values
    return clean_number(number), clean_name(name), read_weight(grams)


def rb_color(values: list[str]) -> tuple[int, str, str, bool, int | None, int | None]:
    """id, name, rgb, transparent, first year, last year."""
    number, name, rgb, is_trans, _parts, _sets, first, last = values
    return (
        read_id(number, "colour id"),
        short_name(name, "colour name"),
        read_rgb(rgb),
        read_flag(is_trans, "is_trans"),
        read_year(first),
        read_year(last),
    )


def rb_theme(values: list[str]) -> tuple[int, str, int | None]:
    """id, name, parent id."""
    number, name, parent = values
    return (
        read_count(number, "theme id"),
        short_name(name, "theme name", 200),
        read_count(parent, "parent_id") if parent.strip() else None,
    )


def rb_part(values: list[str]) -> tuple[str, str, int | None]:
    """number, name, category id."""
    number, name, category, _material = values
    return (
        clean_number(number),
        clean_name(name),
        read_count(category, "part_cat_id") if category.strip() else None,
    )


def rb_relation(values: list[str]) -> tuple[str, str, str]:
    """kind, child, parent."""
    kind, child, parent = values
    if kind.strip() not in {"P", "R", "B", "M", "A", "T"}:
        raise BadValue(f"rel_type {kind[:20]!r} where one of P R B M A T is expected")
    return kind.strip(), clean_number(child), clean_number(parent)


def rb_element(values: list[str]) -> tuple[str, str, int]:
    """element code, part number, colour id."""
    code, part, color, _design = values
    return element_code(code), clean_number(part), read_id(color, "colour id")


def rb_set(values: list[str]) -> tuple[str, str, int | None, int | None, str]:
    """number, name, year, theme id, image."""
    number, name, year, theme, _parts, image = values
    return (
        clean_number(number),
        clean_name(name),
        read_year(year),
        read_count(theme, "theme_id") if theme.strip() else None,
        image_address(image),
    )


def rb_minifig(values: list[str]) -> tuple[str, str, str]:
    """number, name, image."""
    number, name, _parts, image = values
    return clean_number(number), clean_name(name), image_address(image)


def image_address(text: str) -> str:
    """Return an https address of at most 300 characters, '' for anything else."""
    text = text.strip()
    is_address = text.startswith("https://") and text.isascii() and " " not in text
    return text if is_address and len(text) <= 300 else ""


def rb_inventory(values: list[str]) -> tuple[int, int, str]:
    """inventory id, version, set or fig number."""
    number, version, subject = values
    return (
        read_count(number, "inventory id", least=1),
        read_count(version, "version"),
        clean_number(subject),
    )


def rb_component(values: list[str]) -> tuple[int, str, int, int, bool]:
    """inventory id, part number, colour id, quantity, spare."""
    inventory, part, color, quantity, spare, _image = values
    return (
        read_count(inventory, "inventory_id", least=1),
        clean_number(part),
        read_id(color, "color_id"),
        read_count(quantity, "quantity", least=1),
        read_flag(spare, "is_spare"),
    )


def rb_contained(values: list[str]) -> tuple[int, str, int]:
    """inventory id, set or fig number, quantity."""
    inventory, number, quantity = values
    return (
        read_count(inventory, "inventory_id", least=1),
        clean_number(number),
        read_count(quantity, "quantity", least=1),
    )


def contents_source(values: list[str]) -> tuple[int, str, int, bool]:
    """inventory id, source, unresolved quantity, minifigs listed elsewhere too."""
    inventory, _number, source, unresolved, minifigs = values
    return (
        read_count(inventory, "inventory_id", least=1),
        clean_text(source)[:100],
        read_count(unresolved or "0", "unresolved_quantity"),
        read_count(minifigs or "0", "has_minifigs_in_rebrickable") > 0,
    )


def old_piece(values: list[str]) -> tuple[str, str, int, int, bool]:
    """set number, piece number, quantity, colour id, spare."""
    number, piece, quantity, color, kind = values
    if kind.strip() not in {"1", "2"}:
        raise BadValue(f"type {kind[:20]!r} where 1 (part) or 2 (spare) is expected")
    return (
        clean_number(number),
        clean_number(piece),
        read_count(quantity, "num", least=1),
        read_id(color, "color"),
        kind.strip() == "2",
    )


def part_vote(values: list[str]) -> tuple[str, str, int]:
    """Rebrickable part, BrickLink part, shared elements."""
    rebrickable, bricklink, shared = values
    return (
        clean_number(rebrickable),
        clean_number(bricklink),
        read_count(shared, "shared_elements", least=1),
    )


def color_vote(values: list[str]) -> tuple[int, int, int]:
    """Rebrickable colour, BrickLink colour, votes."""
    rebrickable, bricklink, votes, _name = values
    return (
        read_id(rebrickable, "colour id"),
        read_count(bricklink, "colour id"),
        read_count(votes, "votes"),
    )


def color_pair(values: list[str]) -> tuple[int, int]:
    """Rebrickable colour, BrickLink colour (-1: none), from a second source."""
    rebrickable, bricklink = values
    target = read_count(bricklink, "BrickLink colour") if bricklink.strip() else -1
    return read_id(rebrickable, "colour id"), target


def ldraw_part(values: list[str]) -> tuple[str, str, list[str], list[str]]:
    """number, number it moved to or '', BrickLink numbers, Rebrickable numbers."""
    number, description, bricklink, rebrickable = values
    moved = clean_text(description)
    target = moved.removeprefix("~Moved to ").strip() if moved.startswith("~Moved to ") else ""
    return (
        clean_number(number),
        target[:64],
        [clean_text(part)[:64] for part in bricklink.split(";") if part.strip()],
        [clean_text(part)[:64] for part in rebrickable.split(";") if part.strip()],
    )
