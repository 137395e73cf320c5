"""What colours are called beside BrickLink's names, where one word means one colour.

In other languages, by LEGO itself, and in short: files, typed cells and the station know them.
"""

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
#: BrickLink's name -> LEGO's own names. A name that is also one of BrickLink's means BrickLink's.
_OF_LEGO: Final = {
    "Red": "Bright Red",
    "Blue": "Bright Blue",
    "Yellow": "Bright Yellow",
    "Orange": "Bright Orange",
    "Tan": "Brick Yellow",
    "Brown": "Earth Orange Brown",
    "Light Gray": "Grey",
    "Light Bluish Gray": "Medium Stone Grey",
    "Dark Bluish Gray": "Dark Stone Grey",
    "Very Light Bluish Gray": "Light Stone Grey",
    "Lime": "Bright Yellowish Green",
    "Dark Tan": "Sand Yellow",
    "Dark Blue": "Earth Blue",
    "Dark Green": "Earth Green",
    "Dark Red": "New Dark Red",
    "Magenta": "Bright Reddish Violet",
    "Dark Pink": "Medium Reddish Violet|Bright Purple",
    "Bright Pink": "Light Purple",
    "Dark Purple": "Medium Lilac",
    "Purple": "Bright Violet",
    "Dark Turquoise": "Bright Bluish Green",
    "Light Turquoise": "Medium Bluish Green",
    "Bright Light Orange": "Flame Yellowish Orange",
    "Bright Light Yellow": "Cool Yellow",
    "Bright Light Blue": "Light Royal Blue",
    "Sky Blue": "Dove Blue",
    "Dark Azure": "Dark Azur",
    "Medium Azure": "Medium Azur",
    "Yellowish Green": "Spring Yellowish Green",
    "Coral": "Vibrant Coral",
    "Neon Yellow": "Vibrant Yellow",
    "Medium Tan": "Warm Tan",
    "Sand Purple": "Sand Violet",
    "Blue-Violet": "Medium Royal Blue",
    "Violet": "Bright Bluish Violet",
    "Medium Violet": "Medium Bluish Violet",
    "Medium Lime": "Medium Yellowish Green",
    "Light Lime": "Light Yellowish Green",
    "Medium Orange": "Bright Yellowish Orange",
    "Very Light Orange": "Light Yellowish Orange",
    "Salmon": "Medium Red",
    "Light Salmon": "Light Red",
    "Sienna": "Sienna Brown",
    "Umber": "Umber Brown",
    "Maersk Blue": "Pastel Blue",
    "Pearl Gold": "Warm Gold",
    "Flat Silver": "Silver Metallic",
    "Pearl Dark Gray": "Titanium Metallic",
    "Metallic Silver": "Metalized Silver",
    "Metallic Gold": "Metalized Gold",
    "Trans-Clear": "Transparent",
    "Trans-Dark Blue": "Transparent Blue",
    "Trans-Light Blue": "Transparent Light Blue",
    "Trans-Medium Blue": "Transparent Fluorescent Blue",
    "Trans-Neon Green": "Transparent Fluorescent Green",
    "Trans-Neon Orange": "Transparent Fluorescent Reddish Orange",
    "Trans-Dark Pink": "Transparent Medium Reddish Violet",
    "Trans-Purple": "Transparent Bright Bluish Violet",
    "Trans-Orange": "Transparent Bright Orange",
}
#: BrickLink's name -> what sellers write for it.
_SHORT: Final = {
    "Light Bluish Gray": "lbg|lbgray|lbgrey|light bley|lt bley|new light gray",
    "Dark Bluish Gray": "dbg|dbgray|dbgrey|dark bley|dk bley|new dark gray",
    "Light Gray": "old light gray",
    "Dark Gray": "old dark gray",
    "Trans-Clear": "clear",
    "Medium Nougat": "medium dark flesh|med nougat",
    "Light Nougat": "light flesh",
    "Nougat": "flesh",
    "Bright Light Orange": "blo",
    "Bright Light Yellow": "bly",
}
BRICKLINK_NAME: Final = {
    word: name
    for names in (_WORDS, _SHORT, _OF_LEGO)
    for name, words in names.items()
    for word in (words.split("|") if names is not _WORDS or "|" in words else words.split())
}
#: Words of names in short, after a gap or at the beginning: `Dk. Red`, `Lt Bluish Gray`.
WHOLE_WORD: Final = {
    "lt": "light",
    "dk": "dark",
    "med": "medium",
    "md": "medium",
    "tr": "trans",
    "transparent": "trans",
    "grey": "gray",
}
