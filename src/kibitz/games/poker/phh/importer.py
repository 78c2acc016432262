"""Hands in PHH read as records: replayed by Kibitz's rules, and compared with everything that the file states.

A hand that isn't possible by these rules is refused, with a sentence that says where.

gained      by seat, the chips won from pots
returned    by seat, the uncalled chips that came back
winnings    a field of the file; it may mean ``gained``, ``gained`` plus ``returned``, or the net gain of the hand
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from decimal import Decimal, InvalidOperation
from random import Random
from typing import Any

from kibitz.cards import short_repr
from kibitz.engine.layout import PlainState
from kibitz.engine.player_names import clean_name
from kibitz.engine.record import Record
from kibitz.engine.registry import game as find_game
from kibitz.engine.views.events import SPECTATOR, Event, to_seat
from kibitz.errors import NotationError, RecordError
from kibitz.games.poker import rules
from kibitz.games.poker.betting import FIXED_LIMIT, to_call
from kibitz.games.poker.phh.tokens import (
    LIMITS,
    MONEY,
    action_of,
    amount,
    cards_in,
    chips_of,
    describe_value,
    money,
    parse_cards,
    scale_of,
    unknown_note,
)
from kibitz.games.poker.rules import ANTES, CALL, RAISE, SEATS
from kibitz.games.poker.view import HandEnded, NextStreet, UncalledBetReturned, Won
from kibitz.games.poker.words import stacked_options

# The file's statements about the end


class ReplayedHand:
    """What the events of a replayed hand have shown so far, to compare with the file."""

    def __init__(self, stacks: Sequence[int], scale: int) -> None:
        n = len(stacks)
        self.stacks, self.scale = list(stacks), scale
        self.board: list[int] = []
        self.gained, self.returned = [0] * n, [0] * n
        self.final_stacks = list(stacks)

    def process(self, event: Event) -> None:
        """Note what an event shows."""
        match event:
            case NextStreet(cards):
                self.board += cards
            case UncalledBetReturned(who, amount):
                self.returned[who] += amount
            case Won(_, winners, shares):
                for who, share in zip(winners, shares, strict=True):
                    self.gained[who] += share
            case HandEnded(_, chips):
                self.final_stacks = list(chips)

    def check_board(self, board: Sequence[int | None], where: str) -> None:
        """Check that the board so far agrees with the file."""
        if list(board) == self.board:
            return
        if len(board) > len(self.board):
            raise RecordError(f"{where}under the rules the next board cards haven't been dealt yet.")
        raise RecordError(
            f"{where}under the rules the board has {len(self.board)} cards at this point, but the file has dealt"
            f" {len(board)}."
        )

    def check_end(self, fields: dict[str, Any]) -> None:
        """Check that the hand ends as the file says, if it does."""
        if "finishing_stacks" in fields:
            self.compare(fields["finishing_stacks"], [self.final_stacks], "ends with the stacks", self.final_stacks)
        if "winnings" in fields:
            seats = range(len(self.final_stacks))
            gross = [self.gained[p] + self.returned[p] for p in seats]
            net = [max(0, self.final_stacks[p] - self.stacks[p]) for p in seats]
            self.compare(fields["winnings"], [self.gained, gross, net], "says that the players win", self.gained)

    def compare(self, stated: list[Any], allowed: Sequence[list[int]], what: str, computed: list[int]) -> None:
        """Check that a stated list is among ``allowed``; otherwise the error shows ``computed``."""
        if [chips_of(value, self.scale) for value in stated] not in allowed:
            stated_text = ", ".join(str(value) for value in stated)
            computed_text = ", ".join(str(money(chips, self.scale)) for chips in computed)
            raise RecordError(f"the file {what} [{stated_text}], but under the rules it should be [{computed_text}].")


# Reading


RAISES = 5
"""The maximum number of bets and raises in a fixed-limit round of PHH: four besides the blind."""
BETS = {"NT": ("min_bet",), "FT": ("small_bet", "big_bet")}
REQUIRED = ("variant", "actions", "antes", "blinds_or_straddles", "starting_stacks")
KINDS: dict[str, tuple[Any, type, str]] = {
    **dict.fromkeys(MONEY, (list, object, "a list of amounts, such as [1, 2]")),
    **dict.fromkeys(("min_bet", "small_bet", "big_bet"), (int | Decimal, object, "an amount, such as 2")),
    "variant": (str, object, "a string, such as 'NT'"),
    "ante_trimming_status": (bool, object, "true or false"),
    "actions": (list, str, "a list of strings, such as ['p1 cc']"),
    "players": (list, str, "a list of strings, such as ['Ann', 'Bob']"),
}
"""For each field, its type, the type of its items, and a description; amounts are checked one by one later."""


def import_hand(text: str, number: int | None = None) -> tuple[Record, list[str]]:
    """One hand of a PHH text as a record, and the players whose cards are unknown.

    Raises RecordError if it isn't possible.

    ``number`` (from 1) chooses one of several hands.
    """
    return record_of_fields(choose_hand(hands_of(text), number))


def import_hands(text: str) -> Iterator[tuple[str, Record | RecordError]]:
    """Every hand of a PHH or PHHS text: its name in the text, and its record, or the error that prevents one."""
    for name, fields in hands_of(text).items():
        try:
            yield name, record_of_fields(fields)[0]
        except RecordError as error:
            yield name, error


def record_of_fields(fields: dict[str, Any]) -> tuple[Record, list[str]]:
    """The hand with these fields as a record, and the players whose cards are unknown."""
    try:
        return HandReader(fields).record()
    except NotationError as error:
        raise RecordError(f"this PHH can't be read: {error}") from error


def hands_of(text: str) -> dict[str, dict[str, Any]]:
    """The fields of the hands in a text, by the names of their TOML tables; a single hand without one is called 1."""
    try:
        document = tomllib.loads(text, parse_float=Decimal)
    except (ValueError, RecursionError, InvalidOperation) as error:
        raise RecordError(f"this is not a PHH file, which is TOML: {error}.") from error
    hands = (
        {"1": document}
        if "variant" in document
        else {name: hand for name, hand in document.items() if type(hand) is dict}
    )
    if not hands:
        raise RecordError("no hand found: a hand of PHH names its variant, such as variant = 'NT'.")
    return hands


def choose_hand(hands: dict[str, dict[str, Any]], number: int | None) -> dict[str, Any]:
    """The fields of one hand."""
    if number is None and len(hands) > 1:
        raise RecordError(
            f"there are {len(hands)} hands here: choose one, --hand 1 to --hand {len(hands)},"
            " or name a folder for all of them with -o."
        )
    number = 1 if number is None else number
    if not 1 <= number <= len(hands):
        raise RecordError(f"there is no hand {number}: there are {len(hands)}.")
    return list(hands.values())[number - 1]


def check_kinds(fields: dict[str, Any]) -> None:
    """Raise RecordError unless every field that is read has its type."""
    for name, (kind, item_type, description) in KINDS.items():
        value = fields.get(name)
        if name in fields and not (
            isinstance(value, kind) and (kind is not list or all(isinstance(item, item_type) for item in value))
        ):
            raise RecordError(f"{name} must be {description}, not {describe_value(value)}.")


def why_no_straddle(posts: dict[int, int], big: int) -> str:
    """Why the posts of players besides the blinds aren't possible: Kibitz's rules have only one straddle, by p3."""
    if any(post <= big for post in posts.values()):
        return "these rules don't have dead or late blinds"
    if len(posts) > 1:
        return "these rules have only one straddle"
    if 2 not in posts:
        return "these rules let only p3, to the left of the big blind, straddle"
    return "under these rules a straddle is twice the big blind"


class HandReader:
    """Reads one hand from its fields. Raises RecordError if it isn't possible."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self.fields = fields
        check_kinds(fields)
        variant = fields.get("variant", "NT")
        if variant not in LIMITS:
            raise RecordError(
                f"only hands of hold'em can be read (variants NT and FT); this hand's variant is {short_repr(variant)}."
            )
        for name in (*REQUIRED, *BETS[variant]):
            if name not in fields:
                raise RecordError(f"the field '{name}' is missing.")
        if not fields["actions"]:
            raise RecordError("actions is empty: a hand begins with cards, such as 'd dh p1 AsKs'.")
        self.moves = [move for action in fields["actions"] if (move := action.partition("#")[0].split())]
        for number, move in enumerate(self.moves, start=1):
            if len(move) < 2 or (move[0] == "d" and len(move) != {"dh": 4, "db": 3}.get(move[1])):
                raise RecordError(f"action {number}, {' '.join(move)[:40]!r}: this isn't an action of hold'em.")
        self.scale = scale_of(self.amounts())
        self.stacks = self.all_chips("starting_stacks")
        self.n = len(self.stacks)
        self.players = [f"p{p + 1}" for p in range(self.n)]
        if not 2 <= self.n <= SEATS:
            raise RecordError(f"starting_stacks names {self.n} stacks, and hold'em has 2 to {SEATS} players.")
        for player, stack in zip(self.players, self.stacks, strict=True):
            if not stack:
                raise RecordError(f"{player} has a starting stack of 0: everybody who plays a hand has chips.")

    def amounts(self) -> Iterator[Decimal]:
        """Every amount that the hand names."""
        for name in MONEY:
            value = self.fields.get(name, [])
            if not isinstance(value, list):
                yield amount(value, name)
            else:
                yield from (amount(each, f"every amount of {name}") for each in value)
        for move in self.moves:
            if move[1] == "cbr" and len(move) == 3:
                yield amount(move[2], "a bet")

    def chips(self, name: str) -> int:
        """A field that is an amount, in chips."""
        return chips_of(self.fields[name], self.scale)

    def all_chips(self, name: str) -> list[int]:
        """A field that is a list of amounts, in chips."""
        return [chips_of(value, self.scale) for value in self.fields[name]]

    def record(self) -> tuple[Record, list[str]]:
        """The hand as a record, and the players whose cards are unknown."""
        states_end = "finishing_stacks" in self.fields or "winnings" in self.fields
        facts = {name: value for name, value in self.fields.items() if name != "actions"}
        bets = [
            move for move in self.moves if move[0] != "d"
        ]  # the seed doesn't depend on how the file writes the deal
        random = Random(repr((facts, bets)))
        cards = cards_in(self.players, self.moves, random, states_winner=states_end)
        mucks = sum(1 << self.players.index(player) for player in cards.mucks)
        game = find_game("holdem").with_options(**self.options(), mucks=mucks, **stacked_options(cards.pack))
        s, actions, replay = game.deal(0), list[int](), ReplayedHand(self.stacks, self.scale)
        board: list[int | None] = []
        for event in to_seat(game.opening(s), SPECTATOR):
            replay.process(event)
        for number, move in enumerate(self.moves, start=1):
            where = f"action {number}, {' '.join(move)[:40]!r}: "
            if move[:2] == ["d", "db"]:
                board += parse_cards(move[2])
                if board != replay.board[: len(board)]:
                    self.check_not_over(s, where)
                    replay.check_board(board, where)
            idle_check = move[1] == "cc" and s.over  # with nobody left to bet against, Kibitz has no such action
            if move[0] != "d":
                self.seat(move[0])
            if move[0] == "d" or move[1] == "sm" or idle_check:
                continue
            replay.check_board(board, where)
            actions.append(self.action(s, move, where))
            for event in to_seat(game.play(s, actions[-1]), SPECTATOR):
                replay.process(event)
        if not s.over:
            raise RecordError("the hand ends too early.")
        replay.check_board(board, "")
        replay.check_end(self.fields)
        outcome = game.result(s, frozenset())
        notes = (unknown_note(cards.unknown),) if cards.unknown else ()
        return Record(game.name, rules.VERSION, self.names(), 0, tuple(actions), (), outcome, notes), cards.unknown

    def names(self) -> tuple[str, ...]:
        """The names of the players."""
        stated_names = self.fields.get("players", self.players)
        names = tuple(clean_name(str(name)) for name in stated_names)
        if len(names) != self.n:
            raise RecordError(f"{len(names)} players are named, but there are {self.n} stacks.")
        return names

    def options(self) -> dict[str, int]:
        """The options of the game."""
        fields, n = self.fields, self.n
        small, big, *others = (*self.all_chips("blinds_or_straddles"), 0, 0)
        straddles = {p: blind for p, blind in enumerate(others, start=2) if blind}
        if straddles not in ({}, {2: 2 * big}):
            posts = ", ".join(f"p{p + 1} {money(blind, self.scale)}" for p, blind in straddles.items())
            raise RecordError(f"besides the blinds there are {posts}: {why_no_straddle(straddles, big)}.")
        options = {f"stack{p}": chips for p, chips in enumerate(self.stacks)} | self.antes()
        options |= {"players": n, "hands": 1, "limit": LIMITS[fields["variant"]], "scale": self.scale}
        options |= {"small": small, "big": big, "straddle": len(straddles), "cap": RAISES, "reopen": 1}
        fixed = options["limit"] == FIXED_LIMIT
        if not (unit := self.chips("small_bet" if fixed else "min_bet")):
            raise RecordError(f"{'small_bet' if fixed else 'min_bet'} must be more than 0.")
        if fixed and self.chips("big_bet") != 2 * unit:
            raise RecordError("the big bet must be twice the small bet.")
        owed = zip(self.stacks[1:], self.all_chips("antes")[1:], (big, *others), strict=False)
        if n > 2 and unit < big and any(stack < ante + post for stack, ante, post in owed):
            unit = big  # a min_bet that lets others pay a short blind in full: see ``bet_text`` in ``exporter.py``
        return options | ({} if unit == big else {"bet_size": unit})

    def antes(self) -> dict[str, int]:
        """The options for the antes.  For two players PHH lists the blinds and antes in reverse order.

        Trimmed antes are bets, so the part of an ante that nobody else has matched goes back at once; other antes go to
        the pot and count towards no bet.
        """
        antes = self.all_chips("antes")
        if len(antes) != self.n:
            raise RecordError(f"{len(antes)} antes are named, but there are {self.n} stacks.")
        antes = antes[::-1] if self.n == 2 else antes
        dead = int(self.fields.get("ante_trimming_status", False) is not True and any(antes))
        if len(set(antes)) == 1:
            return {"ante": antes[0], "dead_antes": dead}
        if dead:
            return dict(zip(ANTES, antes, strict=False)) | {"dead_antes": dead}
        posted = [min(ante, stack) for ante, stack in zip(antes, self.stacks, strict=True)]
        matched = sorted(posted)[-2]
        return {name: min(ante, matched) for name, ante in zip(ANTES, antes, strict=False)}

    def seat(self, player: str) -> int:
        """The seat of ``p1``, ``p2`` ..."""
        if player not in self.players:
            raise RecordError(f"{player[:20]!r} is not a player: the players are p1 to p{self.n}.")
        return self.players.index(player)

    def check_not_over(self, s: PlainState, start: str) -> None:
        """Raise RecordError for an action after the end of the hand; ``start`` begins the message."""
        if s.over:
            raise RecordError(f"{start}the hand is over.")

    def action(self, s: PlainState, move: list[str], start: str) -> int:
        """A move as an action. Raises RecordError if it is not that player's turn, or illegal."""
        self.check_not_over(s, start)
        if self.seat(move[0]) != s.player:
            raise RecordError(f"{start}it is p{s.player + 1}'s turn.")
        action = action_of(move[1:], self.scale)
        if action is None:
            raise RecordError(f"{start}this isn't an action of hold'em.")
        if action == RAISE + s.bet[s.player] + min(to_call(s, s.player), s.chips[s.player]) > RAISE + max(s.bet):
            action = CALL  # a full call of a blind that is all-in for less
        if sentence := find_game("holdem").with_options(players=s.players).why_not(s, action):
            raise RecordError(start + sentence[0].lower() + sentence[1:])
        return action
