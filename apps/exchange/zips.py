"""Identify a zip archive by the names in its directory; nothing is unpacked."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable
from typing import BinaryIO, Final

_BACKUP: Final = "backup.json"


def _names(stream: BinaryIO) -> set[str]:
    stream.seek(0)
    try:
        with zipfile.ZipFile(stream) as archive:
            return set(archive.namelist())
    except (zipfile.BadZipFile, OSError, NotImplementedError, ValueError):
        return set()


def is_workbook(stream: BinaryIO) -> bool:
    """Whether it is a spreadsheet: XLSX, XLSB or ODS."""
    names = _names(stream)
    return (
        bool({"xl/workbook.xml", "xl/workbook.bin"} & names) or {"content.xml", "mimetype"} <= names
    )


def is_backup(stream: BinaryIO) -> bool:
    """Whether it is a backup of our own."""
    return _BACKUP in _names(stream)


def is_numbers(stream: BinaryIO) -> bool:
    """Whether it is a spreadsheet of Apple Numbers."""
    return any(name.endswith("Index/Document.iwa") for name in _names(stream))


def is_studio(stream: BinaryIO) -> bool:
    """Whether it is a model of Studio."""
    return bool(model_in(_names(stream)))


def model_in(names: Iterable[str]) -> str:
    """Return Studio's model among the names of an archive, else its only one; '' for none."""
    models = [name for name in names if name.endswith((".ldr", ".ldr2"))]
    if "model.ldr" in models:
        return "model.ldr"
    return models[0] if len(models) == 1 else ""
