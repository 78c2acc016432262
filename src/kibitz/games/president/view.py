"""What a seat of President may know, and what it is told, from a position.

What a pair trades, its own two seats see; with ``upper_names`` all see what is asked for and given, and where cards
are requested until one is given, what is returned too.
"""

from typing import Any

from msgspec.structs import replace

from kibitz.engine.events import EVERYONE, Event, Notice, Outcome, all_but, most_wins, only, seen_by
from kibitz.engine.layout import PlainState
from kibitz.games.president import rules
from kibitz.games.president.heights import shown, to_card
from kibitz.games.president.moves import NONE, cards_in, in_heights
from kibitz.games.president.rules import PASS, TRADE
from kibitz.games.president.told import (
    Dealt,
    Finished,
    Gave,
    Named,
    Passed,
    Played,
    PresidentView,
    Requested,
    Returned,
    RoundEnded,
    Started,
    Trading,
    TrickEnded,
    WentOut,
    role,
)
from kibitz.games.president.trading import REQUESTED, RETURN, lower, pairs, upper


def view(s: PlainState, seat: int) -> PresidentView:
    """What ``seat`` may know."""
    n = s.players
    couples = traders(s) if s.round else []
    trades = list(zip(couples, s.given, s.returned, strict=False))
    given = [shown(cards) if s.upper_names or seat in both else None for both, cards, _ in trades]
    in_the_open = s.upper_names == REQUESTED
    returned = [shown(cards) if in_the_open or seat in both else None for both, _, cards in trades]
    return PresidentView(
        seat=seat,
        player=s.player,
        over=bool(s.over),
        **options(s),
        round=s.round,
        phase=s.phase,
        pair=s.pair,
        todo=s.todo,
        order=tuple(s.order[:n]),
        hand=shown(s.hand[seat]) if seat >= 0 else (),
        counts=tuple([hand.bit_count() for hand in s.hand[:n]]),
        gone=tuple([shown(gone) for gone in s.gone[:n]]),
        pile=shown(cards_in(s.pile)) if s.pile != NONE else (),
        last=s.last if s.last != NONE else None,
        passed=tuple([p for p in range(n) if s.passed >> p & 1]),
        lowest=to_card(s.lowest_card) if s.lowest_card != NONE else None,
        finish=tuple(s.finish[: s.outs]),
        scores=tuple(s.score[:n]),
        given=tuple(given),
        returned=tuple(returned),
        named=tuple([shown(cards) for cards in s.named[: len(couples)]]),
        wish=shown(s.wish),
        ending=shown(cards_in(s.ending)) if s.ending != NONE else (),
    )


def traders(s: PlainState) -> list[tuple[int, int]]:
    """The seats that trade, by pair: the lower and the upper one."""
    return [(int(lower(s, j)), int(upper(s, j))) for j in range(int(pairs(s)))]


def options(s: PlainState) -> dict[str, Any]:
    """The options as views show them."""
    return {
        "players": s.players,
        "rounds": s.rounds,
        "pack": shown(in_heights(s.pack)),
        "traded": s.traded,
        "pass_locks": bool(s.pass_locks),
        "upper_names": s.upper_names,
        "points": bool(s.points),
        "leftovers": bool(s.leftovers),
        "fives": s.fives,
    }


def opening(s: PlainState) -> list[Notice]:
    """What the seats are told of the start of a match."""
    return [Notice(EVERYONE, Started(**options(s))), *dealing(s)]


def dealing(s: PlainState) -> list[Notice]:
    """What the seats are told of a deal, and of the cards that the lower seats give at once."""
    n = s.players
    dealt = s.hand[:n]
    for (giver, taker), cards in zip(traders(s), s.given, strict=False):
        dealt[taker] &= ~cards
        dealt[giver] |= cards
    lowest = to_card(s.lowest_card) if s.lowest_card != NONE else None
    first = s.order[0] if s.round else s.player
    public = s.round, tuple(s.order[:n]), tuple([hand.bit_count() for hand in dealt])
    told = [Notice(all_but(*range(n)), Dealt(*public, -1, (), lowest, first))]
    told += [Notice(only(p), Dealt(*public, p, shown(dealt[p]), lowest, first)) for p in range(n)]
    for j, both in enumerate(traders(s)):
        if s.given[j]:
            gave = Gave(j, *both, s.given[j].bit_count(), shown(s.given[j]))
            told += seen_by(both, gave, others=replace(gave, cards=None))
    return told + (turn_to_trade(s) if s.round else [])


def turn_to_trade(s: PlainState) -> list[Notice]:
    """Who trades next."""
    return [Notice(EVERYONE, Trading(s.player, s.pair, s.phase, s.todo))]


def play(s: PlainState, a: int) -> list[Notice]:
    """Carry out a legal action and tell the seats what they see of it."""
    if a >= TRADE:
        return trade(s, a)
    p, outs, round, order = s.player, s.outs, s.round, tuple(s.order[: s.players])
    rules.apply(s, a)
    following = s.player if s.round == round else p
    if a == PASS:
        event: Event = Passed(p, following)
    else:
        event = Played(p, shown(cards_in(a)), following)
    told = [Notice(EVERYONE, event)]
    ended = s.round > round
    if not ended:
        told += [Notice(EVERYONE, WentOut(p, outs, role(s.players, outs)))] if s.outs > outs else []
        return told + ([Notice(EVERYONE, TrickEnded(s.player))] if s.pile == NONE else [])
    finish = tuple(s.finish[: s.players]) if s.over else tuple(s.order[: s.players])
    assert sorted(order) == sorted(finish)
    told += [Notice(EVERYONE, WentOut(finish[k], k, role(s.players, k))) for k in range(outs, s.players)]
    told.append(Notice(EVERYONE, RoundEnded(round, finish, tuple(s.score[: s.players]))))
    if s.over:
        return [*told, Notice(EVERYONE, Finished(tuple(s.score[: s.players])))]
    return told + dealing(s)


def trade(s: PlainState, a: int) -> list[Notice]:
    """Name or return a card, and tell the seats."""
    j, phase, card = s.pair, s.phase, to_card(a - TRADE)
    giver, taker = traders(s)[j]
    both = taker, giver
    before = s.given[j]
    rules.apply(s, a)
    if phase == RETURN and s.upper_names == REQUESTED:
        told = [Notice(EVERYONE, Returned(*both, card))]
    elif phase == RETURN:
        told = seen_by(both, Returned(*both, card), others=Returned(*both, None))
    elif s.upper_names == REQUESTED:
        got = shown(s.given[j] & ~before)
        told = [Notice(EVERYONE, Requested(*both, shown(s.wish), got[0] if got else None))]
    else:
        told = [Notice(EVERYONE, Named(*both, card, s.given[j] != before))]
    return told if s.phase == phase and s.pair == j else told + turn_to_trade(s)


def outcome(s: PlainState, forfeited: frozenset[int]) -> Outcome:
    """The result: the most points win, equal points share; a seat that has forfeited cannot win."""
    played = "One round has" if s.rounds == 1 else f"All {s.rounds} rounds have"
    return most_wins(f"{played} been played.", s.score[: s.players], forfeited)
