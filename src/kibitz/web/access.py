"""Who sends a request, and how many requests one sender may make.

cookie      ``{...}.signature``: a guest's id and name, or the secret of an account's session
csrf        a code that only this server's pages know; a request by cookie that changes something must send it
token       ``kbz_...``: lets a program act as the token's owner; the store has only its digest
rate        how many requests one sender may make at once, and how many per second after that
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import ipaddress
import secrets
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from math import inf
from typing import NamedTuple

import msgspec

from kibitz.engine.player_names import clean_name
from kibitz.web.live_tables.connection import Person
from kibitz.web.problems import ApiError
from kibitz.web.store import people
from kibitz.web.store.server_store import ServerStore

COOKIE, HEADER, GUEST = "kibitz", "x-kibitz-csrf", "Guest"
MAX_COOKIE_LENGTH = 1000
WEEK_SECONDS = 60 * 60 * 24 * 7.0


class CookieData(msgspec.Struct, frozen=True, omit_defaults=True):
    """The content of a cookie; ``session`` is the secret of an account's session, "" for a guest."""

    id: str
    name: str = GUEST
    session: str = ""


class Identity(msgspec.Struct, frozen=True):
    """Who sent a request, and how they proved it.

    csrf        the CSRF code of their pages; "" for a token
    new_cookie  the value of a new cookie to set, as for a new guest; or ""
    session     the secret of the session; "" for guests and tokens
    key         the digest of the session's secret or of the token, which is valid until ``ends_at``; "" for guests
    """

    person: Person
    by_token: bool
    csrf: str
    new_cookie: str = ""
    session: str = ""
    key: str = ""
    ends_at: float = inf


class Authenticator:
    """Identifies the sender of a request; ``key`` signs cookies, and is the same after a restart."""

    def __init__(self, server_store: ServerStore, key: str) -> None:
        self.server_store, self.key = server_store, key.encode()

    @classmethod
    async def open(cls, server_store: ServerStore) -> Authenticator:
        """The authenticator with the key in a store; a store without a key gets a new one."""
        new_key = secrets.token_hex(32)
        key = await server_store.write(people.add_fact, "key", new_key)
        return cls(server_store, key)

    def signature(self, text: str) -> str:
        """A signature of a text that only this server can make."""
        return hmac.new(self.key, text.encode(), hashlib.sha256).hexdigest()

    def cookie(self, data: CookieData) -> str:
        """A cookie's value."""
        text = base64.urlsafe_b64encode(msgspec.json.encode(data)).decode().rstrip("=")
        return f"{text}.{self.signature(text)}"

    def read(self, cookie: str) -> CookieData | None:
        """The content of a cookie; None unless this server made it."""
        text, _, signature = cookie.partition(".")
        if len(cookie) > MAX_COOKIE_LENGTH or not hmac.compare_digest(
            signature.encode(), self.signature(text).encode()
        ):
            return None
        try:
            return msgspec.json.decode(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), type=CookieData)
        except (msgspec.MsgspecError, ValueError):
            return None

    async def identify(self, cookies: Mapping[str, str], authorization: str) -> Identity:
        """The sender of a request; a new guest if unknown.  ApiError 401 for an invalid token."""
        if authorization:
            return await self.token_owner(authorization)
        data = self.read(cookies.get(COOKIE, ""))
        if data is not None and data.session:
            secret, now = data.session, time.time()
            signed_in = await self.server_store.read(people.account_in, secret, now)
            if signed_in is not None:
                account, ends_at = signed_in
                person = Person(account.id, account.name, account.roles, guest=False)
                return Identity(person, False, self.csrf(account.id), "", secret, people.digest(secret), ends_at)
            data = None
        if data is None:
            return self.guest()
        return Identity(Person(data.id, data.name), False, self.csrf(data.id))

    def guest(self, id: str = "", name: str = GUEST) -> Identity:
        """The identity of a guest, with the cookie to set; a new guest if ``id`` is ""."""
        data = CookieData(id or f"g_{secrets.token_urlsafe(12)}", clean_name(name))
        return Identity(Person(data.id, data.name), False, self.csrf(data.id), self.cookie(data))

    async def token_owner(self, authorization: str) -> Identity:
        """The identity of a token's owner, from the Authorization header; ApiError 401 for an invalid token."""
        kind, _, secret = authorization.partition(" ")
        if kind.lower() != "bearer" or not secret.strip():
            raise ApiError(401, "The header should be 'Authorization: Bearer kbz_...', with one of your tokens.")
        secret = secret.strip()
        token = await self.server_store.read(people.token_of, secret)
        if token is None:
            raise ApiError(401, "This token isn't valid: create a new one on your account page.")
        if token.ends_at < time.time():
            raise ApiError(401, "This token has expired: create a new one on your account page.")
        account = await self.server_store.read(people.account_of, token.person)
        person = Person(token.person, token.name)
        if account is not None:
            person = Person(account.id, account.name, account.roles, guest=False)
        return Identity(person, True, "", key=token.digest, ends_at=token.ends_at)

    def invitation(self, name: str) -> str:
        """The code that lets somebody sign up under a name that the season knows; lecturers hand it out."""
        return self.signature(f"invitation {people.name_skeleton(name)}")[:24]

    def is_invitation(self, code: str, name: str) -> bool:
        """Whether a code is the invitation for a name."""
        return hmac.compare_digest(code.encode(), self.invitation(name).encode())

    def csrf(self, id: str) -> str:
        """The CSRF code for the pages of the person with an id."""
        return self.signature(f"csrf {id}")[:32]

    def check_csrf(self, identity: Identity, csrf_code: str) -> None:
        """Raise ApiError 403 if a request by cookie doesn't have the CSRF code of the sender's pages."""
        if not identity.by_token and not hmac.compare_digest(csrf_code.encode(), identity.csrf.encode()):
            raise ApiError(403, "Send the code from GET /api/me in the header X-Kibitz-CSRF, or load the page again.")


