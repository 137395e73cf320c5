"""Keeps coloured pictures on this machine: a file a slot, so that it never grows past its bound.

Colouring takes a millisecond or two, less than asking a bucket would; so each machine keeps
its own. A picture falls into one slot by its key; what lay there before is forgotten.
"""

import contextlib
import hashlib
import os
from pathlib import Path

from django.conf import settings


def _slot(key: str) -> Path:
    number = int.from_bytes(hashlib.blake2b(key.encode(), digest_size=6).digest(), "big")
    slot = number % settings.PICTURE_CACHE_FILES
    return Path(settings.PICTURE_CACHE_DIR) / f"{slot & 255:02x}" / f"{slot >> 8:x}"


def kept(key: str) -> bytes | None:
    """Return the picture of `key`, None when it is not kept."""
    try:
        content = _slot(key).read_bytes()
    except OSError:
        return None
    # The key is stored before the picture: the slot may hold another one.
    head = key.encode() + b"\0"
    return content[len(head) :] if content.startswith(head) else None


def keep(key: str, picture: bytes) -> None:
    """Keep a picture. A disk that is full costs nothing but the work of colouring again."""
    path = _slot(key)
    fresh = path.with_name(f"{path.name}.{os.getpid()}.{os.urandom(3).hex()}")
    with contextlib.suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            fresh.write_bytes(key.encode() + b"\0" + picture)
            fresh.replace(path)
        except OSError:
            fresh.unlink(missing_ok=True)
            raise
