"""Guests, accounts, sessions and tokens."""

from __future__ import annotations

import secrets
import time
from functools import cache
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from kibitz.arena.schedule import FILLER_OWNER
from kibitz.engine.player_names import clean_name, look_alike, typed_name, why_invalid_name
from kibitz.errors import NotationError
from kibitz.remote.messages import PlayerName
from kibitz.web.access import WEEK_SECONDS, CookieData, Identity
from kibitz.web.api.finished_games import title_of
from kibitz.web.api.operation import JSON, Call, Router, address, with_cookie
from kibitz.web.live_tables.connection import Person
from kibitz.web.problems import ApiError, missing
from kibitz.web.ratings import table_ratings
from kibitz.web.store import people, tables

if TYPE_CHECKING:
    from argon2 import PasswordHasher

    from kibitz.web.app_state import AppState

router = Router()

MIN_PASSWORD_LENGTH, MAX_TOKENS, SESSION_SECONDS, TOKEN_SECONDS = 10, 20, 8 * WEEK_SECONDS, 52 * WEEK_SECONDS
MAX_RATED_GAMES = 10_000
"""The maximum number of games from which ratings are computed; older games are left out."""
INVITE = "sign up by the link that your lecturer sends you for it, or choose another name."
Password = Annotated[str, Meta(min_length=1, max_length=200)]


class Me(msgspec.Struct, frozen=True):
    """The caller; ``csrf`` is the code that unsafe requests by cookie must send in the header X-Kibitz-CSRF."""

    id: str
    name: str
    guest: bool
    roles: tuple[str, ...]
    csrf: str


