"""Rules of batches. Pure."""

from apps.batches.rules.states import ItemState

__all__ = ["ItemState"]