# ---------------------------------------------------------------- rates

MAX_CLIENTS = 10_000


class Rate(NamedTuple):
    """``burst`` requests at once, then ``per_second``."""

    burst: float
    per_second: float


RATES = {
    "request": Rate(1000, 200),
    "message": Rate(80, 30),
    "table": Rate(150, 2),
    "password": Rate(100, 1),
    "guess": Rate(10, 0.1),
    "name": Rate(200, 1),
    "say": Rate(10, 0.5),
    "upload": Rate(60, 1),
}
"""The rate for each kind of request.

A hundred students may share one address, so only guesses at passwords are limited to a few: ``guess`` limits the
guesses at a name's password from one address, and ``name`` those from all addresses together. One address reaches its
own limit long before the common one, so a single attacker cannot lock anybody out.
"""
MAX_CONNECTIONS = 400
"""Connections to tables from one address: three for each student of a class, but fewer than a server can have."""
NETWORK = 64
"""The number of first bits of an IPv6 address that name a network, whose owner can use every address in it."""


def network(address: str) -> str:
    """The part of an address that its owner cannot change at will: all of IPv4, the network part of IPv6.

    >>> network("192.0.2.7"), network("::ffff:192.0.2.7"), network("2001:db8::1234")
    ('192.0.2.7', '192.0.2.7', '2001:db8::')
    """
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address or "nowhere"
    if isinstance(ip, ipaddress.IPv4Address):
        return str(ip)
    if ip.ipv4_mapped:
        return str(ip.ipv4_mapped)
    return str(ipaddress.ip_network((ip, NETWORK), strict=False).network_address)


class ConcurrencyLimit:
    """Limits how many connections each sender has at once."""

    def __init__(self, limit: int) -> None:
        self.limit, self.count = limit, Counter[str]()

    def check(self, sender: str) -> None:
        """Raise ApiError 429 if a sender has reached the limit."""
        if self.count[sender] >= self.limit:
            raise ApiError(429, f"There are {self.limit} connections from your address: close some.")

    @contextmanager
    def connection(self, sender: str) -> Iterator[None]:
        """Count one more connection while the block runs; ApiError 429 if that is too many."""
        self.check(sender)
        self.count[sender] += 1
        try:
            yield
        finally:
            self.count[sender] -= 1
            if not self.count[sender]:
                del self.count[sender]


class Rates:
    """Counts requests by kind and sender; for each kind, only the latest senders are remembered."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.allowances: dict[str, OrderedDict[str, tuple[float, float]]] = {kind: OrderedDict() for kind in RATES}
        """By kind and sender: how many requests were still allowed at the sender's latest request, and its time."""

    def admits(self, kind: str, sender: str) -> bool:
        """Whether one more request is allowed; if so, it is counted."""
        rate, now, allowances = RATES[kind], self.clock(), self.allowances[kind]
        allowed, then = allowances.pop(sender, (rate.burst, now))
        allowed = min(rate.burst, allowed + (now - then) * rate.per_second)
        allowances[sender] = (allowed - 1 if allowed >= 1 else allowed), now
        while len(allowances) > MAX_CLIENTS:
            allowances.popitem(last=False)
        return allowed >= 1

    def check(self, kind: str, sender: str) -> None:
        """Count a request; ApiError 429 if the sender makes requests of this kind too often."""
        if not self.admits(kind, sender):
            wait = max(1, round(1 / RATES[kind].per_second))
            raise ApiError(429, f"Too many requests: wait {wait} second{'s' * (wait > 1)} and try again.")
