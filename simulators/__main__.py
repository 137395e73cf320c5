"""Run every simulator that the app is set to use: `python -m simulators`."""

import signal
import sys
import threading
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules

import simulators
from simulators.serving import SimulatorServer


def servers() -> list[tuple[str, SimulatorServer]]:
    """Return the bound servers by name; one whose service is the real one is left out."""
    found = []
    for module in iter_modules(simulators.__path__):
        name = f"simulators.{module.name}.server"
        if module.ispkg and find_spec(name):
            server = import_module(name).make_server()
            if server is not None:
                found.append((module.name, server))
    return found


def main() -> int:
    running = servers()
    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    for name, server in running:
        threading.Thread(target=server.serve_forever, name=name, daemon=True).start()
    ended.wait()
    for _, server in running:
        server.shutdown()
    return 0


if __name__ == "__main__":
    sys.exit(main())
