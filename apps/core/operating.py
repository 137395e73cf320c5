"""Base classes for the admin of every app: rows are read-only, and services change them.

Every change that an operator can make is an action that calls a service. The admin never
writes rows itself, so the ledger, the counters and the claims stay consistent.
"""

from collections.abc import Callable, Iterator
from typing import Any, cast

from django.apps import apps
from django.contrib import admin, messages
from django.contrib.admin.views.autocomplete import AutocompleteJsonView
from django.db import models
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from apps.core.errors import DomainError

MOST_COLUMNS = 9
MOST_SEARCHED = 4
# The names of a model's field for its owner; the first one that exists is used.
PERSONS = ("owner", "user", "by")


class Named:
    """Rows are called by their names, here and where a form of another model looks for one.

    `named_by` of a model says which related rows its text needs, so that a page of
    fifty names reads them with its rows.
    """

    model: type[models.Model]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).select_related(*names_of(self.model))  # type: ignore[misc]

    def label_of(self, row: dict[str, Any]) -> str:
        """Return the text of a row in a form, with the owner of a person's row."""
        person = next((name for name in PERSONS if hasattr(row, name)), None)
        return f"{row} ({getattr(row, person)})" if person else str(row)


class NamesView(AutocompleteJsonView):
    """The suggestions of a form while an operator types: names with their owners."""

    def serialize_result(self, obj: Any, to_field_name: str) -> dict[str, str]:
        shown = super().serialize_result(obj, to_field_name)
        label_of = getattr(self.model_admin, "label_of", str)
        return {**shown, "text": label_of(obj)}


class Site(admin.AdminSite):
    """Django's, with our names in its autocompletes."""

    def autocomplete_view(self, request: HttpRequest) -> HttpResponse:
        return cast(HttpResponse, NamesView.as_view(admin_site=self)(request))


class ReadOnly:
    """Rows can be looked at; adding, changing and deleting is refused to everybody."""

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class ReadOnlyAdmin(ReadOnly, Named, admin.ModelAdmin[Any]):
    show_full_result_count = False
    list_per_page = 50


class ServedAdmin(Named, admin.ModelAdmin[Any]):
    """Services add rows and change the fields named in `mended`. Deleting is refused."""

    show_full_result_count = False
    list_per_page = 50
    added_with: tuple[str, ...] = ()
    mended: tuple[str, ...] = ()

    def add_row(self, request: HttpRequest, data: dict[str, Any]) -> models.Model:
        """Call the service that makes a row of `added_with`; return it."""
        raise NotImplementedError

    def change_row(self, request: HttpRequest, row: Any, changes: dict[str, Any]) -> None:
        """Call the service that changes fields of `mended`."""
        raise NotImplementedError

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> Any:
        if obj is None:
            return self.added_with
        return [field.name for field in self.model._meta.concrete_fields if not _is_heavy(field)]

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> Any:
        if obj is None:
            return ()
        return [name for name in self.get_fields(request, obj) if name not in self.mended]

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        if not change:
            obj.pk = self.add_row(request, dict(form.cleaned_data)).pk
            obj.refresh_from_db()
        elif form.changed_data:
            # As it is stored: the form has written into `obj` already.
            row = self.model._base_manager.get(pk=obj.pk)
            self.change_row(
                request, row, {name: form.cleaned_data[name] for name in form.changed_data}
            )

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return super().changeform_view(request, *args, **kwargs)
        except DomainError as refusal:
            self.message_user(request, refusal.text, messages.ERROR)
            return HttpResponseRedirect(request.get_full_path())

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class ReadOnlyInline(ReadOnly, admin.TabularInline[Any, Any]):
    extra = 0
    can_delete = False
    show_change_link = True


def show_result(
    model_admin: admin.ModelAdmin[Any], request: HttpRequest, act: Callable[[], str]
) -> None:
    """Call a service; show the text of `act`, or the message of its refusal."""
    try:
        message = act()
    except DomainError as refusal:
        model_admin.message_user(request, refusal.text, messages.ERROR)
    else:
        model_admin.message_user(request, message, messages.SUCCESS)


# -- models without an admin of their own ----------------------------------------------


def models_of_ours() -> Iterator[type[models.Model]]:
    """Yield the models of the product's own apps."""
    for model in apps.get_models():
        if model.__module__.startswith("apps."):
            yield model


def register_the_rest() -> None:
    """Give each model that no `admin.py` registers a read-only admin made of its fields."""
    for model in models_of_ours():
        if not admin.site.is_registered(model):
            admin.site.register(model, type(f"{model.__name__}Admin", (RowsAdmin,), rows_of(model)))


class RowsAdmin(ReadOnlyAdmin):
    """Rows of a model whose columns, filters and search are made of its fields."""


def rows_of(model: type[models.Model]) -> dict[str, Any]:
    """Return the options of a model's admin: short columns, names for what it points to."""
    fields = [field for field in model._meta.concrete_fields if not _is_long(field)]
    person = next((name for name in PERSONS if name in {field.name for field in fields}), None)
    columns = [field.name for field in fields]
    shown = [name for name in columns if name not in {"created_at", "updated_at"}]
    dates = [name for name in columns if name in {"created_at", "updated_at"}][:1]
    words = [
        field.name
        for field in fields
        if isinstance(field, models.CharField) and not field.choices and not field.is_relation
    ]
    pk = model._meta.pk
    number = f"{pk.name}__{pk.target_field.name}" if isinstance(pk, models.ForeignKey) else pk.name
    return {
        "list_display": (*shown[: MOST_COLUMNS - len(dates)], *dates),
        "list_select_related": names_of(model),
        "list_filter": tuple(field.name for field in fields if _is_few(field)),
        "search_fields": (
            f"={number}",
            *((f"{person}__email_address",) if person else ()),
            *words[:MOST_SEARCHED],
        ),
        "exclude": tuple(field.name for field in model._meta.concrete_fields if _is_heavy(field)),
        "ordering": ("-pk",),
        "__module__": __name__,
    }


def names_of(model: type[models.Model]) -> tuple[str, ...]:
    """Return the relations to join so that a row, and each row it points to, can be named."""
    joined = list(getattr(model, "named_by", ()))
    for field in model._meta.concrete_fields:
        if isinstance(field, models.ForeignKey) and not _is_heavy(field):
            joined.append(field.name)
            also = getattr(field.related_model, "named_by", ())
            joined += [f"{field.name}__{name}" for name in also]
    return tuple(joined)


def _is_heavy(field: models.Field[Any, Any]) -> bool:
    """Whether a value may be megabytes, or nothing that a person reads."""
    return isinstance(field, models.BinaryField | models.JSONField)


def _is_long(field: models.Field[Any, Any]) -> bool:
    return _is_heavy(field) or isinstance(field, models.TextField)


def _is_few(field: models.Field[Any, Any]) -> bool:
    """Whether a field takes few values, so that a list of them is a filter."""
    return isinstance(field, models.BooleanField) or bool(field.choices)
