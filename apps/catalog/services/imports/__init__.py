"""Import of whole catalogues: from files to rows, again and again without harm."""

from apps.catalog.services.imports.report import Report
from apps.catalog.services.imports.run import (
    IMPORTER_VERSION,
    ImportAlreadyRunning,
    ImportOptions,
    NothingToImport,
    import_catalog,
    recognise_files,
)

__all__ = [
    "IMPORTER_VERSION",
    "ImportAlreadyRunning",
    "ImportOptions",
    "NothingToImport",
    "Report",
    "import_catalog",
    "recognise_files",
]
