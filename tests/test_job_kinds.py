"""The pages have words for each kind of job that a person can start."""

import re

from django.conf import settings

from apps.core.jobs.registry import kinds, periods

#: Jobs of nobody: they appear on no page.
UNSEEN = {
    "accounts.erase_account",
    "accounts.send_confirmation",
    "accounts.send_invitation",
    "accounts.send_notice",
    "accounts.send_reset_mail",
    "webhooks.deliver",
}


def test_every_kind_of_job_has_words_on_the_pages() -> None:
    features = settings.BASE_DIR / "frontend/src/features"
    named = {
        name
        for file in features.glob("*/jobs.ts")
        for name in re.findall(r'^  "([a-z]+\.[a-z_]+)": \{$', file.read_text(), re.M)
    }

    started = {kind for kind in kinds() if not kind.startswith("test")}
    assert named == started - UNSEEN - set(periods())
