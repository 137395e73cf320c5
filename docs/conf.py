"""How `make docs` builds the documentation, which the server shows under /help."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from bricks import __version__

project = "Brickstow"
author = "Brickstow"
version = release = __version__
html_title = "Brickstow"

extensions = ["myst_parser"]
exclude_patterns = ["site"]
myst_heading_anchors = 3
myst_enable_extensions = ["deflist", "colon_fence"]
# Links to the code are paths of the repository, which the site does not hold.
suppress_warnings = ["myst.xref_missing"]

html_theme = "furo"
html_copy_source = False
html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True}
