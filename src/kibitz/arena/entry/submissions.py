"""Submissions: the rules by which files become versions of players in a tournament.

    standard    the tournament of a game, named after it, such as ``huxxy``
    bonus       the tournament of a variant with "bonus" in its name, such as ``huxxy-bonus``, which is independent of
                ``huxxy``; or a tournament with a name, options and limits of its own, such as ``bonus``, which plays
                ``go:hand_size=8``
    player      the name under which versions are submitted; without an owner it owns itself
    owner       who owns a player: named by the roster, or by the ``owner`` of a submission
    cool-down   the ten minutes after a version's acceptance (not after a refusal), in which no other version may be
                submitted. If the player has an owner other than itself (it is on the roster, its owner has another
                name, or the owner has several players), the cool-down is the ten minutes after the owner's last
                submission under any name, accepted, refused or still being checked; a submission whose check was
                interrupted doesn't count

The latest accepted version plays.  Nobody is authenticated here: anybody who can write to the store can submit under
every name, so a server in front of it has to check who people are.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from kibitz.arena.entry.qualification import Report, qualify
from kibitz.arena.model import Kind, RosterEntry, Submission, Threshold, Tournament
from kibitz.arena.store import Store
from kibitz.cards import short_repr
from kibitz.engine.game import Game
from kibitz.engine.player_names import clean_name, look_alike, why_invalid_name
from kibitz.engine.registry import game as find_game
from kibitz.errors import KibitzError, NotationError, StoreError
from kibitz.players.built_in import BEST, strategies
from kibitz.players.files.sources import Sources
from kibitz.players.limits import STANDARD, Limits
from kibitz.players.specs import files_of

# Beginning a tournament: its name and its kind.


CUSTOM = re.compile(r"custom-\d+")


def kind_of(game: Game) -> Kind:
    """The kind of a game's tournament: "bonus" if that is a word of its name."""
    return "bonus" if "bonus" in game.name.partition(":")[0].split("-") else "standard"


def get_or_begin_tournament(
    store: Store,
    game: Game,
    *,
    name: str | None = None,
    seed: int | None = None,
    threshold: Threshold | None = None,
    limits: Limits | None = None,
) -> Tournament:
    """The tournament of a game, or an additional one called ``name``; it begins now if it doesn't exist yet.

    Raises StoreError (refused) for a seed, a threshold or limits if the tournament exists, and for a tournament of
    another game, and NotationError for an invalid name.
    """
    tournament_name = checked_tournament_name(name) if name is not None else game.name
    kind: Kind = "bonus" if name is not None else kind_of(game)
    try:
        tournament = store.tournament(tournament_name)
    except StoreError as error:
        if error.kind != "missing":
            raise
        try:
            return store.add_tournament(
                tournament_name, game.name, kind, seed=seed, threshold=threshold, limits=limits or STANDARD
            )
        except StoreError as lost_race:
            if lost_race.kind != "refused":
                raise
            tournament = store.tournament(tournament_name)
    if tournament.game != game.name:
        raise StoreError(
            "refused", f"{tournament_name} is already a tournament of {tournament.game}: choose another name."
        )
    if (seed, threshold, limits) != (None, None, None):
        raise StoreError(
            "refused", f"{tournament_name} has already begun: its seed, threshold and limits stay as they are."
        )
    return tournament


def checked_tournament_name(name: str) -> str:
    """The normal form of an additional tournament's name. Raises NotationError if it is invalid."""
    normal_name = unicodedata.normalize("NFC", name)
    if why := why_invalid_name(normal_name):
        raise NotationError(f"{short_repr(name)} isn't a valid tournament name: {why}")
    if CUSTOM.fullmatch(normal_name):
        raise NotationError(f"{short_repr(name)} is reserved for custom games: choose another name.")
    try:
        find_game(normal_name)
    except NotationError:
        return normal_name
    raise NotationError(f"{short_repr(name)} is a game: choose another name for a second tournament, such as 'bonus'.")


# Submissions.


COOL_DOWN = 600.0
"""The cool-down in seconds."""
BLANK = b" \t\r\n\f\xef\xbb\xbf"
INTERRUPTED = "The check was interrupted"

