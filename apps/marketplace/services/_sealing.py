"""The secrets of a marketplace, encrypted as one text."""

import json
from dataclasses import fields
from typing import TypeVar

from apps.core.sealing import seal_text, unseal_text
from apps.marketplace.providers.base import Secrets

Kind = TypeVar("Kind", bound=Secrets)


def seal(secrets: Secrets) -> str:
    """Return the secrets encrypted with the newest key."""
    return seal_text(
        json.dumps({each.name: getattr(secrets, each.name) for each in fields(secrets)})
    )


def unseal(sealed: str, kind: type[Kind]) -> Kind:
    """Return the decrypted secrets. Raises Unreadable."""
    return kind(**json.loads(unseal_text(sealed)))
