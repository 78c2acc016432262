"""Entering the players of a tournament all at once: no trial, no limit on how often.

A tournament that has begun is entered again with the very same players, seed, goal, threshold and limits, or not at
all; one whose entering was broken off is completed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import msgspec

from kibitz.arena.filling import HOUSE
from kibitz.arena.model import Goal, Submission, Threshold, Tournament
from kibitz.arena.store import Store
from kibitz.engine.game import Game
from kibitz.errors import NotationError, StoreError
from kibitz.players.limits import STANDARD, Limits
from kibitz.players.specs import PlayerSpec
from kibitz.table.player import clean_name, distinct

EMPTY = b"\n"
"""Stands for a player's file of no bytes, since a submission without any is a built-in player."""
LONGEST = 255


class Entrance(msgspec.Struct, frozen=True):
    """All that a tournament is made of.

    ``specs`` end with the player that fills seats, unless it plays anyway (``filler_plays``); ``absent`` are players
    who cannot be played, with the sentence that says why.
    """

    game: Game
    specs: list[PlayerSpec]
    filler_plays: bool
    absent: tuple[tuple[str, str], ...]
    seed: int | None
    goal: Goal
    threshold: Threshold

    @property
    def limits(self) -> Limits:
        """What the player files may use up; NotationError if that is not the same for all."""
        found = {spec.limits for spec in self.specs if spec.is_file}
        if len(found) > 1:
            raise NotationError("the player files of a tournament have the same limits, all of them.")
        return found.pop() if found else STANDARD


class Entered(msgspec.Struct, frozen=True):
    """A player as a submission has it; ``why`` it cannot be played, or nothing."""

    player: str
    owner: str
    file: str
    content: bytes
    why: str = ""

    def is_the(self, known: Submission) -> bool:
        """Whether this is what the store knows."""
        from kibitz.arena.store.entering import digest

        return (self.player, self.file, digest(self.content)) == (known.player, known.file, known.sha256)


def entered(store: Store, asked: Entrance) -> Tournament:
    """The tournament with all its players, begun now or before; StoreError (refused) if the store has another."""
    name = asked.game.name
    found = next((one for one in store.tournaments() if one.name == name), None)
    if found is None:
        found = store.add_tournament(
            name,
            name,
            "custom",
            seed=asked.seed,
            threshold=asked.threshold,
            limits=asked.limits,
            goal=asked.goal,
        )
    check_same(store, found, asked)
    wanted, there = list(players_of(asked)), store.submissions(name)
    complete = len(there) == len(wanted) or (found.phase == "open" and len(there) < len(wanted))
    if not complete or not all(one.is_the(known) for one, known in zip(wanted, there, strict=False)):
        raise another(store, name, "its players are others")
    if found.phase == "open":
        for one in wanted[len(there) :]:
            store.submit(name, one.player, one.owner, one.file, one.content)
        for one, known in zip(wanted, store.submissions(name), strict=True):
            if known.state == "waiting":
                store.settle(known.id, passed=not one.why, reason=one.why, report="")
        found = store.enter_phase(name, "frozen")
    return found


def players_of(asked: Entrance) -> Iterator[Entered]:
    """Everybody with a name of their own, in the order in which they are entered."""
    given = [clean_name(name) for name in (*(spec.name for spec in asked.specs), *(name for name, _ in asked.absent))]
    names = distinct(given)
    last = len(asked.specs) - 1
    for number, (name, spec) in enumerate(zip(names, asked.specs, strict=False)):
        if spec.built_in:
            fills = number == last and not asked.filler_plays
            yield Entered(name, HOUSE if fills else name, spec.built_in, b"")
        elif spec.network:
            yield Entered(name, name, os.path.basename(spec.words)[-LONGEST:], spec.network)
        else:
            sources = spec.sources
            yield Entered(name, name, sources.packed_name(name)[-LONGEST:], sources.packed or EMPTY)
    for name, (_, why) in zip(names[last + 1 :], asked.absent, strict=True):
        yield Entered(name, name, name, b"", why)


def check_same(store: Store, found: Tournament, asked: Entrance) -> None:
    """StoreError (refused) unless the tournament of the store is the one that is asked for."""
    if found.goal is None:
        raise StoreError(
            "refused", f"{store.where} holds a season of {found.name}; keep a tournament in a store of its own."
        )
    if asked.seed is not None and asked.seed != store.seed(found.name, "season"):
        raise another(store, found.name, "its seed is another")
    for what, one, other in (
        (
            "it has other numbers of deals or another interval",
            found.goal,
            msgspec.structs.replace(asked.goal, filled=found.goal.filled),
        ),
        ("players are out by another rule", found.threshold, asked.threshold),
        ("its player files have other limits", found.limits, asked.limits),
    ):
        if one != other:
            raise another(store, found.name, what)


def another(store: Store, name: str, what: str) -> StoreError:
    """The refusal of a tournament that is not the one in the store."""
    return StoreError(
        "refused",
        f"{store.where} holds another tournament of {name}: {what}. Give the same words again to go on with it, or "
        "another store to begin anew.",
    )
