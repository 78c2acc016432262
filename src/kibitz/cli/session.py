"""A game with a person in it, who may take decisions back.

memory      by seat, the answers that an opponent has given so far, failures included

After an undo the match is played anew from the same seed up to the decision before.  Opponents do not think again:
they give the answers that are remembered, so the game is the same even if they are not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from kibitz.cli.outcomes import out
from kibitz.cli.person import Decision, Escape, Person, Undo
from kibitz.cli.screen import BOLD, DIM, Screen
from kibitz.engine.events import Event, Outcome, View
from kibitz.engine.forfeits import Forfeit
from kibitz.engine.game import Game
from kibitz.table import Match, Player, play_match

Maker = Callable[[], Player]


class Recalled:
    """An opponent whose answers are kept, and given again when the match is played anew."""

    def __init__(self, player: Player, name: str, memory: list[int | Exception], screen: Screen) -> None:
        self.player, self.name, self.memory, self.screen = player, name, memory, screen
        self.given = 0

    def start(self, game: Game, seat: int, seed: int) -> None:
        """Pass it on."""
        self.player.start(game, seat, seed)

    def observe(self, event: Event) -> None:
        """Pass it on."""
        self.player.observe(event)

    def act(self, view: View, legal: list[int]) -> int:
        """The answer remembered, or else a new one."""
        if self.given == len(self.memory):
            self.memory.append(self.ask(view, legal))
        self.given += 1
        answer = self.memory[self.given - 1]
        if isinstance(answer, Exception):
            raise answer
        return answer

    def ask(self, view: View, legal: list[int]) -> int | Exception:
        """What the player answers, or how it fails."""
        try:
            with self.screen.waiting(f"{self.name} is thinking ..."):
                return self.player.act(view, legal)
        except Exception as error:
            return error

    def end(self, outcome: Outcome | None) -> str:
        """Pass it on."""
        return self.player.end(outcome)


def play_with_person(
    game: Game, makers: Mapping[int, Maker], names: Sequence[str], seat: int, seed: int, screen: Screen
) -> Match:
    """Play one game to its end; ``makers`` by seat make the opponents.  Raises what the person leaves with."""
    decisions: list[Decision] = []
    memories: list[list[int | Exception]] = [[] for _ in names]
    told = 0
    out_already: list[Forfeit] = []

    def tell_forfeit(forfeit: Forfeit) -> None:
        if forfeit not in out_already:
            out_already.append(forfeit)
            screen.line(out(forfeit, names), BOLD)

    while True:
        players: list[Player] = [
            Person(screen, names[seat], names, decisions, told)
            if p == seat
            else Recalled(makers[p](), names[p], memories[p], screen)
            for p in range(len(names))
        ]
        try:
            return play_match(game, players, seed, on_forfeit=tell_forfeit)
        except Escape as escape:
            raise escape.error from None
        except Undo:
            taken = decisions.pop()
            told = taken.told
            screen.line(f"You take back: {game.words.label(taken.view, taken.action)}.", DIM)
