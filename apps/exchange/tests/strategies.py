"""Lots as they may come: whatever fields, whatever characters."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

from hypothesis import strategies as st

from apps.exchange.bsx_lot import BsxLot, ExtraTag, TagAttribute
from apps.exchange.bsx_values import BASE_TAGS
from apps.exchange.item_types import ITEM_TYPE_NAMES

#: What XML can hold, control characters that it cannot left out.
texts = st.text(
    st.one_of(
        st.sampled_from("<>&\"'\r\n\t ]—🧱\x85\u2028"),
        st.characters(
            blacklist_categories=("Cs",),
            blacklist_characters=[*map(chr, range(9)), "\x0b", "\x0c", "\ufffe", "\uffff"]
            + [chr(code) for code in range(14, 32)],
        ),
    ),
    max_size=12,
)
names = st.from_regex(r"[A-Za-z_][A-Za-z0-9_.-]{0,8}", fullmatch=True)
money = st.integers(-(10**7), 10**7).map(lambda number: Decimal(number).scaleb(-3))
counts = st.integers(-(2**31), 2**31 - 1)
ids = st.none() | st.integers(0, 2**31 - 1)
instants = st.datetimes(
    min_value=datetime(1970, 1, 1, tzinfo=UTC).replace(tzinfo=None),
    max_value=datetime(2199, 12, 31, tzinfo=UTC).replace(tzinfo=None),
    timezones=st.just(UTC),
).map(lambda value: value.replace(microsecond=0))
extras = st.builds(ExtraTag, tag=names.map("X-".__add__), text=texts, xml=st.none())
attributes = st.builds(
    TagAttribute, tag=st.sampled_from(["Item", "ItemID", "Qty"]), name=names, value=texts
)
bases = st.lists(
    st.tuples(st.sampled_from(BASE_TAGS), texts), max_size=3, unique_by=lambda entry: entry[0]
)

_PLAIN = {
    "color_id": ids,
    "item_name": texts,
    "color_name": texts,
    "category_id": ids,
    "category_name": texts,
    "status": st.sampled_from("IXE"),
    "quantity": counts,
    "price": money.map(lambda price: price or None),
    "condition": st.sampled_from("NU"),
    "sub_condition": st.sampled_from(["", "C", "I", "M"]),
    "bulk": st.integers(1, 2**31 - 1),
    "sale": st.integers(-99, 100),
    "cost": money,
    "comments": texts,
    "remarks": texts,
    "reserved": texts,
    "marketplace_lot_id": st.integers(1, 2**63 - 1),
    "tq1": counts,
    "tp1": money,
    "tq2": counts,
    "tp2": money,
    "tq3": counts,
    "tp3": money,
    "retain": st.booleans(),
    "stockroom": st.sampled_from(["", "A", "B", "C"]),
    "total_weight_grams": st.integers(1, 10**8).map(lambda number: Decimal(number).scaleb(-4)),
    "marker_text": texts,
    "marker_color": st.sampled_from(["", "#FF8000", "#00aaBB"]),
    "date_added": instants,
    "date_last_sold": instants,
    "base": bases.map(tuple),
}
_ODD = {
    "extra": st.lists(extras, max_size=2).map(tuple),
    # In the order of the tags, which is the order in which they are read.
    "attributes": st.lists(attributes, max_size=2, unique_by=lambda found: found[:2]).map(
        lambda found: tuple(sorted(found, key=lambda one: ["Item", "ItemID", "Qty"].index(one[0])))
    ),
}


def _built(values):
    letter = values.pop("letter")
    return BsxLot(**values, item_type_id=letter, item_type_name=ITEM_TYPE_NAMES[letter])


# A lot without a number is read with a warning: its tests are in `tests/test_doors.py`.
_IDENTITY = {"item_number": texts.filter(str.strip), "letter": st.sampled_from("PSMGBCIO")}

#: Lots that the fast lanes may read and write.
plain_lots = st.fixed_dictionaries(_IDENTITY, optional=_PLAIN).map(_built)
lots = st.fixed_dictionaries(_IDENTITY, optional={**_PLAIN, **_ODD}).map(_built)
