"""What can be told of a person's devices without asking the database."""

import re

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
