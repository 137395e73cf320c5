"""Encryption of secrets at rest (Fernet: AES-128-CBC with HMAC), with keys that can be rotated."""

import json
import os
from dataclasses import fields
from typing import TypeVar

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

from apps.marketplace.providers.base import Secrets

Kind = TypeVar("Kind", bound=Secrets)


class Unreadable(Exception):
    """The secrets were encrypted with a key that is not here."""


def seal(secrets: Secrets) -> str:
    """Return the secrets encrypted with the newest key."""
    text = json.dumps({each.name: getattr(secrets, each.name) for each in fields(secrets)})
    return _keys().encrypt(text.encode()).decode()


def unseal(sealed: str, kind: type[Kind]) -> Kind:
    """Return the decrypted text. Raises Unreadable."""
    try:
        return kind(**json.loads(_keys().decrypt(sealed.encode())))
    except InvalidToken:
        raise Unreadable from None


def _keys() -> MultiFernet:
    return MultiFernet([Fernet(key) for key in settings.CREDENTIALS_KEYS or [_local_key()]])


def _local_key() -> str:
    """Return the key kept in `var/credentials_key`, made when the first secret is stored."""
    path = settings.VAR_DIR / "credentials_key"
    if not path.exists():
        # Written aside and linked into place: of processes that start together, one makes it.
        fresh = settings.VAR_DIR / f"credentials_key.{os.getpid()}.{os.urandom(4).hex()}"
        fresh.touch(mode=0o600)
        fresh.write_bytes(Fernet.generate_key())
        try:
            path.hardlink_to(fresh)
        except FileExistsError:
            pass
        finally:
            fresh.unlink()
    return path.read_text().strip()
