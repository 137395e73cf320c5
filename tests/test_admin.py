"""The admin, model by model: a machine walks all of them, also those that are added later."""

import re
from collections.abc import Iterator
from typing import Any, ClassVar

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Group
from django.db import connection, models
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from lxml import html

from apps.accounts.models import User
from apps.accounts.services.roles import OPERATOR, OPERATOR_MAY, VIEWER
from apps.accounts.tests.factories import make_user
from apps.catalog.tests.factories import make_color, make_item, make_lot
from apps.core.operating import models_of_ours
from apps.locations.tests.factories import make_location
from tests.rows import any_row

pytestmark = pytest.mark.django_db

MODELS = sorted(models_of_ours(), key=lambda model: model._meta.label)
IDS = [model._meta.label for model in MODELS]
# Whose rows an operator may mend in a form; everything else changes through services alone.
SERVED = {
    "auctions.AuctionSearch",
    "batches.Batch",
    "catalog.Item",
    "inventory.InventoryItem",
    "locations.ContainerType",
    "locations.Location",
    "sets.UserSet",
    "sources.Source",
}
MENDED = {"accounts.User", *SERVED}
# Added in the admin by superusers; and the page that takes catalogue files.
ADDED = {"accounts.User", "catalog.ImportRun", *SERVED}
# There is one row of it, or none.
SINGLE = {"auctions.SiteState"}
# What only services may write: pieces, what was booked, what counts them.
OF_THE_LEDGER = {"quantity", "delta", "item_count", "stored_weight"}
SECRETS = {"password", "sealed", "sealed_secret", "secret", "token_hash", "code_hash"}


def url(model: type[models.Model], page: str, *arguments: Any) -> str:
    meta = model._meta
    return reverse(f"admin:{meta.app_label}_{meta.model_name}_{page}", args=arguments)


def admins() -> Iterator[tuple[Any, Any]]:
    return ((model, admin.site._registry[model]) for model in MODELS)


