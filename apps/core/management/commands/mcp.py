"""`manage.py mcp`: tools for an assistant, over its standard input and output."""

import os
from importlib.util import find_spec
from typing import Any

from django.core.management.base import CommandError

from apps.core.management.command import REFUSED, OperatorCommand

HELP = """\
Serve tools of the Model Context Protocol on standard input and output, for an assistant that starts
this command. They call the HTTP API of a running Brickstow, here or elsewhere, and reach what the
token's scopes allow. Nothing of this runs unless it is started.

BRICKSTOW        the address of the server, such as https://bricks.example
BRICKSTOW_TOKEN  a token of Settings, Programs

docs/build/assistants.md says how an assistant is told of it.
"""


class Command(OperatorCommand):
    help = HELP
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        if find_spec("mcp") is None:
            raise CommandError(
                "Tools for assistants need packages of their own: "
                "pip install -r requirements-mcp.txt -c constraints.txt",
                returncode=REFUSED,
            )
        address, token = os.environ.get("BRICKSTOW", ""), os.environ.get("BRICKSTOW_TOKEN", "")
        if not address.startswith(("http://", "https://")):
            raise CommandError(
                "Set BRICKSTOW to the server's address, such as https://bricks.example.",
                returncode=REFUSED,
            )
        if not token:
            raise CommandError(
                "Set BRICKSTOW_TOKEN to a token of Settings, Programs.", returncode=REFUSED
            )
        # What it imports stands in requirements-mcp.txt alone.
        from apps.core.assistants.providers import Calls
        from apps.core.assistants.tools import server_of

        server_of(Calls(address, token)).run()
