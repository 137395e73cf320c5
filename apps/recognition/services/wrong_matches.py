"""Store the recogniser's wrong answers, for those who choose and tune it."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings

from apps.accounts.models import User
from apps.recognition.models import WrongMatch
from apps.recognition.services.eyes import OWN_NAME
from apps.recognition.services.identify import recogniser


def report_wrong_match(*, owner: User, said: Mapping[str, Any]) -> WrongMatch:
    """Keep a report. The picture is not kept, and nothing is sent to the recogniser."""
    provider = said.get("provider") or (recogniser().name if settings.RECOGNITION_URL else OWN_NAME)
    return WrongMatch.objects.create(owner=owner, **{**said, "provider": provider})


def take_back_report(*, report: WrongMatch) -> None:
    """Delete a report."""
    report.delete()
