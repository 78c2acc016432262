"""``kibitz best cribbage``: what is best to lay away, by what the study of the game has found (``outlook``)."""

from __future__ import annotations

import json as as_json
import re
from collections.abc import Mapping
from math import ceil
from typing import TYPE_CHECKING

from kibitz.cards import code, parse_hand, shown, symbols
from kibitz.cli.screen import BOLD, DIM, Screen, put
from kibitz.engine.sentences import share_text
from kibitz.errors import NotationError

if TYPE_CHECKING:
    from kibitz.engine.game import Game
    from kibitz.games.cribbage.outlook import Choice

CARDS = 6
SCORE = re.compile(r"(\d{1,4})[-–:](\d{1,4})")
CRIBS = {"mine": "your crib", "theirs": "your opponent's crib"}


def asks(game: Game, told: Mapping[str, str]) -> bool:
    """Whether a question is about six cards to lay away, or about the score before they are dealt."""
    asked = {"hand_size", "discards", "target"} <= set(game.options) and game.options["hand_size"] == CARDS
    return asked and game.variant == "standard" and not {*told} - {"hand", "crib", "score"}


def discard_to_crib(game: Game, told: Mapping[str, str], screen: Screen, *, in_json: bool) -> None:
    """Rank every way to lay cards away, by the chance to win; without cards, tell that chance before the deal."""
    crib = told.get("crib", "")
    pegs = scores_of(told.get("score", "0-0"), game.options["target"])
    if crib not in CRIBS:
        there = f"not {shown(crib)}" if crib else "and nothing says so"
        raise NotationError(f"--crib must say whose crib it is, mine or theirs, {there}.")
    if not told.get("hand"):
        before_a_deal(game, pegs, crib, screen, in_json=in_json)
        return
    from kibitz.games.cribbage.outlook import choices

    cards = sorted(cards_of(told["hand"]))
    ranked = choices(cards, pegs, dealer=crib == "mine", target=game.options["target"])
    if in_json:
        asked = {"game": game.name, "hand": [code(card) for card in cards], "crib": crib, "score": pegs}
        put(as_json.dumps({**asked, "choices": [as_data(choice) for choice in ranked]}, indent=1))
        return
    screen.line(f"{symbols(cards)}, {CRIBS[crib]}, {pegs[0]} to {pegs[1]}", BOLD)
    for line in lines(ranked):
        screen.line(line)
    screen.line("chance: to win the game; points: hand, crib and play, less what the other player has of them.", DIM)
    screen.line("± spans 95 % intervals of what was found by playing; hands and starters are counted exactly.", DIM)


def scores_of(text: str, target: int) -> tuple[int, int]:
    """Both scores; NotationError unless both are below the target."""
    read = SCORE.fullmatch(text.replace(" ", ""))
    if not read:
        raise NotationError(f"--score must be your score and your opponent's, such as 110-115, not {shown(text)}.")
    pegs = int(read[1]), int(read[2])
    for points in pegs:
        if points >= target:
            raise NotationError(f"--score must have scores from 0 to {target - 1}: with {points} the game is over.")
    return pegs


def cards_of(text: str) -> list[int]:
    """The cards of a hand; NotationError unless they are six different ones."""
    cards = parse_hand(text.replace(",", " "))
    if any(card >= 52 for card in cards):
        raise NotationError("Cribbage is played without jokers.")
    if len(cards) != CARDS:
        raise NotationError(f"a hand of cribbage has {CARDS} cards before two are laid away, not {len(cards)}.")
    return cards


def before_a_deal(game: Game, pegs: tuple[int, int], crib: str, screen: Screen, *, in_json: bool) -> None:
    """Tell the chance to win before the cards are dealt."""
    from kibitz.games.cribbage.board import standing

    chance, margin = standing(*pegs, dealer=crib == "mine", target=game.options["target"])
    if in_json:
        told = {"game": game.name, "crib": crib, "score": pegs, "chance": chance, "chance_margin": margin}
        put(as_json.dumps(told, indent=1))
        return
    screen.line(f"{pegs[0]} to {pegs[1]} before a deal with {CRIBS[crib]}: you win {sure(chance, margin)}.")


def as_data(choice: Choice) -> dict[str, object]:
    """A choice for programs."""
    return {
        "lay": [code(card) for card in choice.laid],
        "keep": [code(card) for card in choice.kept],
        **{name: round(getattr(choice, name), 5) for name in choice.__struct_fields__[2:]},
    }


def lines(ranked: list[Choice]) -> list[str]:
    """The choices as a table."""
    head = ["#", "lay away", "keep", "chance", "points", "hand", "crib", "you peg", "they peg"]
    rows = [head]
    for number, choice in enumerate(ranked, 1):
        points = f"{choice.points:+.2f} ± {choice.points_margin:.2f}"
        rest = (f"{part:.2f}" for part in (choice.hand, choice.crib, choice.pegs, choice.against))
        chance = sure(choice.chance, choice.chance_margin)
        rows.append([str(number), symbols(choice.laid), symbols(choice.kept), chance, points, *rest])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]


def sure(chance: float, margin: float) -> str:
    """A chance with its error, which is never told smaller than it is.

    >>> sure(0.5, 0.0004), sure(0.002, 0.0061)
    ('50.0 % ± 0.1', '0.2 % (0–0.9 %)')
    """
    return share_text(chance, ceil(1000 * margin) / 1000)
