"""Amounts of money, cards, actions and variants in PHH's notation, written and read.

    scale       how many chips make one unit of the file's currency: 1, 10, 100 ..., so that all amounts are whole chips

The scale of a hand is an option of its game, so that a record can write every amount as it was in the file.

    moves       the entries of the field ``actions``, each split into words: ``["p1", "cbr", "40"]``
    holes       by player, the cards dealt in one or more moves, None for each unknown card
    mucks       the players who gave up their hands at the showdown

Unknown cards of players who fold or muck are replaced by random ones, since they can't win and are never shown.  A note
in the record (``unknown_note``) says whose they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from random import Random
from typing import Any, NamedTuple

from kibitz.cards import PACK, parse, poker_code, short_repr, symbol
from kibitz.engine.record import AnyRecord
from kibitz.engine.sentences import listed
from kibitz.errors import RecordError
from kibitz.games.poker.betting import FIXED_LIMIT, NO_LIMIT
from kibitz.games.poker.rules import CALL, FOLD, MAX_AMOUNT, RAISE

# Amounts


MAX_DECIMALS = 6
"""The maximum number of decimal places of an amount."""
AMOUNT = re.compile(r"\d{1,18}(\.\d{1,18})?")
MONEY = (
    *("antes", "blinds_or_straddles", "min_bet", "small_bet", "big_bet"),
    *("starting_stacks", "finishing_stacks", "winnings"),
)
"""The fields that hold amounts, or lists of them."""


def amount(value: Any, what: str = "an amount") -> Decimal:
    """An amount as TOML or an action writes it. Raises RecordError, which calls it ``what``, if it isn't one."""
    if (isinstance(value, int) and not isinstance(value, bool)) or (isinstance(value, str) and AMOUNT.fullmatch(value)):
        value = Decimal(value)
    if isinstance(value, Decimal) and value.is_finite() and 0 <= value <= MAX_AMOUNT:
        return value.normalize()
    raise RecordError(f"{what} must be a number from 0 to {MAX_AMOUNT}, not {describe_value(value)}.")


def describe_value(value: Any) -> str:
    """A TOML value as an error message shows it."""
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "a table"
    return str(value)[:40] if isinstance(value, Decimal) else short_repr(value)


def scale_of(amounts: Iterable[Decimal]) -> int:
    """The least scale that makes all amounts whole chips.

    >>> scale_of([Decimal("12.5"), Decimal("0.25")])
    100
    """
    decimals = max((-int(value.as_tuple().exponent) for value in amounts), default=0)
    if decimals > MAX_DECIMALS:
        raise RecordError(f"an amount has {decimals} decimal places; at most {MAX_DECIMALS} can be read.")
    return int(10 ** max(decimals, 0))


def chips_of(value: Any, scale: int) -> int:
    """An amount in chips."""
    chips = int(amount(value) * scale)
    if chips > MAX_AMOUNT:
        raise RecordError(f"{value} is more than {MAX_AMOUNT} chips ({scale} chips make one unit).")
    return chips


def money(chips: int, scale: int) -> int | Decimal:
    """Chips as an amount of the file's currency, without trailing zeros.

    >>> money(1250, 100), money(1200, 100)
    (Decimal('12.5'), 12)
    """
    whole, rest = divmod(chips, scale)
    return (Decimal(chips) / scale).normalize() if rest else whole


# Actions and games


VARIANTS = {NO_LIMIT: "NT", FIXED_LIMIT: "FT"}
LIMITS = {variant: limit for limit, variant in VARIANTS.items()}


def codes(cards: Sequence[int]) -> str:
    """Cards as PHH writes them: ``AsTh``."""
    return "".join(poker_code(card)[0] + poker_code(card)[1].lower() for card in cards)


def parse_cards(cards: str) -> Iterator[int | None]:
    """Cards as PHH writes them; None for unknown ones."""
    if len(cards) % 2:
        raise RecordError(f"{cards[:20]!r} aren't cards: each is two characters, such as 'As', or '??'.")
    for i in range(0, len(cards), 2):
        text = cards[i : i + 2]
        yield None if text == "??" else parse(text)


def action_text(action: int, scale: int) -> str:
    """A betting action in PHH."""
    return "f" if action == FOLD else "cc" if action == CALL else f"cbr {money(action - RAISE, scale)}"


def action_of(words: Sequence[str], scale: int) -> int | None:
    """The betting action that the words of a move mean, without its player; None if they don't mean one."""
    match words:
        case ["f"]:
            return FOLD
        case ["cc"]:
            return CALL
        case ["cbr", amount]:
            return RAISE + chips_of(amount, scale)
    return None


# Cards


HOLE, BOARD = 2, 5


