"""Who may call: sellers and their four secrets, and how often each has called today."""

import datetime as dt
import hashlib
import hmac
import threading
from collections import Counter, deque
from dataclasses import dataclass, field

from simulators.store.orders import Orders
from simulators.store.stock import Journal, Stock
from simulators.store.wire import Refusal

# Secrets follow from the seller's name, so that they outlive a restart without a file.
_SEED = b"the demo store of Brickstow"
DAILY_CALLS = 5_000
NONCES_KEPT = 20_000


def _derived(what: str, name: str) -> str:
    return hmac.new(_SEED, f"{what} {name}".encode(), hashlib.sha256).hexdigest()[:32].upper()


@dataclass(frozen=True, slots=True)
class SellerSecrets:
    """The four that a seller's registration page shows."""

    consumer_key: str
    consumer_secret: str
    token: str
    token_secret: str


def secrets_of(name: str) -> SellerSecrets:
    """Return the four secrets of the seller `name`: always the same."""
    return SellerSecrets(*(_derived(what, name) for what in ("ck", "cs", "tk", "ts")))


@dataclass(slots=True)
class Seller:
    """One seller's account and the contents of their store."""

    name: str
    secrets: SellerSecrets
    nonces: deque[str] = field(default_factory=lambda: deque(maxlen=NONCES_KEPT))
    calls: Counter[dt.date] = field(default_factory=Counter)
    stock: Stock = field(default_factory=Stock)
    orders: Orders = field(default_factory=Orders)


class Sellers:
    """All sellers, by consumer key. Safe for many threads."""

    def __init__(self, *, daily_calls: int = DAILY_CALLS, journal: Journal | None = None) -> None:
        self.daily_calls = daily_calls
        self.refused = 0  # calls beyond the day's number
        self.journal = journal or Journal()
        self._by_key: dict[str, Seller] = {}
        self._lock = threading.Lock()
        for change in self.journal.read():
            made = self._made(change["seller"])
            made.stock.load(change)
            made.orders.load(change)

    def register(self, name: str) -> Seller:
        """Return the seller `name`, made on the first call; without lots, too, it stays one."""
        with self._lock:
            if secrets_of(name).consumer_key not in self._by_key:
                self.journal.add(seller=name)
            return self._made(name)

    def _made(self, name: str) -> Seller:
        secrets = secrets_of(name)
        return self._by_key.setdefault(
            secrets.consumer_key,
            Seller(
                name,
                secrets,
                stock=Stock(name, self.journal),
                orders=Orders(name, self.journal),
            ),
        )

    def of_key(self, consumer_key: str) -> Seller:
        """Return who has this consumer key. Raises Refusal."""
        with self._lock:
            found = self._by_key.get(consumer_key)
        if found is None:
            raise Refusal(401, "CONSUMER_KEY_UNKNOWN")
        return found

    def use_nonce(self, seller: Seller, nonce: str) -> None:
        """Take a nonce once. Raises Refusal the second time."""
        with self._lock:
            if nonce in seller.nonces:
                raise Refusal(401, "NONCE_USED")
            seller.nonces.append(nonce)

    def count_call(self, seller: Seller, day: dt.date) -> None:
        """Count a call of the day. Raises Refusal beyond the day's number."""
        with self._lock:
            if seller.calls[day] >= self.daily_calls:
                self.refused += 1
                raise Refusal(429, "API calls exceeded")
            seller.calls[day] += 1

    def begin_day(self) -> None:
        """Reset the daily call counts of all sellers."""
        with self._lock:
            for seller in self._by_key.values():
                seller.calls.clear()

    def called(self, day: dt.date) -> dict[str, int]:
        """Return how often each seller has called on a day."""
        with self._lock:
            return {seller.name: seller.calls[day] for seller in self._by_key.values()}
