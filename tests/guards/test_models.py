"""Every model: owners indexed, instants tied to their persons, constraints and names in order."""

from collections.abc import Iterator

import pytest
from django.apps import apps
from django.db import models

# model.field -> why it needs no constraint with its person
UNTIED: dict[str, str] = {}
# model.field -> why no index begins with it
UNINDEXED = {
    "core.Job.by": "jobs are found by owner",
    "lots.KeptAct.by": "nobody asks for a person's acts",
    "inventory.Stocktake.act": "a stocktake names its act; acts are not deleted",
    "inventory.InventorySync.job": "syncs are found by owner; people's jobs are not deleted",
    "inventory.InventorySync.channel": "syncs are found by owner; channels are not deleted",
    "inventory.FieldConflict.channel": "questions are found by owner; channels are not deleted",
    "inventory.Movement.by": "nobody asks for a person's movements",
    "orders.OrderEvent.by": "events are found by order",
    "orders.PickWalk.by": "walks are found by owner",
    "recognition.StationSitting.by": "sittings are found by owner",
    "listings.Listing.channel": "listings are found by owner; channels are not deleted",
    "listings.StoreSyncRow.channel": "rows are found by sync; channels are not deleted",
    "listings.ListingLine.batch_item": "an item's open lines are asked for, which have an index",
}


def our_models() -> list[type[models.Model]]:
    found = [model for model in apps.get_models() if model.__module__.startswith("apps.")]
    assert len(found) > 10
    return found


def label(model: type[models.Model]) -> str:
    return model._meta.label


def leading_columns(model: type[models.Model]) -> set[str]:
    """The fields that begin an index, a constraint or are indexed by themselves."""
    meta = model._meta
    found = {
        field.name
        for field in meta.local_fields
        if field.db_index or field.unique or field.primary_key
    }
    found |= {index.fields[0].lstrip("-") for index in meta.indexes if index.fields}
    firsts = [index.expressions[0] for index in meta.indexes if index.expressions]
    found |= {first.name for first in firsts if isinstance(first, models.F)}
    found |= {
        constraint.fields[0]
        for constraint in meta.constraints
        if isinstance(constraint, models.UniqueConstraint)
        and constraint.fields
        and constraint.condition in {None, models.Q(**{f"{constraint.fields[0]}__isnull": False})}
    }
    return found


def unindexed_relations(model: type[models.Model]) -> Iterator[str]:
    leading = leading_columns(model)
    for field in model._meta.local_fields:
        name = f"{label(model)}.{field.name}"
        found = field.name in leading or name in UNINDEXED
        if isinstance(field, models.ForeignKey) and not found:
            yield name


def untied_instants(model: type[models.Model]) -> Iterator[str]:
    """`x_at` beside `x_by` is one fact: a constraint names both, so that neither is alone."""
    fields = {field.name for field in model._meta.local_fields}
    tied = [str(constraint) for constraint in model._meta.constraints]
    for name in fields:
        person = f"{name.removesuffix('_at')}_by"
        if name.endswith("_at") and person in fields:
            together = any(name in text and person in text for text in tied)
            if not together and f"{label(model)}.{name}" not in UNTIED:
                yield f"{label(model)}.{name}"


def is_same_table(constraint_or_index: str, model: type[models.Model]) -> bool:
    words = "".join(f"_{c.lower()}" if c.isupper() else c for c in model.__name__).strip("_")
    plain = constraint_or_index.replace("_", "")
    return any(plain.startswith(start) for start in (words.replace("_", ""), words.split("_")[-1]))


@pytest.mark.parametrize("model", our_models(), ids=label)
class TestEveryModel:
    def test_finds_its_rows_by_each_relation(self, model):
        assert list(unindexed_relations(model)) == []

    def test_ties_instants_to_persons(self, model):
        assert list(untied_instants(model)) == []

    def test_says_what_it_is(self, model):
        assert model.__doc__
        assert not model.__doc__.startswith(f"{model.__name__}(")
        assert model.__str__ is not models.Model.__str__

    def test_names_its_constraints_after_itself(self, model):
        named = [constraint.name for constraint in model._meta.constraints]

        assert [name for name in named if not is_same_table(name, model)] == []


class Loose(models.Model):
    """A model with one of each mistake."""

    owner = models.ForeignKey("accounts.User", on_delete=models.CASCADE, db_index=False)
    packed_at = models.DateTimeField(null=True)
    packed_by = models.ForeignKey(
        "accounts.User", on_delete=models.CASCADE, related_name="+", null=True
    )

    class Meta:
        app_label = "of_this_test"
        managed = False

    def __str__(self) -> str:
        return "loose"


class TestTheExceptions:
    def test_are_still_needed(self):
        fields = {
            f"{label(model)}.{field.name}": (model, field.name)
            for model in our_models()
            for field in model._meta.local_fields
        }

        for name in UNINDEXED:
            model, field = fields[name]
            assert field not in leading_columns(model), name


class TestTheChecks:
    def test_find_an_owner_without_an_index(self):
        assert list(unindexed_relations(Loose)) == ["of_this_test.Loose.owner"]

    def test_find_an_instant_without_its_person(self):
        assert list(untied_instants(Loose)) == ["of_this_test.Loose.packed_at"]

    def test_find_a_foreign_name(self):
        assert not is_same_table("batch_has_a_name", Loose)
        assert is_same_table("loose_is_packed", Loose)
