"""Rules for new passwords beside Django's own; AUTH_PASSWORD_VALIDATORS names them."""

import re

from django.conf import settings
from django.core.exceptions import ValidationError

from apps.accounts.models import User


class NotGuessedFirst:
    """Refuses blanks and the product's name, which no list of common passwords has."""

    def validate(self, password: str, user: User | None = None) -> None:
        """Raise ValidationError."""
        if not re.search(
            r"[^\s\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff]", password
        ):
            raise ValidationError("The password has blanks only.", code="password_blank")
        letters = re.sub(r"[\W\d_]+", "", password).casefold()
        product = settings.PRODUCT_NAME.casefold()
        if letters and not letters.replace(product, ""):
            raise ValidationError(
                "The password is the name of this product.", code="password_product"
            )

    def get_help_text(self) -> str:
        return "Your password can't be blanks or the name of this product."
