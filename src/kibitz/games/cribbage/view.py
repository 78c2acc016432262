"""What a seat of cribbage may know, and what it is told, from a position.

One action can end a count, a deal and a game: ``Telling`` puts together what is told of it.
"""

from typing import Any

from kibitz.cards import cards_of
from kibitz.cards.sets import at_places
from kibitz.engine.events import EVERYONE, Event, Notice, Outcome, all_but, most_wins, only, seen_by
from kibitz.engine.layout import PlainState
from kibitz.games.cribbage import counting, rules
from kibitz.games.cribbage.counting import MOST
from kibitz.games.cribbage.dealing import LAYING, NONE
from kibitz.games.cribbage.rules import LAY
from kibitz.games.cribbage.told import (
    SKUNKS,
    Cards,
    CountEnded,
    CribbageView,
    Cut,
    Dealt,
    Finished,
    GameEnded,
    Laid,
    Past,
    Pegs,
    Played,
    Shown,
    Started,
    TurnedUp,
    Went,
)


def view(s: PlainState, seat: int) -> CribbageView:
    """What ``seat`` may know."""
    return CribbageView(
        seat=seat,
        player=s.player,
        over=bool(s.over),
        **options(s),
        cut=tuple(s.cut) if s.cut_first else (),
        game=s.game,
        deals=s.deals,
        dealer=s.dealer,
        laying=s.phase == LAYING,
        hand=cards(s.hand[seat]) if seat >= 0 else (),
        counts=(s.hand[0].bit_count(), s.hand[1].bit_count()),
        away=cards(s.away[seat]) if seat >= 0 else (),
        starter=s.starter if s.starter != NONE else None,
        plays=tuple(zip(s.by[: s.plays], s.trail[: s.plays], strict=True)),
        first=s.first,
        count=s.count,
        went=tuple(p for p in range(2) if s.went >> p & 1),
        floors=(s.floor[0], s.floor[1]),
        crib=cards(s.away[0] | s.away[1]) if s.crib_shown else (),
        pegs=pair(s.pegs),
        points=pair(s.points),
        past=past(s),
    )


def options(s: PlainState) -> dict[str, Any]:
    """The options as views show them."""
    numbers = {name: getattr(s, name) for name in ("games", "target", "hand_size", "discards")}
    return {"pack": cards(s.pack), "skunks": bool(s.skunks), **numbers}


def past(s: PlainState) -> Past:
    """The deal before this one."""
    plays = tuple(zip(s.past_by[: s.past_plays], s.past_trail[: s.past_plays], strict=True))
    return Past(plays, s.past_starter if s.past_starter != NONE else None, cards(s.past_crib), pair(s.past_pegs))


def cards(some: int) -> Cards:
    """A set as a tuple, lowest first."""
    return tuple(cards_of(some))


def pair(values: list[int]) -> Pegs:
    """A field of two numbers."""
    return values[0], values[1]


def opening(s: PlainState) -> list[Notice]:
    """What the seats are told of the start of a match."""
    told: list[Notice] = [Notice(EVERYONE, Started(**options(s)))]
    if s.cut_first:
        told.append(Notice(EVERYONE, Cut(tuple(s.cut), s.dealer)))
    return told + dealing(s)


def dealing(s: PlainState) -> list[Notice]:
    """What the seats are told of a deal."""
    public = s.game, s.deals, s.dealer
    told = [Notice(only(p), Dealt(*public, p, cards(s.hand[p]))) for p in range(2)]
    return [Notice(all_but(0, 1), Dealt(*public, -1, ())), *told]


def play(s: PlainState, a: int) -> list[Notice]:
    """Carry out a legal action and tell the seats what they see of it."""
    before = s.copy()
    rules.apply(s, a)
    return Telling(before, s, a).notices


