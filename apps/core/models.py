from apps.core.idempotency.models import StoredAnswer
from apps.core.jobs.models import Job
from apps.core.throttling import RateWindow

__all__ = ["Job", "RateWindow", "StoredAnswer"]
