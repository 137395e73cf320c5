"""What colours are called in other languages, where one word means one colour of BrickLink's."""

from typing import Final

#: BrickLink's name -> words, in German, French, Spanish, Italian, Dutch, Portuguese, Swedish, Danish,
#: Norwegian and Polish.
_WORDS: Final = {
    "Red": "rot rouge rojo rosso rood vermelho röd rød czerwony",
    "Black": "schwarz noir negro nero zwart preto svart sort czarny",
    "White": "weiß weiss blanc blanco bianco wit branco vit hvid hvit biały",
    "Yellow": "gelb jaune amarillo giallo geel amarelo gul żółty",
    "Blue": "blau bleu azul blu blauw blå niebieski",
    "Green": "grün gruen vert verde groen grön grøn grønn zielony",
    "Tan": "beige",
    "Reddish Brown": "rotbraun|rötlichbraun|brun rougeâtre|marrón rojizo|roodbruin",
    "Light Bluish Gray": "neuhellgrau|hellblaugrau|hellbläulichgrau|lichtblauwgrijs|helles blaugrau|gris bleuté clair",
    "Dark Bluish Gray": "neudunkelgrau|dunkelblaugrau|dunkelbläulichgrau|donkerblauwgrijs|dunkles blaugrau|gris bleuté foncé",
    "Light Gray": "althellgrau",
    "Dark Gray": "altdunkelgrau",
    "Dark Red": "dunkelrot|rouge foncé|rojo oscuro|rosso scuro|donkerrood",
    "Dark Blue": "dunkelblau|bleu foncé|azul oscuro|blu scuro|donkerblauw",
    "Dark Green": "dunkelgrün|dunkelgruen|vert foncé|verde oscuro|verde scuro|donkergroen",
    "Dark Tan": "dunkelbeige",
    "Dark Brown": "dunkelbraun|brun foncé|marrón oscuro|marrone scuro|donkerbruin",
    "Dark Orange": "dunkelorange|orange foncé|naranja oscuro|arancione scuro|donkeroranje",
    "Orange": "naranja arancione oranje",
    "Trans-Clear": "transparent|durchsichtig|klar|trans-klar",
    "Trans-Red": "transparent rot|transrot|trans-rot|rouge transparent",
    "Trans-Yellow": "transparent gelb|transgelb|trans-gelb|jaune transparent",
    "Trans-Green": "transparent grün|transgrün|trans-grün|vert transparent",
    "Trans-Orange": "transparent orange|orange transparent",
    "Trans-Dark Blue": "transparent dunkelblau",
    "Trans-Light Blue": "transparent hellblau",
}
BRICKLINK_NAME: Final = {
    word: name
    for name, words in _WORDS.items()
    for word in (words.split("|") if "|" in words else words.split())
}
