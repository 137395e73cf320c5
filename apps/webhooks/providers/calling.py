"""One call to an address that a person gave: checked, bounded, and followed nowhere else."""

import contextlib
import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

SECONDS: Final = 10


class NotCalled(Exception):
    """The address was not called, or gave no answer. The text says why."""


def call(address: str, *, body: bytes, headers: Mapping[str, str], to_private: bool) -> int:
    """Send a POST, and return the status of the answer. Follows no redirect. Raises NotCalled.

    The name is resolved once, and what it resolves to is checked and connected to: a name that
    moves to a private network meanwhile is not followed there.
    """
    parts = urlsplit(address)
    if parts.scheme != "https" and not (to_private and parts.scheme == "http"):
        raise NotCalled("the address does not begin with https://")
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        with contextlib.closing(_connect(host, port, to_private=to_private)) as plain:
            # Each read has its own time: together they have as much.
            end = threading.Timer(SECONDS, _shut, [plain])
            end.daemon = True
            end.start()
            try:
                return _exchange(plain, parts.scheme == "https", host, address, body, headers)
            finally:
                end.cancel()
    except (OSError, http.client.HTTPException, UnicodeError) as problem:
        raise NotCalled(f"no answer ({type(problem).__name__})") from problem


def _connect(host: str, port: int, *, to_private: bool) -> socket.socket:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [str(one[4][0]) for one in found]
    if not to_private and not all(map(_is_public, addresses)):
        raise NotCalled("the address leads into a private network")
    return socket.create_connection((addresses[0], port), timeout=SECONDS)


def _is_public(text: str) -> bool:
    address = ipaddress.ip_address(text.partition("%")[0])
    address = getattr(address, "ipv4_mapped", None) or address
    # 6to4, Teredo and NAT64 hide an IPv4 address inside.
    hides = isinstance(address, ipaddress.IPv6Address) and (
        address.sixtofour or address.teredo or address in ipaddress.ip_network("64:ff9b::/96")
    )
    return address.is_global and not address.is_multicast and not hides


def _exchange(
    plain: socket.socket,
    is_secure: bool,
    host: str,
    address: str,
    body: bytes,
    headers: Mapping[str, str],
) -> int:
    used = plain
    if is_secure:
        used = ssl.create_default_context().wrap_socket(plain, server_hostname=host)
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(host, parts.port)
    connection.sock = used
    with contextlib.closing(connection):
        path = parts._replace(scheme="", netloc="", fragment="").geturl() or "/"
        connection.request("POST", path, body, {**headers, "Host": parts.netloc.rpartition("@")[2]})
        return connection.getresponse().status  # its body, however long, is not read


def _shut(used: socket.socket) -> None:
    with contextlib.suppress(OSError):
        used.shutdown(socket.SHUT_RDWR)
