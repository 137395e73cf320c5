"""What is written to a buyer whose piece another one bought before, in the buyer's language. Pure."""

from typing import Final

#: By language.
_TEXTS: Final = {
    "en": (
        "Hello{buyer}, thank you for your order {number}. {pieces} × {item} was bought by somebody "
        "else shortly before, at another marketplace, so we cannot send it. We refund {amount} and "
        "send the rest as usual. We are sorry for this."
    ),
    "de": (
        "Guten Tag{buyer}, vielen Dank für Ihre Bestellung {number}. {pieces} × {item} wurde kurz "
        "zuvor auf einem anderen Marktplatz gekauft, daher können wir diesen Artikel nicht senden. "
        "Wir erstatten {amount} und senden den Rest wie gewohnt. Bitte entschuldigen Sie das."
    ),
    "fr": (
        "Bonjour{buyer}, merci pour votre commande {number}. {pieces} × {item} vient d’être acheté "
        "sur une autre place de marché ; nous ne pouvons donc pas l’envoyer. Nous vous remboursons "
        "{amount} et envoyons le reste comme d’habitude. Veuillez nous en excuser."
    ),
    "nl": (
        "Hallo{buyer}, bedankt voor uw bestelling {number}. {pieces} × {item} is kort daarvoor op "
        "een andere marktplaats gekocht, dus kunnen wij dit niet verzenden. Wij betalen {amount} "
        "terug en verzenden de rest zoals gewoonlijk. Onze excuses hiervoor."
    ),
}


def message_to_buyer(
    language: str, *, buyer: str, number: str, pieces: int, item: str, amount: str
) -> str:
    """Return the text, in English where there is none in a language."""
    text = _TEXTS.get(language, _TEXTS["en"])
    name = f" {buyer}" if buyer else ""
    return text.format(buyer=name, number=number, pieces=pieces, item=item, amount=amount)
