"""Records of hold'em written as PHH."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import msgspec

from kibitz.cards import cards_of
from kibitz.engine.game import Game, seed_words
from kibitz.engine.layout import PlainState
from kibitz.engine.record import Record
from kibitz.engine.registry import game as find_game
from kibitz.engine.views.events import SPECTATOR, Event, to_seat
from kibitz.errors import RecordError
from kibitz.games.poker import rules
from kibitz.games.poker.betting import BET, FIXED_LIMIT, ante_of, min_bet, to_call
from kibitz.games.poker.phh.tokens import VARIANTS, action_text, codes, money, unknown_seats
from kibitz.games.poker.rules import CALL, FOLD, RAISE
from kibitz.games.poker.view import Dealt, HandEnded, Mucked, NextStreet, Showed, action_notices, step_notices


class HandDraft(msgspec.Struct):
    """One hand as it is being written: its fields, its seats in PHH's order and its actions so far."""

    fields: dict[str, Any]
    seats: list[int]
    actions: list[str]
    scale: int = 1
    unknown: frozenset[int] = frozenset()
    """The seats whose cards were filled in at random, because the imported file didn't show them."""
    tabled: bool = False
    """Whether all players still in have shown their cards, since nobody could bet any more."""
    step: int = 0
    """The size of a full raise before the flop as PHH computes it: there, a blind that is all-in for less lowers the
    price."""

    def player(self, seat: int) -> str:
        """The name of a seat in PHH."""
        return f"p{self.seats.index(seat) + 1}"


def export_record(record: Record) -> str:
    """The hands of a record as PHH, or as PHHS if there are several.

    Raises RecordError if PHH doesn't have the game.
    """
    game = find_game(record.game)
    if game.rules is not rules or game.options["hole"] != 2 or game.options["limit"] not in VARIANTS:
        raise RecordError(f"PHH has no-limit and fixed-limit hold'em only, and this is {record.game}.")
    hands = [toml(hand.fields | {"actions": hand.actions}) for hand in hands_in(game, record)]
    if len(hands) == 1:
        return hands[0]
    return "\n".join(f"[{number}]\n{hand}" for number, hand in enumerate(hands, start=1))


def toml(fields: dict[str, Any]) -> str:
    """Fields as TOML."""
    return "".join(f"{name} = {toml_value(value)}\n" for name, value in fields.items())


