"""The API called with what its schema allows, and with what it forbids.

What it answers must be as the schema says, and what the schema forbids must not be accepted. Each
operation is called with rows of the caller's behind its ids.
"""

import copyreg
import os
import pickle
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import hypothesis
import schemathesis
from django.core.wsgi import get_wsgi_application
from django.db import transaction
from hypothesis import HealthCheck, Phase, settings, strategies
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core import NotSet
from schemathesis.core.parameters import DelimitedValue, ParameterLocation
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)

from apps.core.api.parsing import BLANK
from apps.inventory.models import InventoryItem
from tests.routes import api_schema
from tests.test_ownership import OWNED

# The path of a resource -> the name of its rows in `tests.test_ownership.OWNED`.
BASES: Final = {
    "auctionListings": "auction-listing",
    "auctionSearches": "auction-search",
    "backups": "backup",
    "batchItems": "batch-item",
    "batches": "batch",
    "exports": "export",
    "inventoryContainerTypes": "container-type",
    "inventoryItems": "inventory-item",
    "inventoryLocations": "location",
    "inventorySyncs": "inventory-sync",
    "jobs": "job",
    "sources": "source",
    "stocktakes": "stocktake",
    "userSetParts": "set-part",
    "userSets": "user-set",
}


def not_an_error_of_ours(ctx: Any, response: Any, case: Any) -> bool | None:
    """A service outside that cannot be reached is told as 502 or 504: no error of the server's."""
    told = response.status_code in {502, 504} and not response.json()["success"]
    return None if told else not_a_server_error(ctx, response, case)


#: The ids in a body -> the name of the rows that they are of.
NAMED: Final = {
    "batch_id": "batch",
    "inventory_container_type_id": "container-type",
    "item_id": "inventory-item",
    "listing_id": "auction-listing",
    "location_id": "location",
    "lot_id": "lot",
    "source_id": "source",
    "to": "location",
    "to_batch_id": "batch",
    "user_inventory_item_location_id": "location",
    "user_set_id": "user-set",
}


def rows_of(user: Any) -> dict[str, Any]:
    """Return the ids of a row of the user's of each kind, by the kind's name."""
    rows = {name: make(user).pk for name, make in OWNED.items()}
    rows["lot"] = InventoryItem.objects.get(pk=rows["inventory-item"]).lot_id
    return rows


def refuses_what_is_forbidden(ctx: Any, response: Any, case: Any) -> bool | None:
    """As schemathesis does, but for a body of blanks where none is needed: it is no body."""
    needed = case.operation.definition.raw.get("requestBody", {}).get("required", False)
    if isinstance(case.body, bytes) and not case.body.strip(BLANK) and not needed:
        return None
    return negative_data_rejection(ctx, response, case)


CHECKS: Final = (
    not_an_error_of_ours,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    refuses_what_is_forbidden,
)


schemathesis.openapi.format(
    "time-zone",
    strategies.sampled_from(["UTC", "Europe/Berlin", "America/St_Johns", "Asia/Kolkata"]),
)


def openapi() -> dict[str, Any]:
    """Return the schema as it is served, but for who may call: the token is ours, always."""
    found = api_schema()
    for operations_of_path in found["paths"].values():
        for operation in operations_of_path.values():
            operation.pop("security", None)
    return found


def operations(schema: dict[str, Any], *, constants: bool = False) -> Iterator[Any]:
    """Yield every operation, ready to be called in this process.

    With `constants` some values are taken from our own source, which takes a fifth longer.
    """
    loaded = schemathesis.openapi.from_dict(schema)
    loaded.config.analysis.constants.enabled = constants
    # Some of what is forbidden is too large to be read.
    refused = loaded.config.checks.negative_data_rejection.expected_statuses
    loaded.config.checks.negative_data_rejection.expected_statuses = [*refused, "413"]
    loaded.app = get_wsgi_application()
    for result in loaded.get_all_operations():
        yield result.ok()


def pk_for(path: str, rows: dict[str, Any]) -> Any:
    """Return the id of the caller's row of the resource that the path begins with."""
    return rows.get(BASES.get(path.split("/")[2], ""), 1)


# A text with a second one, which pickle does not know how to make.
copyreg.pickle(DelimitedValue, lambda text: (DelimitedValue, (str(text), text.encoded)))


