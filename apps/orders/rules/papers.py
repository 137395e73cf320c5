"""The words of printed papers in the languages that we have them in, and how dates and sums look. Pure."""

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from babel import Locale, UnknownLocaleError
from babel.dates import format_date
from babel.numbers import format_currency, format_decimal

_WORDS: Final = {
    "en": (
        "Packing slip|Pick list|Order|Ordered|Ship to|Buyer|Payment|Shipping method|Tracking number"
        "|Qty|Item|Colour|Condition|New|Used|Each|Sum|Pieces|Shipping|Insurance|Fees|Credit|Tax|VAT"
        "|Total|Weight|Not included|Bin|No bin|Tray|Taken|Page|Thank you for your order."
    ),
    "de": (
        "Lieferschein|Pickliste|Bestellung|Bestellt am|Lieferadresse|Käufer|Zahlung|Versandart"
        "|Sendungsnummer|Menge|Artikel|Farbe|Zustand|Neu|Gebraucht|Einzelpreis|Summe|Teile|Versand"
        "|Versicherung|Gebühren|Gutschrift|Steuer|MwSt.|Gesamt|Gewicht|Nicht enthalten|Fach"
        "|Ohne Fach|Box|Erledigt|Seite|Vielen Dank für Ihre Bestellung."
    ),
    "fr": (
        "Bon de livraison|Liste de prélèvement|Commande|Commandé le|Livrer à|Acheteur|Paiement"
        "|Mode d’envoi|Numéro de suivi|Qté|Article|Couleur|État|Neuf|Occasion|Prix|Montant|Pièces"
        "|Port|Assurance|Frais|Avoir|Taxe|TVA|Total|Poids|Non inclus|Casier|Sans casier|Bac|Pris"
        "|Page|Merci pour votre commande."
    ),
    "nl": (
        "Pakbon|Picklijst|Bestelling|Besteld op|Verzenden naar|Koper|Betaling|Verzendmethode"
        "|Trackingnummer|Aantal|Artikel|Kleur|Staat|Nieuw|Gebruikt|Per stuk|Bedrag|Stukken"
        "|Verzending|Verzekering|Kosten|Tegoed|Belasting|Btw|Totaal|Gewicht|Niet inbegrepen|Vak"
        "|Geen vak|Bak|Gepakt|Pagina|Bedankt voor uw bestelling."
    ),
    "es": (
        "Albarán|Lista de recogida|Pedido|Fecha|Enviar a|Comprador|Pago|Método de envío"
        "|Número de seguimiento|Cant.|Artículo|Color|Estado|Nuevo|Usado|Precio|Importe|Piezas|Envío"
        "|Seguro|Cargos|Crédito|Impuesto|IVA|Total|Peso|No incluido|Cajón|Sin cajón|Bandeja|Hecho"
        "|Página|Gracias por su pedido."
    ),
    "it": (
        "Distinta di imballaggio|Lista di prelievo|Ordine|Ordinato il|Spedire a|Acquirente"
        "|Pagamento|Spedizione con|Numero di tracciamento|Qtà|Articolo|Colore|Condizione|Nuovo"
        "|Usato|Prezzo|Importo|Pezzi|Spedizione|Assicurazione|Commissioni|Credito|Imposta|IVA"
        "|Totale|Peso|Non incluso|Cassetto|Senza cassetto|Vaschetta|Fatto|Pagina"
        "|Grazie per il suo ordine."
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
]
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

    def day(self, value: dt.datetime) -> str:
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
            words = dict(zip(_NAMES, _WORDS[locale.language].split("|"), strict=True))
            return Tongue(locale, words, in_ounces)
    english = dict(zip(_NAMES, _WORDS["en"].split("|"), strict=True))
    return Tongue(Locale("en", "GB"), english, in_ounces)
