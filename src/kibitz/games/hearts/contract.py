"""For the contract: positions of Hearts that a seat can't tell apart, made from the rules, without ``resample``.

A seat knows its own cards, the cards played, and the cards that it passed or was passed.
"""

from collections.abc import Iterator
from random import Random

from kibitz.cards import as_set, cards_of
from kibitz.engine.infoset_states import card_exchanges
from kibitz.engine.layout import PlainState
from kibitz.games.hearts.rules import TWO_OF_CLUBS

EXCLUSIONS = {
    "rules.resample: redeal_unseen(s, s.hand, s.players, seat, cards, s.lacks_scratch, s.known) >= 0, false": (
        "only for a position that is typed in there may be no deal: somebody plays a card that it has shown to lack"
    ),
}
STEPS = (1, -1, 2)
"""By how many seats cards are passed in the first, second and third deal; in the fourth nothing is passed."""


def determinizations(s: PlainState, seat: int, random: Random) -> Iterator[PlainState]:
    """An endless series of positions that ``seat`` can't tell apart.

    In each, cards of other hands have changed places, if play allows it, and the other seats have passed other cards.
    """
    n = s.players
    step = STEPS[s.deals % 4] if s.passed and s.deals % 4 < 3 else 0
    step = n // 2 if step == 2 else step
    receiver = (seat + step) % n

    def is_possible(state: PlainState) -> bool:
        if any(state.hand[p] & s.lacks[p] for p in range(n)):
            return False
        if s.passing or s.over:
            return True
        has_received = seat < 0 or s.given[seat] & ~(state.hand[receiver] | s.played[receiver]) == 0
        return has_received and bool(s.played[s.leader] or state.hand[s.leader] >> TWO_OF_CLUBS & 1)

    for state in card_exchanges(s, random, [("hand", p) for p in range(n) if p != seat], is_possible):
        for p in range(n):
            to = (p + step) % n
            if p != seat and (s.passing or to != seat):
                candidates = cards_of(state.hand[p] if s.passing else state.hand[to] | s.played[to])
                state.given[p] = as_set(random.sample(list(candidates), s.given[p].bit_count()))
        yield state
