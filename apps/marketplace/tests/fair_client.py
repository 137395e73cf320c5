"""The client of the marketplace made up for the contract tests, and what names it to the app."""

import tempfile
import time
from dataclasses import dataclass, field
from decimal import Decimal
from typing import ClassVar
from xml.etree import ElementTree as ET

import requests

from apps.exchange.lot_ids import IDS_OF_ONE
from apps.marketplace.providers.answers import stop_if_known, unreadable
from apps.marketplace.providers.base import (
    CallKind,
    Ids,
    NoAnswer,
    NotOffered,
    NotThere,
    Refused,
    Secrets,
    SecretsRefused,
    Throttled,
)
from apps.marketplace.providers.clients import Client
from apps.marketplace.providers.known import MarketplaceInfo
from apps.marketplace.providers.lots import StoreLot
from apps.marketplace.providers.transport import PAUSES, bounded, no_answer, session_for, tried

FAIR = "fair"
INFO = MarketplaceInfo(
    id=FAIR,
    real_name="Fair",
    demo_name="Fair (demo)",
    mark="FA",
    first_id=5 * IDS_OF_ONE + 1,
    has_prices=False,
    leaves_open_calls=False,
    has_hints=False,
    url_setting="FAIR_URL",
    demo_setting="FAIR_IS_DEMO",
    lot_address="",
)
LOT_IDS = Ids(FAIR)
UNIT = Decimal(10_000)
GRADES = {"N": "mint", "U": "played"}
BROKEN = 500
TOO_MANY = 429


@dataclass(frozen=True, slots=True)
class FairSecrets(Secrets):
    """Its one key."""

    marketplace: ClassVar = FAIR
    key: str = field(metadata={"shown": "Key"})


class FairStore:
    """One seller's account there."""

    marketplace: ClassVar = FAIR

    def __init__(self, *, base_url, secrets, spend, pause=time.sleep):
        self._url, self._key, self._spend, self._pause = base_url, secrets.key, spend, pause
        self._session = session_for(base_url)

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        self._session.close()

    def check(self):
        self._read("hello")

    def currency(self):
        return "EUR"

    def why_not(self, draft):
        return "" if draft.item_type == "PART" else "Fair sells parts only."

    def lots(self, *, item_types=(), color_ids=()):
        return list(self.each_lot(item_types=item_types, color_ids=color_ids))

    def each_lot(self, *, item_types=(), color_ids=(), is_known=None):
        told, body = self._read("lots")
        with tempfile.TemporaryFile() as kept:
            kept.write(body)
            stop_if_known(kept, is_known)
        for lot in map(_lot_of, told.findall("lot")):
            if (not item_types or "PART" in item_types) and (
                not color_ids or lot.color_id in color_ids
            ):
                yield lot

    def lot(self, lot_id):
        told, _body = self._read("lots", no=str(LOT_IDS.theirs(lot_id)))
        if told.find("lot") is None:
            raise NotThere("Fair does not know the lot.", code=404)
        return _lot_of(told.find("lot"))

    def create_lot(self, draft):
        return _lot_of(self._write("put", rows=[_words_of(draft)])[0])

    def create_lots(self, drafts):
        self._write("put", rows=[_words_of(draft) for draft in drafts])

    def change_lot(self, lot_id, change):
        told = {
            "no": str(LOT_IDS.theirs(lot_id)),
            "more": str(change.delta),
            "note": change.comments,
        }
        for word, value in (
            ("hundredths", None if change.price is None else str(int(change.price * UNIT))),
            ("shelf", change.remarks),
            ("hidden", change.stockroom),
            ("cut", None if change.sale is None else str(change.sale)),
            ("step", None if change.bulk is None else str(change.bulk)),
        ):
            if value is not None:
                told[word] = value
        self._write("change", **told)

    def delete_lot(self, lot_id):
        try:
            self._write("drop", no=str(LOT_IDS.theirs(lot_id)))
        except NotThere:
            return

    def orders(self, *, filed=False):
        return []

    def _offers_no(self, *_args, **_more):
        raise NotOffered("Fair tells an app neither orders nor prices.")

    price_guide = item = order = order_messages = _offers_no
    set_order_state = set_tracking = file_order = _offers_no

    def _read(self, tag, **told):
        def ask():
            self._spend(CallKind.STOCK)
            asked = ET.tostring(ET.Element(tag, key=self._key, **told)).decode()
            return self._once("GET", params={"ask": asked})

        return tried(ask, what=f"GET {tag}", pauses=PAUSES, pause=self._pause)

    def _write(self, tag, rows=(), **told):
        self._spend(CallKind.STOCK)
        element = ET.Element(tag, key=self._key, **told)
        element.extend(ET.Element("lot", row) for row in rows)
        return self._once("POST", data=ET.tostring(element))[0]

    def _once(self, method, **sent):
        try:
            answer = self._session.request(method, self._url, timeout=20, **sent)
            body = bounded(answer)
        except requests.RequestException as problem:
            raise no_answer(problem) from problem
        if answer.status_code == TOO_MANY:
            raise Throttled("Fair asks for fewer calls.")
        try:
            told = ET.fromstring(body)
        except ET.ParseError:
            raise unreadable(body[:256], answer.status_code) from None
        if answer.status_code >= BROKEN or told.tag == "html":
            raise unreadable(body[:256], answer.status_code)
        if told.tag == "lots" and told.find("end") is None:
            raise NoAnswer("Fair's list of lots breaks off.")
        if told.tag == "refused":
            kinds = {"who": SecretsRefused, "gone": NotThere}
            if told.get("code") == "who":
                raise SecretsRefused(told.get("why"))
            raise kinds.get(told.get("code"), Refused)(told.get("why"), code=422)
        return told, body


def _words_of(draft):
    tiers = {
        f"{word}{at}": str(value)
        for at, (pieces, price) in enumerate(draft.tiers, 1)
        for word, value in (("from", pieces), ("at", int(price * UNIT)))
    }
    return {
        "part": draft.number,
        "colour": str(draft.color_id),
        "grade": GRADES[draft.condition],
        "pieces": str(draft.quantity),
        "hundredths": str(int(draft.price * UNIT)),
        "note": draft.comments,
        "shelf": draft.remarks,
        "step": str(draft.bulk),
        "cut": str(draft.sale),
        "paid": str(int(draft.cost * UNIT)),
        "keep": "yes" if draft.retain else "",
        "hidden": draft.stockroom,
        **tiers,
    }


def _lot_of(row):
    return StoreLot(
        lot_id=LOT_IDS.ours(int(row.get("no"))),
        item_type="PART",
        number=row.get("part"),
        color_id=int(row.get("colour")),
        condition={word: letter for letter, word in GRADES.items()}[row.get("grade")],
        quantity=int(row.get("pieces")),
        price=int(row.get("hundredths")) / UNIT,
        comments=row.get("note"),
        remarks=row.get("shelf"),
        bulk=int(row.get("step")),
        sale=int(row.get("cut")),
        cost=int(row.get("paid")) / UNIT,
        retain=row.get("keep") == "yes",
        stockroom=row.get("hidden"),
        tiers=tuple(
            (int(row.get(f"from{at}")), int(row.get(f"at{at}")) / UNIT) for at in (1, 2, 3)
        ),
    )


def _open(secrets, access):
    return FairStore(base_url=access.base_url, secrets=secrets, spend=access.spend)


#: Its entry among the clients.
CLIENT = Client(FairSecrets, _open)