Qualify = Callable[[Game, str | Path, Sources, Limits], Report]


class SubmissionOutcome(msgspec.Struct, frozen=True):
    """The outcome of a submission: the version, and the findings of its qualification.

    ``note`` says what else its owner should know, such as that the same file has been refused before.
    """

    submission: Submission
    report: Report
    note: str = ""

    @property
    def accepted(self) -> bool:
        """Whether this version plays from now on."""
        return self.submission.state == "accepted"


class CheckPendingError(Exception):
    """The same file is still waiting for its check; the process that was to check it must have been killed."""

    def __init__(self, submission: Submission) -> None:
        super().__init__(submission)
        self.submission = submission


def submit(
    store: Store,
    game: Game,
    path: str | Path,
    name: str,
    *,
    owner: str | None = None,
    account: str | None = None,
    tournament: Tournament | None = None,
    content: bytes | Sources | None = None,
    arrived_at: float | None = None,
    qualify_with: Qualify = qualify,
) -> SubmissionOutcome:
    """Submit a file, folder or archive as the next version of player ``name``, check it, and accept or refuse it.

    ``content`` is the file's bytes or all files of the player, if they have already been read; ``account`` is the id of
    the server's account that submits it; ``arrived_at`` is when the file arrived, if it had to wait since then;
    ``qualify_with`` is the function that checks it; the default ``tournament`` is the game's. Raises NotationError for
    an invalid name or file, and StoreError (refused) during the cool-down, for a file that is already playing, for
    another owner's player, after the deadline, and once the tournament is frozen.
    """
    try:
        name, sources = normal_form(game, path, name, content)
        tournament = tournament or get_or_begin_tournament(store, game)
        versions = [submission for submission in store.submissions(tournament.name) if submission.player == name]
        if not versions:
            check_no_lookalike(store, tournament, name)
        owner = owner_of(name, versions, store.roster(), owner)
        entered = enter(store, tournament, name, owner, sources, account, arrived_at)
    except KibitzError as error:
        if tournament is not None and (content is not None or os.path.exists(path)):
            keep_refusal(store, tournament, name, owner, str(path), error)
        raise
    try:
        report = qualify_with(game, path, sources, tournament.limits)
    except BaseException as error:
        why = str(error) or "it was stopped"
        store.record_check(entered.id, passed=False, reason=interruption_reason(why), report="")
        raise
    settled = store.record_check(entered.id, passed=report.passed, reason=report.reason, report=report.to_json())
    return SubmissionOutcome(settled, report, repeat_note(versions, sources.sha256))


def keep_refusal(
    store: Store, tournament: Tournament, name: str, owner: str | None, path: str, error: KibitzError
) -> None:
    """Store a refusal with the file's name and the reason, for its owner to read; does nothing if the store failed.

    An invalid name is replaced by a similar valid one. The owner doesn't see the file's path on this machine.
    """
    if isinstance(error, StoreError) and error.kind != "refused":
        return
    player = clean_name(name)
    by_roster = next((person.owner for person in store.roster() if person.player == player), None)
    file_owner = by_roster or clean_name(owner or player)
    file = os.path.basename(path.rstrip("/")) or path
    store.refuse(tournament.name, player, file_owner, file, str(error).replace(path, file))


def enter(
    store: Store,
    tournament: Tournament,
    name: str,
    owner: str,
    sources: Sources,
    account: str | None = None,
    arrived_at: float | None = None,
) -> Submission:
    """Enter a new version of a player, which waits for its check.

    Raises StoreError (refused) if it may not be submitted now.

    If the same file is already waiting for its check, that version is returned.
    """
    excluded = frozenset(disqualification.submission for disqualification in store.disqualifications(tournament.name))
    withdrawn_at = last_withdrawn(store, tournament.name, name)

    def check_now(versions: Sequence[Submission], of_owner: Sequence[Submission], now: float) -> None:
        check_may_submit(versions, now, sources.sha256, OwnerHistory(excluded, withdrawn_at, tuple(of_owner)))

    try:
        file = sources.packed_name(name)
        arguments = tournament.name, name, owner, file, sources.packed
        return store.submit(*arguments, account=account, check=check_now, arrived_at=arrived_at)
    except CheckPendingError as again:
        return again.submission


