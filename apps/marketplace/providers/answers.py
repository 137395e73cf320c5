"""Common parts of the marketplaces' answers: texts and empty answers. Pure."""

import hashlib
import html
import re
from collections.abc import Callable
from typing import IO, Final

from apps.core.texts import printable
from apps.marketplace.providers.base import AnsweredAsBefore, NoAnswer, Throttled

HEAD: Final = 256  # of a body, to distinguish a page for people from data
_BLOCK: Final = 64 * 1024
_ENTITY: Final = re.compile(r"&(?:#\d+|#x[0-9a-fA-F]+|[A-Za-z]+);")


def unreadable(head: bytes, status: int) -> NoAnswer:
    """Return the failure of an answer that is no data. `head` is how its body begins."""
    shape = "a page for people" if head.lstrip()[:1] == b"<" else "something unreadable"
    return NoAnswer(f"The marketplace sent {shape if head else 'nothing'} (status {status}).")


def stop_if_known(body: IO[bytes], is_known: Callable[[str], bool] | None) -> None:
    """Raise AnsweredAsBefore where `is_known` returns True for the SHA-256 of an answer."""
    if is_known is None:
        return
    body.seek(0)
    digest = hashlib.sha256()
    while block := body.read(_BLOCK):
        digest.update(block)
    if is_known(digest.hexdigest()):
        raise AnsweredAsBefore


def throttled(told: str, retry_after: str | None, *, is_daily: bool = False) -> Throttled:
    """Return that fewer calls are wanted, with the marketplace's reason and its waiting time."""
    after = retry_after or ""
    wait = int(after) if re.fullmatch(r"\d{1,6}", after) else None
    because = f": {told}" if told else "."
    is_daily = is_daily and wait is None
    text = f"The marketplace wants fewer calls{because}"
    return Throttled(text, wait_seconds=wait, is_daily=is_daily)


def unescape(text: str) -> str:
    """Return text as it was typed: replies are escaped once, now and then twice.

    Control characters that no export could hold are left out.
    """
    once = html.unescape(text)
    return printable(html.unescape(once) if _ENTITY.search(once) else once)