class HandCards(NamedTuple):
    """The cards of a hand in the order in which Kibitz deals them, the players with unknown cards, and who mucks."""

    pack: list[int]
    unknown: list[str]
    mucks: list[str]


UNKNOWN = "The file doesn't show the cards of "


def unknown_note(players: Sequence[str]) -> str:
    """The note of a record whose players ``p1``, ``p2`` ... have random cards instead of unknown ones."""
    return f"{UNKNOWN}{listed(players)}; random cards were filled in."


def unknown_seats(record: AnyRecord) -> frozenset[int]:
    """The seats whose cards were filled in at random, as a note of the record says."""
    notes = (note for note in record.notes if note.startswith(UNKNOWN))
    return frozenset(int(number) - 1 for note in notes for number in re.findall(r"\bp(\d+)", note))


def cards_in(
    players: Sequence[str], moves: Sequence[Sequence[str]], random: Random, *, states_winner: bool
) -> HandCards:
    """The cards in the moves of a hand; ``random`` draws the unknown ones.

    ``states_winner`` says whether the file states who has won. Raises RecordError if the cards aren't possible in a
    hand, or don't determine who has won.
    """
    holes = hole_cards(players, moves)
    board = [card for move in moves if move[:2] == ["d", "db"] for card in parse_cards(move[2])]
    if None in board:
        raise RecordError("a card of the board is unknown.")
    if len(board) > BOARD:
        raise RecordError(f"the board has {len(board)} cards, and in hold'em it has {BOARD} at most.")
    known = [card for cards in (*holes.values(), board) for card in cards if card is not None]
    for card in known:
        if known.count(card) > 1:
            raise RecordError(f"a card is dealt twice: {symbol(card)}.")
    unknown = [player for player, cards in holes.items() if None in cards]
    mucks = mucking_players(players, moves, unknown, states_winner=states_winner)
    rest = [card for card in PACK if card not in known]
    random.shuffle(rest)
    pack: list[int] = []
    for cards in holes.values():
        pack += sorted(rest.pop() if card is None else card for card in cards)
    return HandCards([*pack, *(card for card in board if card is not None)], unknown, mucks)


def hole_cards(players: Sequence[str], moves: Sequence[Sequence[str]]) -> dict[str, list[int | None]]:
    """The hole cards of every player: as dealt, or as shown later if they were unknown."""
    holes: dict[str, list[int | None]] = {player: [] for player in players}
    for move in moves:
        if move[:2] == ["d", "dh"]:
            if move[2] not in holes:
                raise RecordError(f"{move[2][:20]!r} is not a player: the players are p1 to p{len(players)}.")
            holes[move[2]] += parse_cards(move[3])
    for player, cards in holes.items():
        if len(cards) != HOLE:
            have = {0: "no cards", 1: "1 card"}.get(len(cards), f"{len(cards)} cards")
            raise RecordError(f"{player} is dealt {have}, and in hold'em everybody has exactly {HOLE}.")
    for move in moves:
        if move[1] == "sm" and len(move) > 2 and move[2] != "-" and move[0] in holes:
            holes[move[0]] = shown_hand(move[0], holes[move[0]], list(parse_cards(move[2])))
    return holes


def shown_hand(player: str, dealt_cards: list[int | None], cards: list[int | None]) -> list[int | None]:
    """The hole cards of a player who was dealt ``dealt_cards`` and shows ``cards``.

    Raises RecordError if they disagree.
    """
    if len(cards) != HOLE:
        raise RecordError(f"{player} shows {len(cards)} cards, and in hold'em everybody has exactly {HOLE}.")
    known = [card for card in dealt_cards if card is not None]
    shown = [card for card in cards if card is not None]
    if (len(shown) == HOLE and not set(known) <= set(shown)) or (len(known) == HOLE and not set(shown) <= set(known)):
        raise RecordError(f"{player} shows other cards than were dealt.")
    return cards if len(shown) > len(known) else dealt_cards


def mucking_players(
    players: Sequence[str], moves: Sequence[Sequence[str]], unknown: Sequence[str], *, states_winner: bool
) -> list[str]:
    """The players who muck at the showdown: by their own move, or, if the file states who won, with unknown cards."""
    folded = {move[0] for move in moves if move[1] == "f"}
    live = [player for player in players if player not in folded]
    if len(live) < 2:
        return []
    muck_moves = {move[0] for move in moves if move[1:] == ["sm"]}
    hidden = [player for player in live if player in unknown]
    for player in hidden:
        if player not in muck_moves and not states_winner:
            raise RecordError(f"the cards of {player} at the showdown are unknown, so the winner is unknown.")
    mucks = [player for player in live if player in muck_moves or player in hidden]
    if len(mucks) == len(live):
        raise RecordError("nobody shows a hand at the showdown, so the winner is unknown.")
    return mucks