def toml_value(value: Any) -> str:
    """A value as TOML: strings are written as in JSON, and lists of strings with a line for each."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Decimal):
        return f"{value:f}"
    if isinstance(value, list) and value and isinstance(value[0], str):
        return "[\n" + "".join(f"  {toml_value(item)},\n" for item in value) + "]"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    return msgspec.json.encode(value).decode()


def hands_in(game: Game, record: Record) -> list[HandDraft]:
    """The hands of a record, which is replayed step by step."""
    s, actions = game.blank(), iter(record.actions)
    rules.start(s, *seed_words(record.seed))
    hands, stacks = [hand_start(s, record, s.start)], list(s.start)
    while not s.over:
        if s.stage == BET:
            if (action := next(actions, None)) is None:
                break
            hands[-1].actions.append(f"{hands[-1].player(s.player)} {bet_text(hands[-1], s, action)}")
            notices = action_notices(s, action)
        else:
            notices = step_notices(s)
        for event in to_seat(notices, SPECTATOR):
            if isinstance(event, Dealt):
                hands.append(hand_start(s, record, stacks))
            else:
                write_event(hands[-1], event, s)
            if isinstance(event, HandEnded):
                stacks = list(event.chips)
    return hands


def bet_text(hand: HandDraft, s: PlainState, action: int) -> str:
    """A betting action in PHH. Raises RecordError if PHH has no such action.

    In PokerKit, a blind that is all-in for less lowers the price.  A player who pays the full blind then raises, so the
    field ``min_bet`` must be small enough for this raise.
    """
    bet, all_in_bet, highest = s.bet[s.player], s.bet[s.player] + s.chips[s.player], max(s.bet)
    to = action - RAISE if action >= RAISE else bet + min(to_call(s, s.player), s.chips[s.player])
    if s.street or action == FOLD or to <= highest or not (hand.step or highest < s.high):
        return action_text(action, s.scale)
    increase = to - highest
    if to < all_in_bet if s.limit != FIXED_LIMIT else to != min(all_in_bet, highest + min_bet(s)):
        if s.limit == FIXED_LIMIT or increase < hand.step:
            raise RecordError(
                f"hand {s.hands_played + 1} can't be exported: PHH can't say that {hand.player(s.player)}"
                f" {'calls' if action == CALL else 'raises to'} {money(to, s.scale)} over a blind that is all-in for"
                " less."
            )
        hand.fields["min_bet"] = min(hand.fields["min_bet"], money(increase, s.scale))
    hand.step = max(hand.step, increase)
    return action_text(RAISE + to, s.scale) + (" # calls" if action == CALL else "")


def hand_start(s: PlainState, record: Record, stacks: Sequence[int]) -> HandDraft:
    """The beginning of a hand that has just been dealt; ``stacks`` are the chips before it."""
    n = s.players
    seats = [q for k in range(n) if s.dealt >> (q := (s.button + 1 + k) % n) & 1]
    blinds = [s.small, s.big, *([2 * s.big] if s.straddle and len(seats) > 2 else [])]
    blinds = (blinds + [0] * len(seats))[: len(seats)]
    if len(seats) == 2 and s.big == s.small > 0:
        raise RecordError(
            f"hand {s.hands_played + 1} can't be exported: with equal blinds, PHH has the other of two players begin."
        )
    least = s.bet_size or s.big
    antes = [int(ante_of(s, q)) for q in (seats if len(seats) > 2 else seats[::-1])]
    in_money = [money(chips, s.scale) for chips in (least, 2 * least)]
    fields: dict[str, Any] = {"variant": VARIANTS[s.limit], "ante_trimming_status": not s.dead_antes}
    fields |= {"antes": amounts(antes, s.scale), "blinds_or_straddles": amounts(blinds, s.scale)}
    fields |= dict(zip(("small_bet", "big_bet") if s.limit == FIXED_LIMIT else ("min_bet",), in_money, strict=False))
    fields["starting_stacks"] = amounts([stacks[q] for q in seats], s.scale)
    fields["players"] = [record.seats[q] for q in seats]
    fields["hand"] = s.hands_played + 1
    hand = HandDraft(fields, seats, [], s.scale, unknown_seats(record))
    hand.actions = [
        f"d dh {hand.player(q)} {'????' if q in hand.unknown else codes(cards_of(s.held[q]))}" for q in seats
    ]
    return hand


def amounts(chips: list[int], scale: int) -> list[int | Decimal]:
    """Numbers of chips as amounts of the file's money."""
    return [money(n, scale) for n in chips]


def write_event(hand: HandDraft, event: Event, s: PlainState) -> None:
    """Write an event that follows an action; in PHH, hands are shown as soon as nobody can bet any more."""
    match event:
        case NextStreet(cards, turn):
            if len(turn.waiting) == 0 and not hand.tabled:
                table_hands(hand, s)
            hand.actions.append(f"d db {codes(cards)}")
        case Showed(seat, cards) if not hand.tabled:
            hand.actions.append(f"{hand.player(seat)} sm {codes(cards)}")
        case Mucked(seat) if not hand.tabled:
            hand.actions.append(f"{hand.player(seat)} sm")
        case HandEnded(_, chips):
            hand.fields["finishing_stacks"] = amounts([chips[q] for q in hand.seats], hand.scale)


def table_hands(hand: HandDraft, s: PlainState) -> None:
    """Write that all players who are still in show their cards."""
    hand.tabled = True
    for q in hand.seats:
        if s.live >> q & 1:
            cards = "" if q in hand.unknown else f" {codes(cards_of(s.held[q]))}"
            hand.actions.append(f"{hand.player(q)} sm{cards}")