def last_withdrawn(store: Store, tournament: str, player: str) -> int:
    """The id of the submission that was a player's newest when it last withdrew; 0 if it never did."""
    return max(
        (withdrawal.submission for withdrawal in store.withdrawals(tournament) if withdrawal.player == player),
        default=0,
    )


def withdrawn_players(store: Store, tournament: str) -> frozenset[str]:
    """The players that were withdrawn from a tournament and have not submitted again."""
    withdrawn = {withdrawal.player: withdrawal.submission for withdrawal in store.withdrawals(tournament)}
    newest = {submission.player: submission.id for submission in store.submissions(tournament)} if withdrawn else {}
    return frozenset(player for player, submission in withdrawn.items() if newest[player] <= submission)


def owner_of(name: str, versions: Sequence[Submission], roster: Sequence[RosterEntry], requested: str | None) -> str:
    """The owner of a player's next version: ``requested``, if it isn't None.

    Otherwise it is the owner of the last version, or without a version the owner on the roster, or else the player
    itself. Raises StoreError (refused) if the roster names another owner than ``requested``.
    """
    by_roster = next((person.owner for person in roster if person.player == name), None)
    if requested is not None and by_roster not in (None, requested):
        raise StoreError("refused", f"{name} belongs to {by_roster} on the roster, not to {requested}.")
    if requested is not None:
        return by_roster or checked_owner(requested)
    return versions[-1].owner if versions else by_roster or name


def repeat_note(versions: Sequence[Submission], digest: str) -> str:
    """A note that the same file was refused before; empty if it wasn't, or only because its check was interrupted."""
    refused = [
        version
        for version in versions
        if version.sha256 == digest and version.state == "refused" and not was_interrupted(version)
    ]
    return f"The same file was refused as version {refused[-1].version}." if refused else ""


def normal_form(game: Game, path: str | Path, name: str, content: bytes | Sources | None = None) -> tuple[str, Sources]:
    """A player's name in its normal form, and its files. Raises NotationError if the name or a file is invalid."""
    name = checked_name(game, name)
    sources = files_of(game, path, content)
    if not sources.files[0][1].strip(BLANK):
        raise NotationError(f"{str(path)!r} is empty: it should define the functions of {game.title}.")
    return name, sources


def interruption_reason(why: str) -> str:
    """The reason that is stored for a submission whose check was interrupted."""
    return f"{INTERRUPTED}: {why.rstrip('.')}."


class OwnerHistory(msgspec.Struct, frozen=True):
    """What decides, besides a player's own versions, whether it may submit another file.

    ``excluded`` are the excluded submissions. ``withdrawn_at`` is the player's newest submission when it withdrew, 0 if
    it never did: versions up to it don't play. ``submissions`` are the owner's submissions under all names, if the
    player has an owner other than itself.
    """

    excluded: frozenset[int] = frozenset()
    withdrawn_at: int = 0
    submissions: tuple[Submission, ...] = ()


NO_HISTORY = OwnerHistory()


def check_may_submit(
    versions: Sequence[Submission], now: float, digest: str, history: OwnerHistory = NO_HISTORY
) -> None:
    """Raise StoreError (refused) for a version that may not be submitted now; called in the transaction that enters it.

    Raises CheckPendingError if the same file is already waiting for its check.
    """
    for version in versions:
        if version.state == "waiting" and version.sha256 == digest:
            raise CheckPendingError(version)
    if sentence := refusal_sentence(versions, now, digest, history):
        raise StoreError("refused", sentence)


