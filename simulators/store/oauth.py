"""OAuth 1.0 one-legged, HMAC-SHA1: checked by code that shares nothing with the client's library."""

import base64
import hashlib
import hmac
import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from simulators.store.wire import Refusal

MAX_SKEW_SECONDS = 300
_PAIR = re.compile(r'\s*([A-Za-z_]+)="([^"]*)"\s*')
REQUIRED = (
    "oauth_consumer_key",
    "oauth_token",
    "oauth_signature_method",
    "oauth_timestamp",
    "oauth_nonce",
    "oauth_signature",
)


@dataclass(frozen=True, slots=True)
class Signed:
    """The values of an Authorization header."""

    consumer_key: str
    token: str
    timestamp: int
    nonce: str
    signature: str
    parameters: tuple[tuple[str, str], ...]  # all but realm and signature


def read_header(header: str | None) -> Signed:
    """Read an Authorization header. Raises Refusal."""
    if not header or not header.startswith("OAuth "):
        raise Refusal(401, "OAuth parameters are missing")
    found: dict[str, str] = {}
    for part in header.removeprefix("OAuth ").split(","):
        match = _PAIR.fullmatch(part)
        if match is None:
            raise Refusal(401, "Malformed OAuth header")
        name, value = match.group(1), unquote(match.group(2))
        if name in found:
            raise Refusal(401, f"{name} is repeated")
        found[name] = value
    missing = [name for name in REQUIRED if not found.get(name)]
    if missing:
        raise Refusal(401, f"{missing[0]} is missing")
    if found["oauth_signature_method"] != "HMAC-SHA1":
        raise Refusal(401, "SIGNATURE_METHOD_REJECTED")
    if found.get("oauth_version", "1.0") != "1.0":
        raise Refusal(401, "VERSION_REJECTED")
    if not re.fullmatch(r"\d{1,12}", found["oauth_timestamp"]):
        raise Refusal(401, "oauth_timestamp is not a number")
    return Signed(
        consumer_key=found["oauth_consumer_key"],
        token=found["oauth_token"],
        timestamp=int(found["oauth_timestamp"]),
        nonce=found["oauth_nonce"],
        signature=found["oauth_signature"],
        parameters=tuple(
            (name, value)
            for name, value in found.items()
            if name not in {"realm", "oauth_signature"}
        ),
    )


def _quoted(text: str) -> str:
    return quote(text, safe="~")


def base_string(method: str, url: str, parameters: Iterable[tuple[str, str]]) -> str:
    """Return the text to sign: method, address without query, all parameters in order."""
    parts = urlsplit(url)
    default = {"http": ":80", "https": ":443"}[parts.scheme]
    host = parts.netloc.lower().removesuffix(default)
    pairs = [*parse_qsl(parts.query, keep_blank_values=True), *parameters]
    listed = "&".join(
        f"{name}={value}" for name, value in sorted((_quoted(n), _quoted(v)) for n, v in pairs)
    )
    address = f"{parts.scheme}://{host}{parts.path}"
    return "&".join(_quoted(part) for part in (method.upper(), address, listed))


def check(
    signed: Signed, *, method: str, url: str, consumer_secret: str, token_secret: str, now: float
) -> None:
    """Check age and signature. Raises Refusal."""
    if abs(now - signed.timestamp) > MAX_SKEW_SECONDS:
        raise Refusal(401, f"TIMESTAMP_REFUSED: {signed.timestamp} is expired")
    key = f"{_quoted(consumer_secret)}&{_quoted(token_secret)}".encode()
    text = base_string(method, url, signed.parameters).encode()
    wanted = base64.b64encode(hmac.new(key, text, hashlib.sha1).digest()).decode()
    if not hmac.compare_digest(wanted, signed.signature):
        raise Refusal(401, "SIGNATURE_INVALID: Invalid Signature")