class NewName(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new name for a guest."""

    name: PlayerName


class Credentials(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A name and its password; ``welcome`` is the code of the lecturer's one-time link, or of an invitation."""

    name: PlayerName
    password: Password
    welcome: Annotated[str, Meta(max_length=100)] = ""


class TokenRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The purpose of a token."""

    label: Annotated[str, Meta(min_length=1, max_length=80)]


class NewToken(msgspec.Struct, frozen=True):
    """A token, shown only once."""

    token: str
    id: str


class ShownToken(msgspec.Struct, frozen=True):
    """A token without its secret."""

    id: str
    label: str
    made_at: float
    ends_at: float


class Tokens(msgspec.Struct, frozen=True):
    """All tokens of the caller."""

    tokens: tuple[ShownToken, ...]


@cache
def password_hasher() -> PasswordHasher:
    """Makes and checks hashes of passwords (argon2id, with the library's parameters)."""
    from argon2 import PasswordHasher

    return PasswordHasher()


def me_of(identity: Identity) -> Me:
    """Who the caller is."""
    person = identity.person
    return Me(person.id, person.name, person.guest, person.roles, identity.csrf)


@router.operation("GET", "/api/me")
async def get_me(call: Call) -> Me:
    """Who you are; sets the cookie of a guest."""
    return me_of(call.identity)


class ShownRating(msgspec.Struct, frozen=True):
    """A rating in a game, half of its 95 % interval, and the number of games that it comes from."""

    game: str
    title: str
    points: float
    margin: float
    games: int


class TableRatings(msgspec.Struct, frozen=True):
    """Somebody's ratings in the games that they have finished at tables here."""

    ratings: tuple[ShownRating, ...]


@router.operation("GET", "/api/me/ratings")
async def my_ratings(call: Call) -> TableRatings:
    """Your ratings among people and computer players, from games without hints or undo; 1500 is average."""
    results = await call.read(tables.rated_games, call.person.id, MAX_RATED_GAMES)
    ratings = await call.in_thread(table_ratings, results, call.person.id)
    return TableRatings(tuple(ShownRating(r.game, title_of(r.game), r.points, r.margin, r.games) for r in ratings))


async def check_name(call: Call, name: str | None) -> None:
    """Check the name that a caller wants (None for their present name).

    Raises NotationError if it is invalid. ApiError 409 if people would take it for the name of another account here, or
    of somebody on the season's roster.
    """
    wanted = typed_name(name) if name else clean_name(call.person.name)
    if not call.person.guest and look_alike(wanted, call.person.name):
        return
    account = await call.read(people.account_called, wanted)
    if account is not None and account.id != call.person.id:
        raise ApiError(409, f"The name {account.name} belongs to an account: sign in, or choose another name.")
    roster_names = await call.in_thread(call.season.roster_names)
    if (roster_name := roster_names.get(people.name_skeleton(wanted))) is not None:
        raise ApiError(409, f"{roster_name} is on the roster of the season here: {INVITE}")


@router.operation("PUT", "/api/me", returns=Me, json_body=NewName, refuses=(409,))
async def rename_guest(call: Call) -> object:
    """Rename a guest."""
    if not call.person.guest:
        raise ApiError(409, "An account's name can't be changed.")
    await check_name(call, call.body.name)
    return me_response(call, call.app_state.authenticator.guest(call.person.id, call.body.name))


def me_response(call: Call, identity: Identity) -> object:
    """The response with the caller's new identity, which also sets its cookie."""
    from starlette.responses import Response

    from kibitz.remote.messages import encoded

    return with_cookie(Response(encoded(me_of(identity)), media_type=JSON), identity, call.app_state, call.request)


@router.operation("POST", "/api/accounts", returns=Me, json_body=Credentials, rate="password", refuses=(409,))
async def sign_up(call: Call) -> object:
    """A new account, signed in at once."""
    credentials: Credentials = call.body
    if why := why_invalid_name(credentials.name):
        raise NotationError(f"Not a valid name: {why}")
    if look_alike(credentials.name, FILLER_OWNER):
        raise NotationError(f"The name {FILLER_OWNER} is reserved for built-in players: choose another name.")
    if len(credentials.password) < MIN_PASSWORD_LENGTH:
        raise NotationError(f"A password has {MIN_PASSWORD_LENGTH} characters or more; a few words make a good one.")
    is_invited = call.app_state.authenticator.is_invitation(credentials.welcome, credentials.name)
    is_taken = not is_invited and people.name_skeleton(credentials.name) in await call.in_thread(call.season.owners)
    password_hash = await call.app_state.hash_threads.run(password_hasher().hash, credentials.password)
    now, id, welcome = time.time(), f"p_{secrets.token_urlsafe(12)}", "" if is_invited else credentials.welcome

    def add(connection: people.Connection) -> people.Account:
        is_lecturer = bool(welcome) and people.drop_fact(connection, "welcome", people.digest(welcome))
        if welcome and not is_lecturer and people.account_of(connection, id) is None:
            raise ApiError(403, "This link has expired, or is for another name. Ask for a new one.")
        if is_taken and not is_lecturer and people.account_of(connection, id) is None:
            raise ApiError(403, f"{credentials.name} takes part in the season here: {INVITE}")
        roles = (people.STUDENT, *[people.LECTURER] * is_lecturer, *[people.INVITED] * is_invited)
        account = people.Account(id, credentials.name, password_hash, roles, now)
        people.add_account(connection, account)
        return account

    return await start_session(call, await call.write(add))


@router.operation("POST", "/api/session", returns=Me, json_body=Credentials, rate="password", refuses=(401,))
async def sign_in(call: Call) -> object:
    """Sign in."""
    credentials: Credentials = call.body
    skeleton = people.name_skeleton(credentials.name)
    call.app_state.rates.check("guess", f"{skeleton} from {address(call.request)}")
    call.app_state.rates.check("name", skeleton)
    account = await call.read(people.account_called, credentials.name)
    password_hash = account.password if account else ""
    is_right = await call.app_state.hash_threads.run(is_password, password_hash, credentials.password)
    if not is_right or account is None:
        raise ApiError(401, "Wrong name or password.")
    if call.app_state.authenticator.is_invitation(credentials.welcome, account.name):
        invited_account = account
        account = await call.write(people.add_role, invited_account, people.INVITED)
    return await start_session(call, account)


@cache
def dummy_hash() -> str:
    """The hash of a random password: it is checked for unknown names, so that they take as long as wrong passwords."""
    return password_hasher().hash(secrets.token_hex(16))


def is_password(password_hash: str, password: str) -> bool:
    """Whether a password matches a hash; no password matches the hash ""."""
    from argon2.exceptions import Argon2Error, InvalidHashError

    try:
        return password_hasher().verify(password_hash or dummy_hash(), password) and bool(password_hash)
    except (Argon2Error, InvalidHashError):
        return False


async def start_session(call: Call, account: people.Account) -> object:
    """Begin a session of an account's owner, who keeps the seats and games that they have had as a guest.

    Returns the response with the new identity.
    """
    secret, now = secrets.token_urlsafe(32), time.time()
    ends_at = now + SESSION_SECONDS
    await call.write(people.begin_session, secret, account.id, ends_at, now)
    authenticator = call.app_state.authenticator
    cookie = authenticator.cookie(CookieData(account.id, account.name, secret))
    person = Person(account.id, account.name, account.roles, guest=False)
    csrf, key = authenticator.csrf(account.id), people.digest(secret)
    identity = Identity(person, False, csrf, cookie, secret, key, ends_at)
    if call.person.guest:
        await call.app_state.lobby.hand_over(call.person.id, identity)
    return me_response(call, identity)


class LecturerLink(msgspec.Struct, frozen=True):
    """A link that makes one lecturer account, shown only once."""

    link: str


@router.operation("POST", "/api/lecturers", status=201, role="lecturer")
async def invite_lecturer(call: Call) -> LecturerLink:
    """A one-time link to create another lecturer account; an earlier unused link becomes invalid (lecturers)."""
    code = secrets.token_urlsafe(24)
    await call.write(store_welcome_code, code)
    url = call.request.url
    return LecturerLink(f"{url.scheme}://{url.netloc}{call.app_state.base}/welcome/{code}")


@router.operation("DELETE", "/api/session", returns=Me)
async def sign_out(call: Call) -> object:
    """Sign out."""
    if call.identity.session:
        await call.write(people.end_session, call.identity.session)
        call.app_state.lobby.expel(call.identity.key)
    return me_response(call, call.app_state.authenticator.guest())


@router.operation("POST", "/api/tokens", json_body=TokenRequest, status=201, rate="password", refuses=(409,))
async def create_token(call: Call) -> NewToken:
    """A new token for a program, shown only once."""
    secret, now = f"kbz_{secrets.token_urlsafe(32)}", time.time()
    token = people.Token(
        people.digest(secret), call.person.id, call.person.name, call.body.label, now, now + TOKEN_SECONDS
    )

    def add(connection: people.Connection) -> None:
        if len(people.tokens_of(connection, call.person.id)) >= MAX_TOKENS:
            raise ApiError(409, f"You already have {MAX_TOKENS} tokens: delete one first.")
        people.add_token(connection, token)

    await call.write(add)
    return NewToken(secret, token.digest[:16])


@router.operation("GET", "/api/tokens")
async def list_tokens(call: Call) -> Tokens:
    """Your tokens, without their secrets."""
    tokens = await call.read(people.tokens_of, call.person.id)
    return Tokens(tuple(ShownToken(t.digest[:16], t.label, t.made_at, t.ends_at) for t in tokens))


@router.operation("DELETE", "/api/tokens/{token}")
async def drop_token(call: Call) -> None:
    """Delete a token."""
    id = call.path["token"]

    def drop(connection: people.Connection) -> str:
        tokens = people.tokens_of(connection, call.person.id)
        digest = next((token.digest for token in tokens if token.digest[:16] == id), "")
        return digest if people.drop_token(connection, call.person.id, digest) else ""

    if not (digest := await call.write(drop)):
        raise missing("token")
    call.app_state.lobby.expel(digest)


async def welcome_code(app_state: AppState) -> str:
    """The code of the lecturer's one-time link, new with every start; empty once there is a lecturer."""
    code = secrets.token_urlsafe(24)

    def keep(connection: people.Connection) -> bool:
        if people.lecturers(connection):
            return False
        store_welcome_code(connection, code)
        return True

    return code if await app_state.server_store.write(keep) else ""


def store_welcome_code(connection: people.Connection, code: str) -> None:
    """Store the digest of the code that makes the next lecturer account, in place of an earlier one."""
    earlier_code = people.server_fact(connection, "welcome")
    if earlier_code is not None:
        people.drop_fact(connection, "welcome", earlier_code)
    people.add_fact(connection, "welcome", people.digest(code))