def refusal_sentence(
    versions: Sequence[Submission], now: float, digest: str, history: OwnerHistory = NO_HISTORY
) -> str | None:
    """Why a player's next version, a file with this SHA-256, may not be submitted ``now``; None if it may.

    The cool-down is over when ten full minutes have passed since the last acceptance; if the player has an owner other
    than itself, since the owner's last submission that was accepted, refused or is being checked. Setting the clock
    back doesn't shorten the wait.
    """
    accepted = [version for version in versions if version.state == "accepted"]
    if accepted and accepted[-1].sha256 == digest and accepted[-1].id > history.withdrawn_at:
        state = "is excluded" if accepted[-1].id in history.excluded else "is playing"
        return f"This file is already version {accepted[-1].version}, which {state}; nothing has changed."
    for version in versions:
        wait = version.submitted_at + COOL_DOWN - now
        if version.state == "waiting" and wait > 0:
            return f"Version {version.version} is still being checked: wait for its result, or {duration(wait)}."
    if (wait := cool_down_left(accepted, now)) > 0:
        return f"You can submit a new version 10 minutes after the last accepted one: wait another {duration(wait)}."
    of_owner = [submission for submission in history.submissions if not was_interrupted(submission)]
    if (wait := cool_down_left(of_owner, now)) > 0:
        last = max(of_owner, key=last_time)
        last_version = f"version {last.version} of {last.player}, {last.state}"
        after = f"10 minutes after your last one ({last_version})"
        return f"You can submit a new file {after}: wait another {duration(wait)}."
    return None


def cool_down_left(submissions: Sequence[Submission], now: float) -> float:
    """How many seconds the next submission must wait after these submissions; 0 or less if it needn't wait."""
    return max((last_time(submission) for submission in submissions), default=now - COOL_DOWN) + COOL_DOWN - now


def was_interrupted(submission: Submission) -> bool:
    """Whether a submission's check was interrupted, so that nothing is known about its file."""
    return submission.state == "refused" and submission.reason.startswith(INTERRUPTED)


def last_time(submission: Submission) -> float:
    """When a version was submitted or settled; the later of the two, in case the clock was set back in between."""
    return max(submission.submitted_at, submission.settled_at or submission.submitted_at)


def duration(seconds: float) -> str:
    """A time to wait, rounded up to whole seconds.

    >>> duration(0.2), duration(599.5), duration(7200)
    ('1 s', '10 min', '120 min')
    """
    whole = max(1, -int(-seconds // 1))
    minutes, rest = divmod(whole, 60)
    return " ".join([f"{minutes} min"] * bool(minutes) + [f"{rest} s"] * bool(rest))  # a part that is 0 is left out


def checked_name(game: Game, name: str) -> str:
    """The normal form of a player's name. Raises NotationError if it is invalid.

    ``@`` isn't allowed, because ``NAME@2`` means version 2 of a player.
    """
    normal_name = unicodedata.normalize("NFC", name)
    if why := why_invalid_name(normal_name):
        raise NotationError(f"{short_repr(name)} isn't a valid player name: {why}")
    if "@" in normal_name:
        raise NotationError(
            f"{short_repr(name)} isn't a valid player name: what follows an @ is the version of a player."
        )
    for known in {**strategies(game), BEST: None}:
        if normal_name.lower() == known:
            raise NotationError(f"{short_repr(normal_name)} is the name of a built-in player: choose another.")
        if look_alike(normal_name, known):
            raise NotationError(
                f"{short_repr(normal_name)} looks too much like the built-in player {known!r}: choose another."
            )
    return normal_name


def checked_owner(owner: str) -> str:
    """The normal form of an owner's name. Raises NotationError if it is invalid."""
    normal_name = unicodedata.normalize("NFC", owner)
    if why := why_invalid_name(normal_name):
        raise NotationError(f"{short_repr(owner)} isn't a valid owner name: {why}")
    return normal_name


def check_no_lookalike(store: Store, tournament: Tournament, name: str) -> None:
    """Raise NotationError if people would confuse a new name with another player's."""
    for known in {submission.player for submission in store.submissions(tournament.name)}:
        if known != name and look_alike(known, name):
            new_name, known_name = (
                # Escapes tell apart letters that look the same.
                short_repr(text) if text.isascii() else f"{short_repr(text)} ({ascii(text)[1:-1]})"
                for text in (name, known)
            )
            raise NotationError(
                f"{new_name} looks too much like {known_name}, who is already playing: "
                "submit this file alone, with another --name."
            )
