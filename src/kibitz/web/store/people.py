"""Accounts, sessions and tokens in the database; every function runs in its caller's transaction.

Secrets are never stored: only the digests of sessions and tokens, and the hashes of passwords (argon2id).
"""

from __future__ import annotations

import hashlib
import unicodedata

import msgspec
from sqlalchemy import Connection as Connection
from sqlalchemy import delete, func, insert, select, update

from kibitz.database.schema import facts, people, sessions, tokens
from kibitz.engine.player_names import skeleton
from kibitz.errors import StoreError
from kibitz.web.store.tables import json_text

STUDENT, LECTURER, INVITED = "student", "lecturer", "invited"
"""An account's roles. An invited account was created or confirmed by a lecturer's link for its name."""


class Account(msgspec.Struct, frozen=True):
    """A person's account; ``password`` is the password's hash."""

    id: str
    name: str
    password: str
    roles: tuple[str, ...]
    made_at: float


class Token(msgspec.Struct, frozen=True):
    """An access token for a program, identified by the digest of its secret, which isn't stored."""

    digest: str
    person: str
    name: str
    label: str
    made_at: float
    ends_at: float


def digest(secret: str) -> str:
    """The stored digest of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def server_fact(connection: Connection, name: str) -> str | None:
    """A fact stored about this server, such as the key that signs cookies; None if it is unknown."""
    value = connection.scalar(select(facts.c.value).where(facts.c.name == name))
    return None if value is None else str(value)


def add_fact(connection: Connection, name: str, value: str) -> str:
    """Store a fact unless it is known already; returns the stored value."""
    if (stored := server_fact(connection, name)) is not None:
        return stored
    connection.execute(insert(facts).values(name=name, value=value))
    return value


def drop_fact(connection: Connection, name: str, value: str) -> bool:
    """Delete a fact if it has this value; returns whether it did."""
    return bool(connection.execute(delete(facts).where(facts.c.name == name, facts.c.value == value)).rowcount)


def add_account(connection: Connection, account: Account) -> None:
    """Add an account, unless it is there already.

    Raises StoreError (refused) if its name looks like another account's.
    """
    name_key = name_skeleton(account.name)
    existing = connection.execute(select(people.c.id, people.c.name).where(people.c.looks == name_key)).first()
    if existing is not None and existing.id == account.id:
        return
    if existing is not None:
        raise StoreError("refused", f"the name {existing.name} is taken: choose another.")
    connection.execute(
        insert(people).values(
            id=account.id,
            name=account.name,
            looks=name_key,
            password=account.password,
            roles=json_text(account.roles),
            made_at=account.made_at,
        )
    )


def add_role(connection: Connection, account: Account, role: str) -> Account:
    """Add a role to an account; returns the changed account."""
    if role in account.roles:
        return account
    changed = msgspec.structs.replace(account, roles=(*account.roles, role))
    connection.execute(update(people).where(people.c.id == account.id).values(roles=json_text(changed.roles)))
    return changed


def name_skeleton(name: str) -> str:
    """The skeleton of a name, in lower case: names that look alike have the same skeleton."""
    return skeleton(unicodedata.normalize("NFKC", name).casefold())[:400]


def account_called(connection: Connection, name: str) -> Account | None:
    """The account whose name is or looks like ``name``; None if there is none."""
    return account_where(connection, people.c.looks == name_skeleton(name))


def account_of(connection: Connection, id: str) -> Account | None:
    """The account with an id; None if there is none."""
    return account_where(connection, people.c.id == id)


def account_where(connection: Connection, condition: object) -> Account | None:
    """The account that matches a condition; None if there is none."""
    row = connection.execute(select(people).where(condition)).first()  # type: ignore[arg-type]
    if row is None:
        return None
    return Account(row.id, row.name, row.password, msgspec.json.decode(row.roles, type=tuple[str, ...]), row.made_at)


def lecturers(connection: Connection) -> int:
    """The number of lecturers' accounts."""
    count = select(func.count()).select_from(people).where(people.c.roles.contains(f'"{LECTURER}"'))
    return int(connection.scalar(count) or 0)


def invited_names(connection: Connection) -> set[str]:
    """The skeletons of the names of accounts whose invitation was used."""
    return set(connection.scalars(select(people.c.looks).where(people.c.roles.contains(f'"{INVITED}"'))))


def begin_session(connection: Connection, secret: str, person: str, ends_at: float, now: float) -> None:
    """Begin a session that ends at ``ends_at``, and delete expired sessions."""
    connection.execute(delete(sessions).where((sessions.c.ends_at < now) | (sessions.c.digest == digest(secret))))
    connection.execute(insert(sessions).values(digest=digest(secret), person=person, ends_at=ends_at))


def account_in(connection: Connection, secret: str, now: float) -> tuple[Account, float] | None:
    """The owner of a session and the time at which it ends; None if it has ended."""
    row = connection.execute(
        select(sessions).where(sessions.c.digest == digest(secret), sessions.c.ends_at >= now)
    ).first()
    account = None if row is None else account_of(connection, row.person)
    return None if row is None or account is None else (account, row.ends_at)


def end_session(connection: Connection, secret: str) -> None:
    """End a session."""
    connection.execute(delete(sessions).where(sessions.c.digest == digest(secret)))


def add_token(connection: Connection, token: Token) -> None:
    """Store a token, unless it is there already."""
    if connection.scalar(select(tokens.c.person).where(tokens.c.digest == token.digest)) is None:
        connection.execute(insert(tokens).values(msgspec.structs.asdict(token)))


def tokens_of(connection: Connection, person: str) -> list[Token]:
    """A person's tokens, the oldest first."""
    rows = connection.execute(select(tokens).where(tokens.c.person == person).order_by(tokens.c.made_at))
    return [Token(**row._mapping) for row in rows]


def token_of(connection: Connection, secret: str) -> Token | None:
    """The token with this secret, even if it has expired; None if there is none."""
    row = connection.execute(select(tokens).where(tokens.c.digest == digest(secret))).first()
    return None if row is None else Token(**row._mapping)


def drop_token(connection: Connection, person: str, digest: str) -> bool:
    """Delete one of a person's tokens; returns whether it existed."""
    return bool(connection.execute(delete(tokens).where(tokens.c.digest == digest, tokens.c.person == person)).rowcount)
