"""Hands in PHH read as records.

The surprising rule: unknown cards are no obstacle where their player folds, since they change nothing and are never
shown; any cards take their place.  At a showdown they are refused: nobody could tell who has won.
"""

from __future__ import annotations

import tomllib
from typing import Any

from kibitz.cards import PACK
from kibitz.engine.layout import PlainState
from kibitz.engine.names import clean_name
from kibitz.engine.record import Record
from kibitz.engine.registry import game as find_game
from kibitz.errors import NotationError, RecordError
from kibitz.games.poker import rules
from kibitz.games.poker.betting import FIXED_LIMIT
from kibitz.games.poker.options import stacked_options
from kibitz.games.poker.phh.notation import LIMITS, action_of, parsed, whole

RAISES = 5
"""Bets and raises of a fixed-limit round in PHH: four besides the blind."""


def imported(text: str, number: int | None = None) -> tuple[Record, list[str]]:
    """One hand of a PHH text as a record, and the players whose cards are not known; RecordError says what is wrong.

    ``number`` (from 1) chooses among several hands.
    """
    fields = chosen(text, number)
    try:
        return Reader(fields).record()
    except (NotationError, KeyError, TypeError, AttributeError, IndexError) as error:
        missing = f"the field {error} is missing." if isinstance(error, KeyError) else str(error)
        raise RecordError(f"this PHH cannot be read: {missing}") from error


def chosen(text: str, number: int | None) -> dict[str, Any]:
    """The fields of one hand."""
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RecordError(f"this is no PHH, which is TOML: {error}.") from error
    hands = [found] if "variant" in found else [hand for hand in found.values() if isinstance(hand, dict)]
    if not hands:
        raise RecordError("this is no PHH: it names no variant.")
    if number is None and len(hands) > 1:
        raise RecordError(f"there are {len(hands)} hands here: choose one, --hand 1 to --hand {len(hands)}.")
    if not 1 <= (number or 1) <= len(hands):
        raise RecordError(f"there is no hand {number}: there are {len(hands)}.")
    return dict(hands[(number or 1) - 1])


class Reader:
    """Reads one hand."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self.fields = fields
        variant = fields["variant"]
        if variant not in LIMITS:
            raise RecordError(f"only hold'em can be read, NT and FT, and this hand is {str(variant)[:20]!r}.")
        self.stacks = [whole(chips) for chips in fields["starting_stacks"]]
        self.n = len(self.stacks)
        self.moves = [move for action in fields["actions"] if (move := str(action).partition("#")[0].split())]
        self.unknown: list[str] = []

    def record(self) -> tuple[Record, list[str]]:
        """The hand as a record."""
        played = find_game("holdem").with_options(**self.options(), **stacked_options(self.pack()))
        s, actions = played.deal(0), []
        for number, move in enumerate(self.moves, start=1):
            idle_check = move[1] == "cc" and s.over  # nobody was left to bet against, so here nobody was asked
            if move[0] == "d" or move[1] == "sm" or idle_check:
                continue
            actions.append(self.action(s, move, number))
            played.play(s, actions[-1])
        if not s.over:
            raise RecordError("the hand breaks off before it is over.")
        self.check_stacks(s)
        given = self.fields.get("players", [f"p{p + 1}" for p in range(self.n)])
        names = tuple(clean_name(str(name)) for name in given)
        outcome = played.result(s, frozenset())
        return Record(played.name, rules.VERSION, names, 0, tuple(actions), (), outcome), self.unknown

    def options(self) -> dict[str, int]:
        """The options of the game."""
        fields, n = self.fields, self.n
        antes = [whole(ante) for ante in fields["antes"]]
        blinds = [whole(blind) for blind in fields["blinds_or_straddles"]]
        small, big, *others = (*blinds, 0, 0)
        straddles = [blind for blind in others if blind]
        if len(set(antes)) > 1 or straddles not in ([], [2 * big]):
            raise RecordError("only equal antes, two blinds and one straddle of twice the big blind can be read.")
        found = {f"stack{p}": chips for p, chips in enumerate(self.stacks)}
        found |= {"players": n, "hands": 1, "limit": LIMITS[fields["variant"]], "ante": antes[0] if antes else 0}
        found |= {"small": small, "big": big, "straddle": len(straddles), "cap": RAISES}
        fixed = found["limit"] == FIXED_LIMIT
        unit = whole(fields["small_bet" if fixed else "min_bet"])
        if fixed and whole(fields["big_bet"]) != 2 * unit:
            raise RecordError("the big bet must be twice the small bet.")
        return found | {"bet_size": 0 if unit == big else unit}

    def pack(self) -> list[int]:
        """The cards in the order in which they are dealt here; players who fold may have any."""
        holes: dict[str, list[int | None]] = {f"p{p + 1}": [None, None] for p in range(self.n)}
        board: list[int | None] = []
        for move in self.moves:
            if move[:2] == ["d", "dh"]:
                holes[move[2]] = list(parsed(move[3]))
            elif move[:2] == ["d", "db"]:
                board += parsed(move[2])
            elif move[1] == "sm" and len(move) > 2 and None not in (shown := list(parsed(move[2]))):
                holes[move[0]] = shown
        if None in board:
            raise RecordError("a card of the board is unknown, so nobody can tell what happened.")
        known = [card for cards in (*holes.values(), board) for card in cards if card is not None]
        if len(set(known)) < len(known):
            raise RecordError("a card is dealt twice.")
        rest = iter(card for card in PACK if card not in known)
        self.unknown = [player for player, cards in holes.items() if None in cards]
        showdown = self.unknown and {*holes} - {move[0] for move in self.moves if move[1] == "f"}
        if showdown and len(showdown) > 1 and (lost := sorted(showdown & {*self.unknown})):
            raise RecordError(f"the cards of {lost[0]} at the showdown are unknown, so nobody can tell who has won.")
        dealt = [card for cards in holes.values() for card in cards] + board
        return [next(rest) if card is None else card for card in dealt]

    def seat(self, player: str) -> int:
        """The seat of ``p1``, ``p2`` ..."""
        found = int(player[1:]) - 1 if player[:1] == "p" and player[1:].isascii() and player[1:].isdigit() else -1
        if not 0 <= found < self.n:
            raise RecordError(f"{player[:20]!r} is no player: they are p1 to p{self.n}.")
        return found

    def action(self, s: PlainState, move: list[str], number: int) -> int:
        """A move as an action; RecordError if it is not that player's turn, or illegal."""
        said = " ".join(move)[:40]
        start = f"action {number}, {said!r}: "
        if s.over:
            raise RecordError(f"{start}the hand is over.")
        if self.seat(move[0]) != s.player:
            raise RecordError(f"{start}it is p{s.player + 1}'s turn.")
        action = action_of(move[1:])
        if action is None:
            raise RecordError(f"{start}this is no action of hold'em.")
        if sentence := find_game("holdem").with_options(players=s.players).why_not(s, action):
            raise RecordError(start + sentence[0].lower() + sentence[1:])
        return action

    def check_stacks(self, s: PlainState) -> None:
        """The hand ends as the file says, if it says so."""
        told = self.fields.get("finishing_stacks")
        ours = list(s.chips[: self.n])
        if told is not None and [whole(chips) for chips in told] != ours:
            raise RecordError(f"the file ends with the stacks {told}, and by the rules they are {ours}.")
