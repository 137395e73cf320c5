"""`python -m simulators.store`: the demo store on a loopback port."""

import argparse
import os
import signal
import sys
import threading

from simulators.serving import port_of
from simulators.store.failures import Mode, Plan
from simulators.store.server import PORT_OFFSET, StoreServer, journal_path


def main() -> int:
    """Serve until a signal stops it."""
    parser = argparse.ArgumentParser(prog="python -m simulators.store", description=main.__doc__)
    parser.add_argument("--port", type=int, default=port_of("MARKETPLACE_URL", offset=PORT_OFFSET))
    parser.add_argument("--daily-calls", type=int, default=5_000)
    parser.add_argument(
        "--fail",
        choices=[mode.value for mode in Mode],
        default=os.environ.get("STORE_FAILS"),
        help="fail every call like this (also STORE_FAILS)",
    )
    told = parser.parse_args()
    server = StoreServer(told.port, daily_calls=told.daily_calls, journal=journal_path())
    if told.fail:
        server.failures.add(Plan(Mode(told.fail), times=10**9))
    # `shutdown` waits for the loop, so it cannot be called from within it.
    stop = threading.Thread(target=server.shutdown)

    def end(*_: object) -> None:
        if not stop.is_alive():
            stop.start()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
    print(f"The demo store listens on {server.url}", flush=True)
    with server:
        server.serve_forever()
    return 0


if __name__ == "__main__":
    sys.exit(main())
