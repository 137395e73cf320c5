"""Which marketplace numbered a lot: each has a range of lot ids of its own here.

A lot or an order of the first range has the marketplace's own number, the others have theirs
plus the ids before: so one id means one lot of one store, in the stock and in files.
"""

from typing import Final

#: More lots or orders than any marketplace has numbered, and few enough for a browser's whole numbers.
IDS_OF_ONE: Final = 10**12

#: The marketplace that numbers the lots of files, by the first range.
OF_FILES: Final = "bricklink"
IDS_OF_FILES: Final = (1, IDS_OF_ONE)