@pytest.fixture(scope="module")
def rows(rows_of_module: None) -> dict[type[models.Model], Any]:
    """A row of each model."""
    return {model: any_row(model) for model in MODELS}


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture(scope="class")
def _pages_without_their_bar() -> Iterator[None]:
    """It lists all models, on each page: half of what a page costs. TestAServedModel has it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(admin.site, "get_app_list", lambda *_: [])
        yield


@pytest.fixture(scope="module")
def root(rows_of_module: None) -> Client:
    return signed_in(make_user("root", is_staff=True, is_superuser=True))


def member(name: str, group: str) -> Client:
    user = make_user(name, is_staff=True)
    user.groups.add(Group.objects.get(name=group))
    return signed_in(user)


@pytest.fixture(scope="module")
def operator(rows_of_module: None) -> Client:
    return member("olga", OPERATOR)


@pytest.fixture(scope="module")
def viewer(rows_of_module: None) -> Client:
    return member("vera", VIEWER)


@pytest.fixture(scope="module")
def stranger(rows_of_module: None) -> Client:
    return signed_in(make_user("stan"))


@pytest.mark.usefixtures("_pages_without_their_bar")
class TestEveryModel:
    def test_is_registered(self) -> None:
        missing = [model._meta.label for model in MODELS if not admin.site.is_registered(model)]

        assert missing == []

    def test_lists_columns_that_tell_it_apart(self) -> None:
        few = [
            model._meta.label
            for model, shown in admins()
            if len(shown.list_display) < 2 and len(model._meta.concrete_fields) > 3
        ]

        assert few == []
        assert [shown for _, shown in admins() if "__str__" in shown.list_display] == []

    def test_can_be_searched(self) -> None:
        cannot = {
            model._meta.label
            for model, shown in admins()
            if not (shown.search_fields or shown.list_filter)
        }

        assert cannot <= SINGLE

    def test_points_to_other_rows_by_their_names(self) -> None:
        by_ids = [
            f"{model._meta.label}.{field.attname}"
            for model, shown in admins()
            for field in model._meta.concrete_fields
            if field.is_relation and field.attname in shown.list_display
        ]

        assert by_ids == []
        assert [shown for _, shown in admins() if shown.raw_id_fields != ()] == []

    @pytest.mark.parametrize("model", MODELS, ids=IDS)
    def test_is_shown_row_by_row_without_secrets(
        self, root: Client, rows: dict[Any, Any], model: Any
    ) -> None:
        page = root.get(url(model, "change", rows[model].pk))

        assert page.status_code == 200
        shown = {name for form in page.context["adminform"] for name in form.fields}
        named = SECRETS & (shown - {"password"} if model is User else shown)
        assert named == set()

    @pytest.mark.parametrize("model", MODELS, ids=IDS)
    def test_is_mended_in_a_form_only_where_services_have_no_say(
        self, rf: Any, rows: dict[Any, Any], model: Any
    ) -> None:
        row = rows[model]
        request = rf.get("/")
        request.user = User(is_staff=True, is_superuser=True)
        site = admin.site._registry[model]

        assert site.has_change_permission(request, row) == (model._meta.label in MENDED)
        assert site.has_add_permission(request) == (model._meta.label in ADDED)
        if model._meta.label in MENDED:
            editable = set(site.get_form(request, row).base_fields)
            assert editable & OF_THE_LEDGER == set()
            assert "owner" not in editable

    @pytest.mark.parametrize("model", MODELS, ids=IDS)
    def test_is_looked_at_by_operators_and_no_stranger(
        self, rf: Any, operator: Client, stranger: Client, rows: dict[Any, Any], model: Any
    ) -> None:
        """Viewers: in `test_admin_lists`. What is mended looks otherwise to an operator."""
        request = rf.get("/")
        request.user = User.objects.get(email_address="olga@example.org")
        site = admin.site._registry[model]

        assert site.has_view_permission(request, rows[model])
        if model._meta.label in MENDED:
            assert operator.get(url(model, "change", rows[model].pk)).status_code == 200
        assert stranger.get(url(model, "changelist")).status_code == 302

    @pytest.mark.parametrize("model", MODELS, ids=IDS)
    def test_is_changed_by_no_viewer_and_deleted_by_nobody_of_the_staff(
        self, viewer: Client, operator: Client, rows: dict[Any, Any], model: Any
    ) -> None:
        row = rows[model]

        assert viewer.post(url(model, "change", row.pk), {}).status_code == 403
        assert viewer.get(url(model, "add")).status_code == 403
        for client in (viewer, operator):
            deleted = client.post(url(model, "delete", row.pk), {"post": "yes"})
            assert deleted.status_code == 403
        assert model._base_manager.filter(pk=row.pk).exists()


class TestNames:
    def test_of_many_are_english(self) -> None:
        names = {str(model._meta.verbose_name_plural) for model in MODELS}

        assert "build searches" in names
        assert [name for name in names if re.search(r"(?:[^aeou]y|s|x|ch|sh)s$", name)] == []

    def ask(self, root: Client, model: type[models.Model], field: str, typed: str) -> list[str]:
        answer = root.get(
            reverse("admin:autocomplete"),
            {
                "app_label": model._meta.app_label,
                "model_name": model._meta.model_name,
                "field_name": field,
                "term": typed,
            },
        )
        return [found["text"] for found in answer.json()["results"]]

    def test_of_lots_are_item_and_colour(self, root: Client) -> None:
        make_lot(make_item("3001"), make_color(5, name="Red"))
        stock = apps.get_model("inventory.InventoryItem")

        assert self.ask(root, stock, "lot", "3001") == ["PART 3001 in Red"]

    def test_of_bins_say_whose_they_are(self, root: Client, ann: User, bo: User) -> None:
        for owner in (ann, bo):
            make_location(owner, "A-01")
        stock = apps.get_model("inventory.InventoryItem")

        assert self.ask(root, stock, "location", "A-01") == [
            "A-01 (ann@example.org)",
            "A-01 (bo@example.org)",
        ]

    def test_of_people_are_their_addresses(self, root: Client, ann: User) -> None:
        source = apps.get_model("sources.Source")

        assert self.ask(root, source, "owner", "ann@") == ["ann@example.org"]

    def test_cost_as_many_queries_for_one_as_for_five(self, root: Client) -> None:
        lot = make_lot(make_item("3001"), make_color(5))
        stock = apps.get_model("inventory.InventoryItem")
        self.ask(root, stock, "lot", "3001")
        with CaptureQueriesContext(connection) as one:
            self.ask(root, stock, "lot", "3001")
        for number in range(6, 10):
            make_lot(lot.item, make_color(number))

        with CaptureQueriesContext(connection) as five:
            assert len(self.ask(root, stock, "lot", "3001")) == 5

        assert len(five) == len(one)


def filled(page: Any, typed: dict[str, Any]) -> dict[str, Any]:
    """The page's form as a browser would send it, with some of it typed anew."""
    (form,) = [
        one for one in html.fromstring(page.content).forms if one.get("id", "")[-5:] == "_form"
    ]
    return {**dict(form.form_values()), **typed}


