"""Calls of the HTTP API with a program's token; a refusal is an error that a person can read."""

import json
from collections.abc import Mapping, Sequence
from typing import Final

import requests
from mcp.server.mcpserver.exceptions import ToolError

Row = dict[str, object]
Query = dict[str, str | int | None]
SECONDS: Final = 60


class Calls:
    """The API of one server, called with one token."""

    def __init__(self, address: str, token: str) -> None:
        self._root = f"{address.rstrip('/')}/api/"
        self._session = requests.Session()
        self._session.headers["Authorization"] = f"Bearer {token}"
        self._session.headers["Content-Type"] = "application/json"

    def page(self, path: str, shown: Sequence[str], query: Query) -> Row:
        """Return a page of a list: `shown` of each row, and how many pages there are."""
        rows, meta = self._called("GET", path, {key: val for key, val in query.items() if val})
        pages = meta.get("pagination")
        found = pages if isinstance(pages, dict) else {"total_items": len(rows)}
        return {"rows": [{name: row.get(name) for name in shown} for row in rows], **found}

    def one(self, path: str) -> Row:
        """Return the one row of an answer."""
        return (self._called("GET", path)[0] or [{}])[0]

    def act(self, path: str, body: Row) -> Row:
        """Return what a call that writes, or plans, answers."""
        return (self._called("POST", path, body=body)[0] or [{}])[0]

    def _called(
        self, method: str, path: str, query: Query | None = None, body: Row | None = None
    ) -> tuple[list[Row], Row]:
        try:
            answer = self._session.request(
                method,
                self._root + path,
                params=query,
                data=None if body is None else json.dumps(body),
                timeout=SECONDS,
            )
        except requests.RequestException as problem:
            raise ToolError(f"{self._root} does not answer: {problem}") from problem
        try:
            envelope = answer.json()
            rows, meta = envelope["data"], envelope["meta"]
        except (ValueError, KeyError, TypeError):
            raise ToolError(
                f"{self._root}{path} is not Brickstow's API ({answer.status_code})."
            ) from None
        if not answer.ok:
            raise ToolError(_sentence(envelope, answer.headers.get("Retry-After")))
        return rows, meta


def _sentence(envelope: Mapping[str, object], wait: str | None) -> str:
    """Return a refusal in words: its message, and what each field expected."""
    meta = envelope.get("meta")
    error = meta.get("error") if isinstance(meta, dict) else None
    fields = (error.get("fields") if isinstance(error, dict) else None) or {}
    told = [f"{name}: {' '.join(map(str, texts))}" for name, texts in fields.items()]
    again = [f"Try again in {wait} seconds."] if wait else []
    return " ".join([str(envelope.get("message") or "It was refused."), *told, *again])
