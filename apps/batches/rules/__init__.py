"""What a batch and its items are called and cost, and how they are walked to their bins. Pure."""

from apps.batches.rules.states import ItemState, name_to_show

__all__ = ["ItemState", "name_to_show"]
