"""Why a whole file is not read. Everything milder is a warning on a lot or on the file."""

from __future__ import annotations

from enum import StrEnum


class RefusalCode(StrEnum):
    """The reason in one word, for programs; the exception's message is for people."""

    EMPTY = "empty"
    ZIP = "zip"
    GZIP = "gzip"
    HTML = "html"
    NOT_XML = "not_xml"
    WRONG_ROOT = "wrong_root"
    NO_INVENTORY = "no_inventory"
    ENTITIES = "entities"
    TRUNCATED = "truncated"
    FILE_TOO_LARGE = "file_too_large"
    TOO_MANY_LOTS = "too_many_lots"
    LOT_TOO_LARGE = "lot_too_large"
    BLOCK_TOO_LARGE = "block_too_large"
    TEXT_TOO_LONG = "text_too_long"
    TOO_DEEP = "too_deep"
    MIXED_CURRENCIES = "mixed_currencies"
    NOT_TEXT = "not_text"
    NOT_A_TABLE = "not_a_table"
    NOT_LOTS = "not_lots"
    #: Files that come in on another page.
    ORDERS = "orders"
    BACKUP = "backup"


class FileRefused(ValueError):
    """The file cannot be read. `line` is 1-based, 0 if the error is of no single line."""

    def __init__(self, code: RefusalCode, message: str, line: int = 0) -> None:
        """Keep the code and the line beside the sentence."""
        super().__init__(message)
        self.code = code
        self.message = message
        self.line = line


class FileTruncated(FileRefused):
    """The file stops in the middle. `complete_lots` of it are whole and can be repaired."""

    def __init__(self, message: str, line: int, complete_lots: int) -> None:
        """Add how many lots a repair would save."""
        super().__init__(RefusalCode.TRUNCATED, message, line)
        self.complete_lots = complete_lots
