"""The words of printed papers in the languages that we have them in, and how dates and sums look. Pure."""

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Final

from babel import Locale, UnknownLocaleError
from babel.dates import format_date
from babel.numbers import format_currency, format_decimal

_WORDS: Final = {
    "en": (
        "Packing slip|Pick list|Order|Ordered|Ship to|Buyer|Payment|Shipping method|Tracking number"
        "|Qty|Item|Colour|Condition|New|Used|Each|Sum|Pieces|Shipping|Insurance|Fees|Credit|Tax|VAT"
        "|Total|Weight|Not included|Bin|No bin|Tray|Taken|Page|Thank you for your order."
        "|Refunded|VAT ID"
        "|Invoice|Credit note|Bill to|Invoice date|Cancels invoice|Net|Rate|VAT exempt: small business scheme|Margin scheme – second-hand goods|VAT exempt: export|Date of the order"
    ),
    "de": (
        "Lieferschein|Pickliste|Bestellung|Bestellt am|Lieferadresse|Käufer|Zahlung|Versandart"
        "|Sendungsnummer|Menge|Artikel|Farbe|Zustand|Neu|Gebraucht|Einzelpreis|Summe|Teile|Versand"
        "|Versicherung|Gebühren|Gutschrift|Steuer|MwSt.|Gesamt|Gewicht|Nicht enthalten|Fach"
        "|Ohne Fach|Box|Erledigt|Seite|Vielen Dank für Ihre Bestellung."
        "|Erstattet|USt-IdNr."
        "|Rechnung|Stornorechnung|Rechnung an|Rechnungsdatum|Storniert Rechnung|Netto|Satz|Umsatzsteuerfrei: Kleinunternehmerregelung|Gebrauchtgegenstände/Sonderregelung|Umsatzsteuerfrei: Ausfuhrlieferung|Bestelldatum"
    ),
    "fr": (
        "Bon de livraison|Liste de prélèvement|Commande|Commandé le|Livrer à|Acheteur|Paiement"
        "|Mode d’envoi|Numéro de suivi|Qté|Article|Couleur|État|Neuf|Occasion|Prix|Montant|Pièces"
        "|Port|Assurance|Frais|Avoir|Taxe|TVA|Total|Poids|Non inclus|Casier|Sans casier|Bac|Pris"
        "|Page|Merci pour votre commande."
        "|Remboursé|N° de TVA"
        "|Facture|Note de crédit|Facturer à|Date de facture|Annule la facture|HT|Taux|TVA non applicable : franchise des petites entreprises|Régime particulier – Biens d’occasion|Exonéré de TVA : exportation|Date de commande"
    ),
    "nl": (
        "Pakbon|Picklijst|Bestelling|Besteld op|Verzenden naar|Koper|Betaling|Verzendmethode"
        "|Trackingnummer|Aantal|Artikel|Kleur|Staat|Nieuw|Gebruikt|Per stuk|Bedrag|Stukken"
        "|Verzending|Verzekering|Kosten|Tegoed|Belasting|Btw|Totaal|Gewicht|Niet inbegrepen|Vak"
        "|Geen vak|Bak|Gepakt|Pagina|Bedankt voor uw bestelling."
        "|Terugbetaald|Btw-nummer"
        "|Factuur|Creditnota|Factuur aan|Factuurdatum|Annuleert factuur|Netto|Tarief|Vrijgesteld van btw: kleineondernemersregeling|Bijzondere regeling – gebruikte goederen|Vrijgesteld van btw: uitvoer|Besteldatum"
    ),
    "es": (
        "Albarán|Lista de recogida|Pedido|Fecha|Enviar a|Comprador|Pago|Método de envío"
        "|Número de seguimiento|Cant.|Artículo|Color|Estado|Nuevo|Usado|Precio|Importe|Piezas|Envío"
        "|Seguro|Cargos|Crédito|Impuesto|IVA|Total|Peso|No incluido|Cajón|Sin cajón|Bandeja|Hecho"
        "|Página|Gracias por su pedido."
        "|Reembolsado|NIF-IVA"
        "|Factura|Nota de crédito|Facturar a|Fecha de factura|Anula la factura|Base|Tipo|Exento de IVA: régimen de pequeñas empresas|Régimen especial – Bienes usados|Exento de IVA: exportación|Fecha del pedido"
    ),
    "it": (
        "Distinta di imballaggio|Lista di prelievo|Ordine|Ordinato il|Spedire a|Acquirente"
        "|Pagamento|Spedizione con|Numero di tracciamento|Qtà|Articolo|Colore|Condizione|Nuovo"
        "|Usato|Prezzo|Importo|Pezzi|Spedizione|Assicurazione|Commissioni|Credito|Imposta|IVA"
        "|Totale|Peso|Non incluso|Cassetto|Senza cassetto|Vaschetta|Fatto|Pagina"
        "|Grazie per il suo ordine."
        "|Rimborsato|Partita IVA"
        "|Fattura|Nota di credito|Fatturare a|Data fattura|Annulla la fattura|Imponibile|Aliquota|Esente da IVA: regime delle piccole imprese|Regime del margine – Beni usati|Esente da IVA: esportazione|Data dell’ordine"
    ),
}
_NAMES: Final = [
    "packing_slip",
    "pick_list",
    "order",
    "ordered",
    "ship_to",
    "buyer",
    "payment",
    "method",
    "tracking",
    "qty",
    "item",
    "color",
    "condition",
    "N",
    "U",
    "each",
    "sum",
    "pieces",
    "shipping",
    "insurance",
    "fees",
    "credit",
    "tax",
    "vat",
    "total",
    "weight",
    "short",
    "bin",
    "no_bin",
    "tray",
    "taken",
    "page",
    "thanks",
    "refunded",
    "vat_id",
    "invoice",
    "credit_note",
    "bill_to",
    "invoice_date",
    "cancels",
    "net",
    "rate",
    "small",
    "margin",
    "outside",
    "order_date",
]
#: The language of buyers by country; those of other countries read English. One language where a
#: country has several.
_LANGUAGES: Final = {
    **dict.fromkeys(("DE", "AT", "CH", "LI"), "de"),
    **dict.fromkeys(("FR", "LU", "MC"), "fr"),
    **dict.fromkeys(("NL", "BE", "SR"), "nl"),
    **dict.fromkeys(("ES", "MX", "AR", "CL", "CO", "PE"), "es"),
    **dict.fromkeys(("IT", "SM", "VA"), "it"),
}
#: Names of countries that Babel does not have, as marketplaces write them.
_COUNTRIES: Final = {"uk": "GB", "usa": "US", "great britain": "GB", "holland": "NL"}
#: Where paper is Letter and not A4.
_LETTER: Final = ("US", "CA", "MX", "PH", "CL", "CO")
_GRAMS_IN_OUNCE: Final = Decimal("28.349523125")
_KILOGRAM: Final = 1000


