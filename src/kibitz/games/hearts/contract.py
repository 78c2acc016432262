"""Other worlds in Hearts, from the rules: a seat sees its own cards, those played, and those it passed or got."""

from collections.abc import Iterator
from random import Random

from kibitz.cards import as_set, cards_of
from kibitz.engine.infoset_states import exchanged
from kibitz.engine.layout import PlainState
from kibitz.games.hearts.rules import TWO

EXCLUSIONS = {
    "rules.resample: redeal_unseen(s, s.hand, s.players, seat, cards, s.void, s.known) >= 0, false": (
        "only of a position that is typed in there may be no deal: somebody plays what it has shown to lack"
    ),
}
STEPS = (1, -1, 2)
"""By how many seats cards are passed on: to the left, to the right, across; then nothing is passed."""


def determinizations(s: PlainState, seat: int, random: Random) -> Iterator[PlainState]:
    """An endless series of worlds: two cards of other hands change places, if play allows it, or others are passed."""
    n = s.players
    step = STEPS[s.deals % 4] if s.passed and s.deals % 4 < 3 else 0
    step = n // 2 if step == 2 else step

    def fits(world: PlainState) -> bool:
        if any(world.hand[p] & s.lacks[p] for p in range(n)):
            return False
        if s.passing or s.over:
            return True
        kept = seat < 0 or s.given[seat] & ~(world.hand[(seat + step) % n] | s.played[(seat + step) % n]) == 0
        return kept and bool(s.played[s.leader] or world.hand[s.leader] >> TWO & 1)

    for world in exchanged(s, random, [("hand", p) for p in range(n) if p != seat], fits):
        for p in range(n):
            to = (p + step) % n
            if p != seat and (s.passing or to != seat):
                had = cards_of(world.hand[p] if s.passing else world.hand[to] | s.played[to])
                world.given[p] = as_set(random.sample(list(had), s.given[p].bit_count()))
        yield world
