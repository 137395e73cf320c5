"""Names of devices and other facts about sessions, without the database."""

import hashlib
import re
from typing import Final

#: What the text of a program's token begins with.
TOKEN_PREFIX: Final = "bst_"
UNKNOWN_DEVICE = "Unknown device"
# In this order: most browsers also name the ones they are made to resemble.
BROWSERS = {
    "Edge": r"\bEdgA?/",
    "Opera": r"\bOPR/",
    "Samsung Internet": r"\bSamsungBrowser/",
    "Firefox": r"\b(Firefox|FxiOS)/",
    "Chrome": r"\b(Chrome|CriOS|HeadlessChrome)/",
    "Safari": r"\bSafari/",
}
SYSTEMS = {
    "iPhone": r"\biPhone\b",
    "iPad": r"\biPad\b",
    "Android": r"\bAndroid\b",
    "Windows": r"\bWindows\b",
    "macOS": r"\bMac OS X\b",
    "ChromeOS": r"\bCrOS\b",
    "Linux": r"\bLinux\b",
}


def device_name(user_agent: str) -> str:
    """Return browser and system in words, such as "Firefox on Linux"; no more is kept."""
    browser, system = _first(BROWSERS, user_agent), _first(SYSTEMS, user_agent)
    return " on ".join(part for part in (browser, system) if part) or UNKNOWN_DEVICE


def _first(patterns: dict[str, str], text: str) -> str:
    return next((name for name, pattern in patterns.items() if re.search(pattern, text)), "")


def password_mark(hashed: str) -> str:
    """Return what a session keeps of the hashed password that it began with; it is in no token."""
    return hashlib.sha256(hashed.encode()).hexdigest()


# Line breaks of Unicode too, and marks that turn the direction of what follows.
NOT_IN_A_LINE: Final = (
    r"\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff"
)
_NOT_IN_A_LINE = re.compile(f"[{NOT_IN_A_LINE}]+")
# "St.John" and "J. R." are names; "evil.example", "EVIL.COM", "Evil.Com" and "a@b" are addresses.
ADDRESS: Final = (
    r"[A-Za-z0-9-]\.([a-z]{2,}|[A-Z]{2,})|[A-Za-z0-9-]{3}\.[A-Za-z]{2,}|@|://|\b[wW]{3}\."
)
_ADDRESS = re.compile(ADDRESS)


def why_not_a_name(text: str) -> str:
    """Return why a person cannot be called so, '' when they can: it is shown to others."""
    if _NOT_IN_A_LINE.search(text):
        return "Use one line of text."
    if _ADDRESS.search(text):
        return "Use a name without addresses and links."
    return ""


def plain_name(text: str) -> str:
    """Return `text` without what `why_not_a_name` refuses."""
    words = _NOT_IN_A_LINE.sub(" ", text).split()
    return " ".join(word for word in words if not _ADDRESS.search(word))
