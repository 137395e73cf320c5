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
_LEGO_NUMBERS: Final = (
    "1 White|2 Light Gray|3 Light Yellow|4 Fabuland Brown|5 Tan|6 Light Green|9 Pink|"
    "11 Maersk Blue|12 Earth Orange|16 Medium Dark Pink|18 Nougat|20 Milky White|21 Red|"
    "22 Dark Pink|23 Blue|24 Yellow|25 Brown|26 Black|27 Dark Gray|28 Green|29 Medium Green|"
    "36 Very Light Orange|37 Bright Green|38 Dark Orange|39 Light Violet|40 Trans-Clear|"
    "41 Trans-Red|42 Trans-Light Blue|43 Trans-Dark Blue|44 Trans-Yellow|45 Light Blue|"
    "47 Trans-Neon Orange|48 Trans-Green|49 Trans-Neon Green|50 Glow In Dark Trans|"
    "100 Light Salmon|101 Salmon|102 Medium Blue|103 Very Light Gray|104 Purple|"
    "105 Medium Orange|106 Orange|107 Dark Turquoise|110 Violet|111 Trans-Brown|"
    "112 Medium Violet|113 Trans-Dark Pink|114 Glitter Trans-Dark Pink|115 Medium Lime|"
    "116 Light Turquoise|117 Glitter Trans-Clear|118 Aqua|119 Lime|120 Light Lime|"
    "124 Magenta|125 Light Orange|126 Trans-Purple|127 Pearl Light Gold|128 Dark Nougat|"
    "129 Glitter Trans-Purple|131 Pearl Light Gray|132 Speckle Black-Silver|135 Sand Blue|"
    "136 Sand Purple|138 Dark Tan|139 Copper|140 Dark Blue|141 Dark Green|"
    "143 Trans-Medium Blue|145 Pearl Sand Blue|148 Pearl Dark Gray|150 Pearl Very Light Gray|"
    "151 Sand Green|153 Sand Red|154 Dark Red|157 Trans-Neon Yellow|179 Flat Silver|"
    "182 Trans-Orange|183 Pearl White|189 Reddish Gold|191 Bright Light Orange|"
    "192 Reddish Brown|194 Light Bluish Gray|195 Blue-Violet|196 Dark Blue-Violet|"
    "198 Light Purple|199 Dark Bluish Gray|208 Very Light Bluish Gray|212 Bright Light Blue|"
    "216 Rust|217 Light Brown|221 Dark Pink|222 Bright Pink|223 Rose Pink|"
    "226 Bright Light Yellow|227 Trans-Light Bright Green|230 Trans-Pink|"
    "231 Trans-Light Orange|232 Sky Blue|268 Dark Purple|283 Light Nougat|"
    "284 Trans-Light Purple|285 Trans-Light Green|294 Glow In Dark Opaque|297 Pearl Gold|"
    "298 Metallic Silver|299 Metallic Gold|300 Metallic Copper|302 Glitter Trans-Light Blue|"
    "308 Dark Brown|311 Trans-Bright Green|312 Medium Nougat|315 Flat Silver|"
    "316 Pearl Dark Gray|321 Dark Azure|322 Medium Azure|323 Light Aqua|"
    "324 Medium Lavender|325 Lavender|326 Yellowish Green|329 Glow In Dark White|"
    "330 Olive Green|339 Glitter Trans-Neon Green|341 Glitter Trans-Orange|353 Coral|"
    "368 Neon Yellow|370 Medium Brown|371 Medium Tan|375 Trans-Black|402 Reddish Orange|"
    "422 Sienna|432 Umber"
)
#: LEGO's own number of a colour -> BrickLink's name.
OF_LEGO_NUMBER: Final = dict(pair.split(" ", 1) for pair in _LEGO_NUMBERS.split("|"))
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