@dataclass(frozen=True, slots=True)
class Tongue:
    """A language of papers, with the customs of its region."""

    locale: Locale
    words: dict[str, str]
    in_ounces: bool = False

    @property
    def is_letter(self) -> bool:
        return self.locale.territory in _LETTER

    def count(self, value: int | Decimal) -> str:
        return format_decimal(value, locale=self.locale)

    def money(self, value: Decimal, currency: str) -> str:
        return format_currency(value, currency, locale=self.locale)

    def day(self, value: dt.date) -> str:
        return format_date(value, "medium", locale=self.locale)

    def weight(self, grams: Decimal) -> str:
        if self.in_ounces:
            return f"{format_decimal(round(grams / _GRAMS_IN_OUNCE, 1), locale=self.locale)} oz"
        if grams >= _KILOGRAM:
            return f"{format_decimal(round(grams / _KILOGRAM, 2), locale=self.locale)} kg"
        return f"{format_decimal(round(grams, 1), locale=self.locale)} g"


def tongue_of(accepted: str, *, in_ounces: bool = False) -> Tongue:
    """Return the first language of an Accept-Language header that papers are written in."""
    named = [part.split(";")[0].strip() for part in accepted.split(",")]
    for name in named:
        try:
            locale = Locale.parse(name.replace("-", "_"))
        except (ValueError, UnknownLocaleError, TypeError):
            continue
        if locale.language in _WORDS:
            return _tongue(locale, in_ounces)
    return _tongue(Locale("en", "GB"), in_ounces)


def country_code(country: str) -> str:
    """Return the two letters of a country as a marketplace names it; none where it is not known."""
    name = country.split(",")[0].strip()
    if name.upper() in _territories().values():
        return name.upper()
    return _COUNTRIES.get(name.lower()) or _territories().get(name.lower(), "")


def tongue_of_buyer(country: str, *, ours: Tongue) -> Tongue:
    """Return the language of a buyer's country, else English; ours where no country is named."""
    if not country.split(",")[0].strip():
        return ours
    code = country_code(country)
    language = _LANGUAGES.get(code, "en")
    try:
        locale = Locale.parse(f"{language}_{code}")
    except (ValueError, UnknownLocaleError):
        locale = Locale("en", "GB")
    return _tongue(locale, ours.in_ounces)


@cache
def _territories() -> dict[str, str]:
    """Return the codes of countries by their names in the languages of papers."""
    return {
        name.lower(): code
        for language in _WORDS
        for code, name in Locale(language).territories.items()
        if len(code) == 2 and code.isalpha()
    }


def tongue_named(name: str) -> Tongue:
    """Return the language of a kept paper by the name of its locale."""
    return _tongue(Locale.parse(name), in_ounces=False)


def _tongue(locale: Locale, in_ounces: bool) -> Tongue:
    words = dict(zip(_NAMES, _WORDS[locale.language].split("|"), strict=True))
    return Tongue(locale, words, in_ounces)


@dataclass(frozen=True, slots=True)
class SlipMoney:
    """The sums of a packing slip: what is in the parcel, and what the buyer paid for it in the end."""

    sent: Decimal
    missing: Decimal
    refunded: Decimal
    total: Decimal


def slip_money(
    *, subtotal: Decimal, total: Decimal, refunded: Decimal, sent: Decimal, missing: Decimal
) -> SlipMoney:
    """Return the sums of a slip: what is missing comes off the total.

    Refunds pay for missing pieces first; what is beyond them is a sum of its own.
    """
    beyond = max(refunded - missing, Decimal())
    return SlipMoney(
        sent=subtotal - missing if subtotal else sent,
        missing=missing,
        refunded=beyond,
        total=total - missing - beyond if total else total,
    )
