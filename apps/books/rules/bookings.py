"""Bookings in the layouts of two packages: DATEV's EXTF booking batch, and a journal as Xero imports.

DATEV: "DATEV-Format, Buchungsstapel" of developer.datev.de, header version 700, category 21, format
version 13. Xero: the template of *Import manual journals* (help.xero.com). Pure.
"""

import csv
import datetime as dt
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

from apps.books.rules.tax import cents

_ENCODING: Final = "cp1252"
_TEXT: Final = 60
_REFERENCE: Final = 36
#: All columns of the format; the first fourteen are filled, and that nothing is fixed yet.
DATEV_COLUMNS: Final = (
    *[
        "Umsatz (ohne Soll/Haben-Kz)",
        "Soll/Haben-Kennzeichen",
        "WKZ Umsatz",
        "Kurs",
        "Basis-Umsatz",
    ],
    *["WKZ Basis-Umsatz", "Konto", "Gegenkonto (ohne BU-Schlüssel)", "BU-Schlüssel", "Belegdatum"],
    *[
        "Belegfeld 1",
        "Belegfeld 2",
        "Skonto",
        "Buchungstext",
        "Postensperre",
        "Diverse Adressnummer",
    ],
    *["Geschäftspartnerbank", "Sachverhalt", "Zinssperre", "Beleglink"],
    *(f"Beleginfo - {kind} {n}" for n in range(1, 9) for kind in ("Art", "Inhalt")),
    *["KOST1 - Kostenstelle", "KOST2 - Kostenstelle", "Kost-Menge"],
    *["EU-Land u. UStID (Bestimmung)", "EU-Steuersatz (Bestimmung)", "Abw. Versteuerungsart"],
    *["Sachverhalt L+L", "Funktionsergänzung L+L", "BU 49 Hauptfunktionstyp"],
    *["BU 49 Hauptfunktionsnummer", "BU 49 Funktionsergänzung"],
    *(f"Zusatzinformation{kind} {n}" for n in range(1, 21) for kind in (" - Art", "- Inhalt")),
    *[
        "Stück",
        "Gewicht",
        "Zahlweise",
        "Forderungsart",
        "Veranlagungsjahr",
        "Zugeordnete Fälligkeit",
    ],
    *["Skontotyp", "Auftragsnummer", "Buchungstyp", "USt-Schlüssel (Anzahlungen)"],
    *["EU-Land (Anzahlungen)", "Sachverhalt L+L (Anzahlungen)", "EU-Steuersatz (Anzahlungen)"],
    *["Erlöskonto (Anzahlungen)", "Herkunft-Kz", "Buchungs GUID", "KOST-Datum"],
    *["SEPA-Mandatsreferenz", "Skontosperre", "Gesellschaftername", "Beteiligtennummer"],
    *["Identifikationsnummer", "Zeichnernummer", "Postensperre bis"],
    *["Bezeichnung SoBil-Sachverhalt", "Kennzeichen SoBil-Buchung", "Festschreibung"],
    *["Leistungsdatum", "Datum Zuord. Steuerperiode", "Fälligkeit", "Generalumkehr (GU)"],
    *["Steuersatz", "Land", "Abrechnungsreferenz", "BVV-Position", "EU-Land u. UStID (Ursprung)"],
    *["EU-Steuersatz (Ursprung)", "Abw. Skontokonto"],
)
_FIXED: Final = DATEV_COLUMNS.index("Festschreibung")
XERO_COLUMNS: Final = ("*Narration", "*Date", "Description", "*AccountCode", "*TaxRate", "*Amount")
#: Amounts are posted as they are; what tax is in them is in the file of sales.
_XERO_RATE: Final = "Tax Exempt"


@dataclass(frozen=True, slots=True)
class Booking:
    """An amount from one account to another: `debit` gets it, `credit` gives it."""

    day: dt.date
    reference: str
    text: str
    amount: Decimal
    debit: str
    credit: str


def to_cents(
    rows: Sequence[Booking], *, last: dt.date, money: str, rounding: str, name: str
) -> list[Booking]:
    """Return bookings to the cent whose sum is the exact sum to the cent.

    What rounding each of them left over is a booking of its own, on the last day. `money` is the
    account that all of them have on the same side.
    """
    found = [replace(row, amount=cents(row.amount)) for row in rows if cents(row.amount)]
    exact = sum((row.amount for row in rows), Decimal())
    left = cents(exact) - sum((one.amount for one in found), Decimal())
    if left:
        debit, credit = (money, rounding) if rows[0].debit == money else (rounding, money)
        found.append(Booking(last, "", f"Rounding of {name}", left, debit, credit))
    return found


def datev_file(
    bookings: Iterable[Booking],
    *,
    first: dt.date,
    last: dt.date,
    currency: str,
    made_at: dt.datetime,
    office: tuple[str, str],
    account_length: int,
) -> bytes:
    """Return a booking batch of DATEV; `office` are the numbers of consultant and client."""
    head = [
        *('"EXTF"', "700", "21", '"Buchungsstapel"', "13"),
        made_at.strftime("%Y%m%d%H%M%S") + f"{made_at.microsecond // 1000:03d}",
        *("", '"RE"', '""', '""', *office),
        f"{first.year}0101",
        str(account_length),
        f"{first:%Y%m%d}",
        f"{last:%Y%m%d}",
        f'"Brickstow {first:%Y-%m-%d}"',
        *('""', "1", "0", "0", f'"{currency}"'),
        *("", '""', "", "", '""', "", "", '""', '""'),
    ]
    lines = [";".join(head), ";".join(DATEV_COLUMNS)]
    for one in bookings:
        amount = f"{abs(one.amount):.2f}".replace(".", ",")
        side = "S" if one.amount >= 0 else "H"
        cells = [
            *(amount, f'"{side}"', f'"{currency}"', "", "", '""', one.debit, one.credit, '""'),
            *(f"{one.day:%d%m}", _quoted(one.reference, _REFERENCE), '""', ""),
            _quoted(one.text, _TEXT),
        ]
        cells += [""] * (len(DATEV_COLUMNS) - len(cells))
        cells[_FIXED] = "0"
        lines.append(";".join(cells))
    return ("\r\n".join(lines) + "\r\n").encode(_ENCODING, "replace")


def _quoted(text: str, most: int) -> str:
    plain = " ".join(text.split())[:most].replace('"', '""')
    return f'"{plain}"'


def xero_file(bookings: Iterable[Booking]) -> bytes:
    """Return a journal of two rows for each booking: a positive amount is a debit."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(XERO_COLUMNS)
    for one in bookings:
        text = f"{one.reference} {one.text}".strip()
        for account, amount in ((one.debit, one.amount), (one.credit, -one.amount)):
            # The apostrophe of other files would be part of the account or amount here.
            row = (text.lstrip("=+-@\t"), f"{one.day:%d/%m/%Y}", one.text, account)
            writer.writerow((*row, _XERO_RATE, f"{amount:.2f}"))
    return out.getvalue().encode()
