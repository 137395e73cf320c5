"""Whatever belongs to a person is in a backup, or is left out by name and with a reason."""

from django.apps import apps

from apps.accounts.models import User
from apps.backups.services._tables import LEFT_OUT, LEFT_OUT_APPS, Meaning, tables


def belongs_to_a_person(model, seen=()):
    """Whether a row of it goes when its person does."""
    if model is User or model in seen:
        return model is User
    parents = [
        field.related_model
        for field in model._meta.concrete_fields
        if field.is_relation and not field.null and field.related_model is not None
    ]
    return any(belongs_to_a_person(parent, (*seen, model)) for parent in parents)


def left_out(model):
    return (
        model._meta.label in LEFT_OUT
        or model._meta.app_label in LEFT_OUT_APPS
        or any(
            field.related_model is not None and left_out(field.related_model)
            for field in model._meta.concrete_fields
            if field.is_relation and not field.null
        )
    )


class TestTables:
    def test_hold_every_model_of_a_person_or_say_why_not(self):
        ours = [
            model
            for model in apps.get_models()
            if model.__module__.startswith("apps.") and model is not User
        ]
        kept = {table.model for table in tables()}

        forgotten = {
            model._meta.label
            for model in ours
            if belongs_to_a_person(model) and model not in kept and not left_out(model)
        }

        assert not forgotten, "add them to apps/backups/services/_tables.py"

    def test_name_every_column_so_that_it_can_be_brought_back(self):
        for table in tables():
            for column in table.columns:
                if column.meaning is Meaning.ELSEWHERE:
                    assert column.field.null, f"{table.name}.{column.name}"

    def test_come_after_what_they_name(self):
        seen = set()
        for table in tables():
            seen.add(table.name)
            for column in table.columns:
                if column.meaning is Meaning.ROW:
                    assert column.target in seen, f"{table.name}.{column.name}"

    def test_hold_nothing_of_a_second_factor(self):
        kept = {table.model._meta.label for table in tables()}
        factors = {"Authenticator", "Passkey", "RecoveryCode", "RememberedDevice"}

        assert {f"accounts.{name}" for name in factors} <= LEFT_OUT.keys() - kept
