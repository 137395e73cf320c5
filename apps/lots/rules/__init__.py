"""Rules of lots: how a person recognises one. Pure."""

from apps.lots.rules.names import name_to_show

__all__ = ["name_to_show"]
