"""Names that are unique to their owner without regard to case."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.db import models
from django.db.models import Q

from apps.core.errors import ValueRefused
from apps.core.ownership import OwnedModel


def name_key(name: str) -> str:
    """Return what two names have in common that differ in case only."""
    return name.casefold()


class NameKey(models.TextField):
    """Made of the row's name whenever it is written, also with many others."""

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        key = name_key(str(vars(model_instance)["name"]))
        setattr(model_instance, self.attname, key)
        return key

    def deconstruct(self) -> Any:
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.TextField", args, kwargs


class NamedOnce(OwnedModel):
    """A row whose name is unique to its owner, ignoring case.

    Names that differed in case only before this was so are kept: the first has `twin` 0, the
    others their own id. They are shown until a person merges them.
    """

    name: Any
    name_key = NameKey(editable=False, help_text="the name without regard to case")
    twin = models.PositiveBigIntegerField(default=0, editable=False)

    class Meta:
        abstract = True
        constraints = (
            # The look-up by a name in any case too.
            models.UniqueConstraint(
                fields=["owner", "name_key"],
                condition=Q(twin=0),
                name="%(class)s_name_once_in_any_case",
            ),
        )
        indexes = (models.Index(fields=["owner"], condition=Q(twin__gt=0), name="%(class)s_twins"),)

    def save(self, *args: Any, **kwargs: Any) -> None:
        fields = kwargs.get("update_fields")
        if fields is not None and "name" in fields:
            kwargs["update_fields"] = {*fields, "name_key"}
        super().save(*args, **kwargs)


def refuse_taken_name(model: Any, *, owner: Any, name: str, besides: int | None = None) -> None:
    """Raise Invalid if another row of `owner` has this name, ignoring case.

    The constraint refuses it too, but for twins from before it.
    """
    others = model.objects.owned_by(owner).filter(name_key=name_key(name)).exclude(pk=besides)
    if (other := others.values_list("name", flat=True).first()) is not None:
        same = "is the name of another one of yours"
        told = same if other == name else f"differs from “{other}” only in capitals"
        raise ValueRefused(fields={"name": [told]})


def twins_of(model: Any, *, owner: Any) -> list[list[dict[str, Any]]]:
    """Return the owner's rows whose names differ in case only, as id and name."""
    mine = model.objects.owned_by(owner)
    keys = list(mine.filter(twin__gt=0).values_list("name_key", flat=True))
    if not keys:
        return []
    groups: dict[str, list[dict[str, Any]]] = {}
    rows = mine.filter(name_key__in=keys).order_by("name_key", "twin", "pk")
    for row in rows.values("id", "name", "name_key"):
        groups.setdefault(row.pop("name_key"), []).append(row)
    return [group for group in groups.values() if len(group) > 1]


class NamesThere:
    """Names that exist; asked for in any case, each is found as it is spelt."""

    def __init__(self, names: Iterable[str]) -> None:
        self._exact = dict.fromkeys(names)
        self._spelt: dict[str, str] = {}
        for name in sorted(self._exact):
            self._spelt.setdefault(name_key(name), name)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name_key(name) in self._spelt

    def __iter__(self) -> Iterator[str]:
        return iter(self._exact)

    def __len__(self) -> int:
        return len(self._exact)

    def spelt(self, name: str) -> str:
        """Return `name` as it is spelt here, itself where it is not."""
        return name if name in self._exact else self._spelt.get(name_key(name), name)

    def add(self, name: str) -> None:
        self._exact[name] = None
        self._spelt.setdefault(name_key(name), name)