class TestAServedModel:
    TYPED: ClassVar[dict[str, tuple[dict[str, Any], str, Any]]] = {
        "auctions.AuctionSearch": ({"text": "technic"}, "text", "space"),
        "batches.Batch": ({"name": "Attic"}, "description", "from the attic"),
        "catalog.Item": ({"item_type": "PART", "number": "x77b"}, "name", "Odd Brick"),
        "inventory.InventoryItem": ({"quantity": "5", "price": "0.1"}, "comments", "clean"),
        "locations.ContainerType": ({"name": "Drawer"}, "max_item_count", 40),
        "locations.Location": ({"name": "A-1"}, "description", "by the door"),
        "sets.UserSet": ({"quantity": "2"}, "notes", "boxed"),
        "sources.Source": ({"name": "Fair"}, "notes", "sundays"),
    }

    @pytest.mark.parametrize("label", sorted(SERVED))
    def test_is_added_and_mended_by_its_services(self, root: Client, ann: User, label: str) -> None:
        model: Any = apps.get_model(label)
        typed, name, value = self.TYPED[label]
        given = {
            "owner": ann.pk,
            "lot": make_lot(make_item("3001"), make_color(5)).pk,
            "item": make_item("30246-1", item_type="SET").pk,
        }
        opened = root.get(url(model, "add"))
        shown = {field for form in opened.context["adminform"] for field in form.fields}
        found = {field: given[field] for field in shown & set(given)}

        added = root.post(url(model, "add"), filled(opened, found | typed))
        assert added.status_code == 302
        row = model._default_manager.order_by("pk").last()
        here = url(model, "change", row.pk)
        saved = root.post(here, filled(root.get(here), {name: value}))

        assert saved.status_code == 302
        row.refresh_from_db()
        assert getattr(row, name) == value
        if "owner" in shown:
            assert row.owner == ann

    def test_says_why_a_service_refused(self, root: Client, ann: User) -> None:
        model: Any = apps.get_model("sets.UserSet")
        typed = {"owner": ann.pk, "item": make_item("3001").pk}

        refused = root.post(
            url(model, "add"), filled(root.get(url(model, "add")), typed), follow=True
        )

        assert "3001" in str(next(iter(refused.context["messages"])))
        assert not model._default_manager.filter(owner=ann).exists()


class TestRoles:
    def test_operators_may_do_what_is_listed_and_look_at_the_rest(self) -> None:
        viewer, operator = (
            {
                f"{app}.{name}"
                for app, name in Group.objects.get(name=group).permissions.values_list(
                    "content_type__app_label", "codename"
                )
            }
            for group in (VIEWER, OPERATOR)
        )

        assert operator - viewer == set(OPERATOR_MAY)
        assert {name.partition(".")[2].partition("_")[0] for name in viewer} == {"view"}
        assert {f"{m._meta.app_label}.view_{m._meta.model_name}" for m in MODELS} <= viewer

    def test_no_person_of_the_staff_can_give_themselves_more(
        self, operator: Client, staff: User, ann: User
    ) -> None:
        form = {
            "name": "Ann B.",
            "is_active": "on",
            "is_staff": "on",
            "is_superuser": "on",
            "email_address": "evil@example.org",
            "units": "g",
        }
        inline = {
            "preferences-TOTAL_FORMS": "0",
            "preferences-INITIAL_FORMS": "0",
        }

        assert operator.post(url(User, "change", ann.pk), form | inline).status_code == 302
        assert operator.post(url(User, "change", staff.pk), form | inline).status_code == 403
        password = reverse("admin:auth_user_password_change", args=[ann.pk])
        for page in (password, password.replace(f"/{ann.pk}/", f"/{staff.pk}/")):
            assert operator.get(page).status_code == 403

        ann.refresh_from_db()
        staff.refresh_from_db()
        assert (ann.name, ann.email_address) == ("Ann B.", "ann@example.org")
        assert (ann.is_staff, ann.is_superuser) == (False, False)
        assert staff.email_address == "staff@example.org"

    def test_groups_are_for_superusers(self, operator: Client, viewer: Client) -> None:
        for client in (operator, viewer):
            assert client.get("/admin/auth/group/").status_code == 403
