"""Names that are unique to their owner without regard to case and width."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any, Final

from django.db import models
from django.db.models import Q

from apps.core.errors import ValueRefused
from apps.core.ownership import OwnedModel

INVISIBLE: Final = "has invisible or direction-changing characters"
# Zero-width and blank-looking characters, and those that turn the direction of what follows.
_INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200c\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb]"
)
# Parts of emoji: seen beside others only.
_JOINING: Final = re.compile("[\u200d\ufe00-\ufe0f\U000e0000-\U000e0fff]")


def name_key(name: str) -> str:
    """Return what two names have in common that differ in case, width or invisible marks only."""
    if name.isascii():
        return name.casefold()
    seen = _JOINING.sub("", without_invisible(name))
    folded = unicodedata.normalize("NFKC", seen).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())


def without_invisible(name: str) -> str:
    """Return `name` without the characters that `refuse_name` refuses."""
    return _INVISIBLE.sub("", name)


def has_invisible(name: str) -> bool:
    """Whether a name has characters that nobody sees, or nothing but such."""
    return without_invisible(name) != name or not _JOINING.sub("", name).strip()


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
    """A row whose name is unique to its owner, ignoring case and width.

    Names that differed in those only before this was so are kept: the first has `twin` 0, the
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


def refuse_name(model: Any, *, owner: Any, name: str, besides: int | None = None) -> None:
    """Raise Invalid for a name that cannot be seen, or that another row of `owner` has.

    The constraint refuses it too, but for twins from before it.
    """
    if has_invisible(name):
        raise ValueRefused(fields={"name": [INVISIBLE]})
    others = model.objects.owned_by(owner).filter(name_key=name_key(name)).exclude(pk=besides)
    if (other := others.values_list("name", flat=True).first()) is not None:
        same = "is the name of another one of yours"
        told = same if other == name else f"differs from “{other}” only in capitals or width"
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


def rekey(model: Any, *, using: str) -> None:
    """Write the keys of today's rule, for a migration. No row goes: of rows that now have the same
    key the first keeps it, the others become its twins."""
    rows = model.objects.using(using)
    keys = {
        (owner, key)
        for owner, key, name in rows.filter(twin=0).values_list("owner_id", "name_key", "name")
        if name_key(name) == key
    }
    in_order = rows.order_by("owner_id", "twin", "pk").values_list(
        "pk", "owner_id", "name", "name_key", "twin"
    )
    for pk, owner, name, old, twin in list(in_order):
        if (key := name_key(name)) == old:
            continue
        is_taken = twin == 0 and (owner, key) in keys
        keys.add((owner, key))
        rows.filter(pk=pk).update(name_key=key, twin=pk if is_taken else twin)


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
