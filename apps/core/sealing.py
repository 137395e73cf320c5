"""Encryption of secrets at rest (Fernet: AES-128-CBC with HMAC), with keys that can be rotated."""

import os

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings


class Unreadable(Exception):
    """The secret was encrypted with a key that is not here."""


def seal_text(text: str) -> str:
    """Return the text encrypted with the newest key."""
    return _keys().encrypt(text.encode()).decode()


def unseal_text(sealed: str) -> str:
    """Return the decrypted text. Raises Unreadable."""
    try:
        return _keys().decrypt(sealed.encode()).decode()
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