class Telling:
    """What is told of one action, from the positions before and after it.

    The action may end a count, a deal and a game at once, and the next deal is made; how the last one went is then
    its past.
    """

    def __init__(self, before: PlainState, after: PlainState, action: int) -> None:
        self.before, self.after = before, after
        self.dealt = (before.game, before.deals) != (after.game, after.deals)
        self.deal = past(after) if self.dealt else view(after, -1)
        self.pegs = list(before.pegs)
        self.left = sum(hand.bit_count() for hand in before.hand) - (action < rules.GO)
        self.notices: list[Notice] = []
        if action >= LAY:
            self.lay(action)
        else:
            self.play(action)
        if self.ended:
            self.end_game()
        if self.dealt:
            self.notices += dealing(after)

    @property
    def ended(self) -> bool:
        """Whether the game has ended by now."""
        return bool(max(self.pegs) == self.before.target)

    def tell(self, event: Event) -> None:
        """Tell everyone."""
        self.notices.append(Notice(EVERYONE, event))

    def total(self, seat: int, points: int) -> int:
        """Score, and tell what a seat has then."""
        self.pegs[seat] = min(self.before.target, self.pegs[seat] + points)
        return int(self.pegs[seat])

    def lay(self, action: int) -> None:
        """Cards are laid away; once both seats have, the starter is turned up."""
        s, p = self.before, self.before.player
        laid = cards(at_places(s.hand[p], action - LAY))
        self.notices += seen_by((p,), Laid(p, len(laid), laid), others=Laid(p, len(laid), None))
        starter = self.deal.starter
        if starter is not None and s.away[1 - p]:
            points = rules.HEELS if starter >> 2 == counting.JACK else 0
            self.tell(TurnedUp(starter, s.dealer, points, self.total(s.dealer, points)))

    def play(self, action: int) -> None:
        """A card is played, or go is said; that may end the count, and the play."""
        s, p = self.before, self.before.player
        goes_on = not self.dealt and not self.after.over and self.after.first == s.first
        following = self.after.player if goes_on else NONE
        count = s.count
        if action == rules.GO:
            self.tell(Went(p, count, following))
        else:
            trail, first, last = [card for _, card in self.deal.plays], s.first, s.plays + 1
            count += int(counting.value_of(action))
            equal, run = counting.equal_cards(trail, first, last), counting.run_length(trail, first, last)
            points = int(counting.play_points(trail, first, last, count))
            self.tell(Played(p, action, count, int(equal), int(run), points, self.total(p, points), following))
        if not goes_on and not self.ended:
            self.end_count(count)

    def end_count(self, count: int) -> None:
        """The count has ended; after the last one comes the show."""
        last = self.deal.plays[-1][0]
        points = int(count < MOST)
        total = self.total(last, points)
        played_out = self.left == 0
        leader = NONE if played_out or self.ended else self.after.player
        self.tell(CountEnded(last, count, points, total, leader))
        if played_out:
            self.show()

    def show(self) -> None:
        """Both hands and the crib are counted, until somebody has enough."""
        dealer = self.before.dealer
        for seat, crib in ((1 - dealer, False), (dealer, False), (dealer, True)):
            if self.ended:
                return
            held = self.deal.crib if crib else tuple(sorted(card for p, card in self.deal.plays if p == seat))
            starter = self.deal.starter
            assert starter is not None
            points = int(counting.show_points(sum(1 << card for card in held), starter, int(crib)))
            self.tell(Shown(seat, held, starter, crib, points, self.total(seat, points)))

    def end_game(self) -> None:
        """A game is over, and perhaps the match."""
        gained = [self.after.points[p] - self.before.points[p] for p in range(2)]
        self.tell(GameEnded(self.before.game, pair(self.pegs), max(gained), pair(self.after.points)))
        if self.after.over:
            self.tell(Finished(pair(self.after.points)))


def outcome(s: PlainState, forfeited: frozenset[int]) -> Outcome:
    """The result: the most points win, equal points share; a seat that has forfeited cannot win."""
    if s.games > 1:
        reason = f"All {s.games} games have been played."
    else:
        reason = f"The game ended {max(s.pegs)} to {min(s.pegs)}{SKUNKS[max(s.points)]}."
    return most_wins(reason, s.points, forfeited)
