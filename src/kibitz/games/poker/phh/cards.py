"""The cards that a PHH hand tells of: who was dealt which, what lay on the board, and who gave a hand up unseen.

    holes       by player, the cards dealt, however many at a time, None for those that are unknown
    mucks       the players who gave their hands up at the showdown: they win nothing, so any cards take their place

A player who folds may have any unknown cards as well, since they change nothing and are never shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kibitz.cards import PACK, symbol
from kibitz.errors import RecordError
from kibitz.games.poker.phh.notation import parsed

HOLE, BOARD = 2, 5


class Dealt(NamedTuple):
    """The cards of a hand, in the order in which they are dealt here, and what is special about them."""

    pack: list[int]
    unknown: list[str]
    mucks: list[str]


def dealt(players: Sequence[str], moves: Sequence[Sequence[str]], *, told: bool) -> Dealt:
    """The cards that some moves tell of; ``told`` says whether the file states who has won.

    RecordError where they cannot be those of a hand, or leave open who has won.
    """
    holes = hole_cards(players, moves)
    board = [card for move in moves if move[:2] == ["d", "db"] for card in parsed(move[2])]
    if None in board:
        raise RecordError("a card of the board is unknown, so nobody can tell what happened.")
    if len(board) > BOARD:
        raise RecordError(f"the board has {len(board)} cards, and in hold'em it has {BOARD} at most.")
    known = [card for cards in (*holes.values(), board) for card in cards if card is not None]
    for card in known:
        if known.count(card) > 1:
            raise RecordError(f"a card is dealt twice: {symbol(card)}.")
    unknown = [player for player, cards in holes.items() if None in cards]
    mucks = given_up(players, moves, unknown, told=told)
    rest = iter([card for card in PACK if card not in known])
    pack: list[int] = []
    for cards in holes.values():
        pack += sorted(next(rest) if card is None else card for card in cards)
    return Dealt([*pack, *(card for card in board if card is not None)], unknown, mucks)


def hole_cards(players: Sequence[str], moves: Sequence[Sequence[str]]) -> dict[str, list[int | None]]:
    """The hole cards of every player: those dealt, and in the place of unknown ones those shown."""
    holes: dict[str, list[int | None]] = {player: [] for player in players}
    for move in moves:
        if move[:2] == ["d", "dh"]:
            if move[2] not in holes:
                raise RecordError(f"{move[2][:20]!r} is no player: they are p1 to p{len(players)}.")
            holes[move[2]] += parsed(move[3])
    for player, cards in holes.items():
        if len(cards) != HOLE:
            have = {0: "no cards", 1: "1 card"}.get(len(cards), f"{len(cards)} cards")
            raise RecordError(f"{player} is dealt {have}, and in hold'em everybody has exactly {HOLE}.")
    for move in moves:
        if move[1] == "sm" and len(move) > 2 and move[2] != "-" and move[0] in holes:
            holes[move[0]] = shown(move[0], holes[move[0]], list(parsed(move[2])))
    return holes


def shown(player: str, dealt_cards: list[int | None], cards: list[int | None]) -> list[int | None]:
    """What a player holds who shows these cards."""
    if len(cards) != HOLE:
        raise RecordError(f"{player} shows {len(cards)} cards, and in hold'em everybody has exactly {HOLE}.")
    known = [card for card in dealt_cards if card is not None]
    told = [card for card in cards if card is not None]
    if (len(told) == HOLE and not set(known) <= set(told)) or (len(known) == HOLE and not set(told) <= set(known)):
        raise RecordError(f"{player} shows other cards than were dealt.")
    return cards if len(told) > len(known) else dealt_cards


def given_up(
    players: Sequence[str], moves: Sequence[Sequence[str]], unknown: Sequence[str], *, told: bool
) -> list[str]:
    """Who mucks at the showdown: who says so, and whose cards are unknown where the file states who has won."""
    folded = {move[0] for move in moves if move[1] == "f"}
    left = [player for player in players if player not in folded]
    if len(left) < 2:
        return []
    said = {move[0] for move in moves if move[1:] == ["sm"]}
    hidden = [player for player in left if player in unknown]
    for player in hidden:
        if player not in said and not told:
            raise RecordError(f"the cards of {player} at the showdown are unknown, so nobody can tell who has won.")
    mucks = [player for player in left if player in said or player in hidden]
    if len(mucks) == len(left):
        raise RecordError("nobody shows a hand at the showdown, so nobody can tell who has won.")
    return mucks
