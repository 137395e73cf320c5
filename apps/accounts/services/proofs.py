"""Proofs: that a person was asked once more, for what cannot be undone. Good for five minutes.

The browser keeps one in memory alone, so that a stolen access token is not enough.
"""

import datetime as dt
import uuid
from typing import Final

from django.core import signing

from apps.accounts.models import RefreshGrant, User
from apps.accounts.rules import password_mark
from apps.accounts.services.factors import has_factor
from apps.core.errors import DomainError, ErrorCode

GOOD_FOR: Final = dt.timedelta(minutes=5)
SALT: Final = "accounts.proof"


class ProofRequired(DomainError):
    code = ErrorCode.PROOF_REQUIRED
    message = "Please show once more that it is you."


def make_proof(*, user: User, family: uuid.UUID) -> str:
    """Return the proof of a check that `user` has just passed, for this session alone."""
    how = "factor" if has_factor(user) else "password"
    return signing.dumps([user.pk, family.hex, password_mark(user.password), how], salt=SALT)


def family_of(*, user: User, grant: uuid.UUID) -> uuid.UUID | None:
    """Return the session that a grant is of."""
    found = RefreshGrant.objects.filter(pk=grant, user=user)
    return found.values_list("family", flat=True).first()


def require_proof(*, user: User, grant: uuid.UUID, proof: str, always: bool) -> None:
    """Refuse without a proof who has a second factor; with `always`, everybody. Raises ProofRequired."""
    with_factor = has_factor(user)
    if not with_factor and not always:
        return
    try:
        pk, family, mark, how = signing.loads(proof, salt=SALT, max_age=GOOD_FOR)
        is_good = (
            pk == user.pk
            and mark == password_mark(user.password)
            # A password is no proof any more once there is a factor.
            and (how == "factor" or not with_factor)
            and uuid.UUID(family) == family_of(user=user, grant=grant)
        )
    except (signing.BadSignature, ValueError, TypeError):
        is_good = False
    if not is_good:
        raise ProofRequired
