"""A game with people in it, who may share a keyboard and take decisions back.

memory      by seat, the answers that an opponent has given so far, failures included

After an undo the match is played anew from the same seed up to the decision before.  Opponents do not think again:
they give the answers that are remembered, so the game is the same even if they are not.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from kibitz.cli.keyboard import Keyboard
from kibitz.cli.outcomes import out
from kibitz.cli.person import Escape, Memory, Person, Undo
from kibitz.cli.screen import DIM, Screen
from kibitz.engine.events import Event, Notice, Outcome, View
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


def play_with_people(
    game: Game,
    makers: Mapping[int, Maker],
    names: Sequence[str],
    people: Collection[int],
    seed: int,
    screen: Screen,
) -> Match:
    """Play one game to its end; ``people`` are the seats of persons, ``makers`` by seat make the other players.

    Raises what a person leaves with.
    """
    keyboard = Keyboard(screen, names, people)
    minds = {seat: Memory() for seat in people}
    memories: list[list[int | Exception]] = [[] for _ in names]
    out_already: list[Forfeit] = []

    def tell_forfeit(forfeit: Forfeit) -> None:
        if forfeit not in out_already:
            out_already.append(forfeit)
            keyboard.announce(out(forfeit, names))

    def watch(notices: list[Notice]) -> None:
        keyboard.overhear(game, notices)

    while True:
        players: list[Player] = [
            Person(keyboard, names[p], names, minds[p])
            if p in minds
            else Recalled(makers[p](), names[p], memories[p], screen)
            for p in range(len(names))
        ]
        try:
            match = play_match(game, players, seed, watch, tell_forfeit)
        except Escape as escape:
            raise escape.error from None
        except Undo as undo:
            taken = minds[undo.seat].decisions.pop()
            minds[undo.seat].told = taken.told
            screen.line(f"You take back: {game.words.label(taken.view, taken.action)}.", DIM)
        else:
            keyboard.close()
            return match