class DrawnCases:
    """The cases of operations in a file: to draw them takes three quarters of the time of a check.

    Whoever checks the same schema with the same seed, on another database, calls them again.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.are_known = path.exists()
        self._of: dict[str, list[bytes]] = pickle.loads(path.read_bytes()) if self.are_known else {}

    def of(self, operation: Any) -> Iterator[Any]:
        """Yield the cases of an operation, as new as when they were drawn."""
        for said in self._of[operation.label]:
            case = pickle.loads(said)
            # Another process hashes files otherwise, and a changed body is validated without them.
            case["_meta"]._initial_hashes.clear()
            yield operation.Case(**case)

    def begin(self, operation: Any) -> None:
        """Note that the operation has no case so far."""
        self._of[operation.label] = []

    def add(self, case: Any) -> None:
        """Keep a case before it is called, which changes it."""
        names = ("path_parameters", "cookies", "query", "media_type", "multipart_content_types")
        said = {name: getattr(case, name) for name in names}
        said |= {"headers": dict(case.headers), "_meta": case.meta}
        if not isinstance(case.body, NotSet):
            said["body"] = case.body
        self._of[case.operation.label].append(pickle.dumps(said))

    def save(self) -> None:
        """Write the file at once, for runs to come; those of other schemas go."""
        kind = self._path.name.partition(".")[0]
        for older in self._path.parent.glob(f"{kind}.*"):
            older.unlink(missing_ok=True)
        part = self._path.with_suffix(f".{os.getpid()}")
        part.write_bytes(pickle.dumps(self._of))
        part.replace(self._path)


class Found(Exception):
    """One contradiction was enough."""


@dataclass
class Probe:
    """One operation, called with generated cases; each leaves nothing behind.

    The cases come from `drawn` where it knows them, and are kept there where it does not. With
    `is_enough` the first contradiction ends it.
    """

    operation: Any
    headers: dict[str, str]
    rows: dict[str, Any]
    seed: int
    examples: int
    mode: GenerationMode
    drawn: DrawnCases | None = None
    is_enough: bool = False
    called: int = 0
    problems: list[Any] = field(default_factory=list)

    def run(self) -> None:
        """Call it with every case; keep in `problems` how the answers contradict the schema.

        Raises Unsatisfiable where there is no such case: of no parameter, say.
        """
        if self.drawn is not None and self.drawn.are_known:
            for case in self.drawn.of(self.operation):
                self.call(case)
            return
        if self.drawn is not None:
            self.drawn.begin(self.operation)

        @hypothesis.seed(self.seed)
        @settings(
            max_examples=self.examples,
            deadline=None,
            database=None,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @hypothesis.given(case=self.operation.as_strategy(generation_mode=self.mode))
        def call(case: Any) -> None:
            if self.drawn is not None:
                self.drawn.add(case)
            self.call(case)
            if self.is_enough and self.problems:
                raise Found

        with suppress(Found):
            call()

    def _takes_our_ids(self, case: Any) -> bool:
        """Tell whether the id may be replaced: not where a bad one is what the case is about."""
        return not case.meta.is_negative_at(ParameterLocation.PATH)

    def _leave_out_empty_lists(self, case: Any) -> None:
        """Do not say `id=`: null for schemathesis, and a list of none for the schema."""
        for one in self.operation.definition.raw.get("parameters", []):
            is_list = one["in"] == "query" and one["schema"].get("type") == "array"
            if is_list and (case.query or {}).get(one["name"]) == "":
                del case.query[one["name"]]

    def _name_our_rows(self, body: Any) -> None:
        """Let the ids in the body be of rows that are there."""
        for name, value in body.items() if isinstance(body, dict) else ():
            if name in NAMED and isinstance(value, int | float):
                body[name] = self.rows[NAMED[name]]
            elif name == "ids":
                body[name] = [pk_for(self.operation.path, self.rows)]

    def call(self, case: Any) -> None:
        """Call it once and check the answer."""
        self.called += 1
        if self._takes_our_ids(case):
            for name in case.path_parameters or {}:
                case.path_parameters[name] = pk_for(self.operation.path, self.rows)
        if self.mode is GenerationMode.NEGATIVE:
            self._leave_out_empty_lists(case)
        elif self.called % 2:
            self._name_our_rows(case.body)
        with transaction.atomic():  # the next case finds all rows again, and no throttle used up
            response = case.call(headers=self.headers)
            transaction.set_rollback(True)
        self.last = response
        try:
            case.validate_response(response, checks=list(CHECKS))
        except BaseExceptionGroup as found:
            self.problems.extend(found.exceptions)
