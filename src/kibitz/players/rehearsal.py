"""The games that a player file plays before it enters a tournament.

    copies      copies of the file in all seats, and by turns one copy against reference players
    references  built-in players of the game

Game ``n`` of a check is the same game wherever and whenever it is played, so a failure in it
can be seen again alone (``only``), with everything that the file had kept from earlier calls of that game.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence

import msgspec

from kibitz.cards import shown
from kibitz.engine.game import SEED_LIMIT, Game
from kibitz.engine.registry import said
from kibitz.errors import NotationError
from kibitz.players.built_in import StrategyPlayer, everywhere_alike, strategies
from kibitz.players.calls import call_text, command
from kibitz.players.file_player import MOST_HEARD, FilePlayer, Heard
from kibitz.players.findings import Finding, position
from kibitz.players.limits import limits_text
from kibitz.players.specs import PlayerSpec
from kibitz.table.match import Match, play_match
from kibitz.table.player import Player

ENOUGH = 3
"""After so many games that it has failed, or one that it has failed on time, a file need not play the others."""
SLOW = {"time", "idle"}
QUICK, SELDOM = ("random", "first"), 10
"""Built-in players that every game has and that take no time; the others are met once in so many games."""

Progress = Callable[[int, int], object]


class Plan(msgspec.Struct, frozen=True):
    """Which games a check plays.

    Game 0, 2, 4 ... is between copies of the file, game 1, 3, 5 ... between one copy and the reference players:
    built-in players by name; or, if there are none, all of the game in every tenth game and the quick ones in the
    others.  ``only`` plays that game alone, counted from 1.
    Once the copies have used ``cpu_seconds`` seconds of CPU time or slept them, the games that are left are left out.
    """

    games: int = 20
    seed: int = 0
    references: tuple[str, ...] = ()
    only: int | None = None
    cpu_seconds: float = 120.0


class Rehearsal:
    """All games of a plan; NotationError for a reference player that there is not.

    ``heard`` is what the copies of the file printed, by call, with the game and the seat.
    """

    def __init__(self, game: Game, path: str, plan: Plan) -> None:
        self.game, self.path, self.plan = game, path, plan
        self.heard: list[tuple[str, Heard]] = []
        self.known = strategies(game)
        self.references = plan.references or tuple(everywhere_alike(game))
        for name in self.references:
            if name not in self.known:
                there_are = ", ".join(self.known)
                raise NotationError(
                    f"{game.title} has no built-in player called {shown(name)}; there are: {there_are}."
                )

    def findings(self, spec: PlayerSpec, progress: Progress) -> Iterator[Finding]:
        """What comes of the games; each kind of failure is told once."""
        known: set[str] = set()
        lost, played, slowest, spent = 0, 0, 0.0, 0.0
        numbers = range(self.plan.games) if self.plan.only is None else [self.plan.only - 1]
        for number in numbers:
            if lost >= ENOUGH or known & SLOW or (played > 1 and spent > self.plan.cpu_seconds):
                break
            players = self.seating(spec, number)
            for player in players:
                if isinstance(player, FilePlayer):
                    player.heard = []
            match = play_match(self.game, players, (self.plan.seed + number) % SEED_LIMIT)
            for finding in self.failures(spec, match, players, number):
                if finding.kind not in known:
                    yield finding
                known.add(finding.kind)
            lost += bool(match.record.forfeits)
            copies = [player for player in players if isinstance(player, FilePlayer)]
            if "end" not in known and (after := next(filter(None, (player.after for player in copies)), None)):
                known.add("end")
                what = f"What the file does when it is told the result goes wrong in game {number + 1}"
                yield Finding(True, what, str(after), "end", detail=getattr(after, "detail", ""), warning=True)
            for seat, player in enumerate(players):
                if isinstance(player, FilePlayer):
                    where = f"game {number + 1}, seat {seat}"
                    self.heard += [(where, heard) for heard in (player.heard or ())]
            del self.heard[MOST_HEARD:]
            slowest = max([slowest, *(player.slowest for player in copies)])
            spent += sum(player.spent + player.idled for player in copies)
            played += 1
            progress(played, len(numbers))
        if not lost:
            yield Finding(True, self.all_played(played, len(numbers), slowest))

    def all_played(self, played: int, wanted: int, slowest: float) -> str:
        """What is said of games without a failure."""
        of = f" of {wanted}" if played < wanted else ""
        games = f"{played}{of} games are" if wanted != 1 else "1 game is"
        slow = ", the others were left out because the file is slow" if of else ""
        return f"{games} played to the end; the slowest call took {1000 * slowest:.1f} ms of CPU time{slow}"

    def seating(self, spec: PlayerSpec, number: int) -> list[Player]:
        """Who plays game ``number``: copies of the file in all seats, or one copy against reference players."""
        seats = range(self.game.seats)
        if number % 2 == 0:
            return [spec.make() for _ in seats]
        mine, others = number // 2 % self.game.seats, self.met(number // 2)
        names = [others[(number // 2 + seat) % len(others)] for seat in seats]
        return [spec.make() if seat == mine else StrategyPlayer(names[seat], self.known[names[seat]]) for seat in seats]

    def met(self, number: int) -> tuple[str, ...]:
        """The built-in players of the game with this number among those against them."""
        if self.plan.references or number % SELDOM == 0:
            return self.references
        return tuple(name for name in self.references if name in QUICK)

    def failures(self, spec: PlayerSpec, match: Match, players: Sequence[Player], number: int) -> Iterator[Finding]:
        """The failures of the file's copies in one game."""
        for forfeit in match.record.forfeits:
            player = players[forfeit.seat]
            if not isinstance(player, FilePlayer):
                continue
            asked = player.asked()
            answer = f"{asked}\nreturned {asked.returned}" if asked and forfeit.kind == "illegal" else ""
            where = f"game {number + 1} (seed {match.record.seed}), seat {forfeit.seat}, after {forfeit.moves} moves"
            yield Finding(
                False,
                f"Failure ({forfeit.kind}) in {where}",
                forfeit.sentence,
                forfeit.kind,
                self.play_again(spec, number),
                match.details[forfeit.seat] or answer,
                "\n".join(position(self.game, match.record, forfeit)) if asked else "",
                command(self.game.name, self.path, call_text(asked), spec.limits) if asked else "",
            )

    def play_again(self, spec: PlayerSpec, number: int) -> str:
        """A command line that plays one game of this check again."""
        words = ["kibitz", "check-player", said(self.game.name), self.path, "--only", str(number + 1)]
        words += ["--seed", str(self.plan.seed)] if self.plan.seed else []
        words += ["--against", ",".join(self.references)] if self.plan.references else []
        words += ["--limits", limited] if (limited := limits_text(spec.limits)) else []
        return shlex.join(words)
