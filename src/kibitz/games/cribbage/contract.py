"""For the contract: positions of cribbage that a seat can't tell apart, and branches of the code that few games reach.

The positions are made from the rules' list of what each seat sees, independently of ``resample``: the leak tests
compare the two. Each differs from the one before in a swap of two hidden cards.
"""

from collections.abc import Iterator
from random import Random

from kibitz.engine.layout import PlainState
from kibitz.games.cribbage.stages import NONE, PLAYING

Location = tuple[str, int]
UNDEALT = ("undealt", 0)


def determinizations(s: PlainState, seat: int, random: Random) -> Iterator[PlainState]:
    """An endless series of states of one information set: in each, two cards that ``seat`` doesn't see are swapped."""
    state = s.copy()
    while True:
        hidden = hidden_cards(state, seat)
        for _ in range(20):
            if len(hidden) < 2:
                break
            swapped = state.copy()
            (card, location), (other_card, other_location) = random.sample(hidden, 2)
            if location == other_location:
                continue
            exchange(swapped, location, card, other_card)
            exchange(swapped, other_location, other_card, card)
            if is_possible(swapped):
                state = swapped
                break
        yield state.copy()


def hidden_cards(s: PlainState, seat: int) -> list[tuple[int, Location]]:
    """Every card that a seat doesn't see, with its location."""
    others = [p for p in range(2) if p != seat]
    result = [(card, ("hand", p)) for p in others for card in range(52) if s.hand[p] >> card & 1]
    if not s.crib_shown:
        result += [(card, ("away", p)) for p in others for card in range(52) if s.away[p] >> card & 1]
    held = s.hand[0] | s.hand[1] | s.away[0] | s.away[1]
    seen = {s.starter, *s.played}
    return result + [(card, UNDEALT) for card in range(52) if s.pack & ~held & 1 << card and card not in seen]


def exchange(s: PlainState, location: Location, old_card: int, new_card: int) -> None:
    """Replace a card at a location by another.  UNDEALT needs no change: the state doesn't store undealt cards."""
    name, seat = location
    if location != UNDEALT:
        row = getattr(s, name)
        row[seat] = row[seat] & ~(1 << old_card) | 1 << new_card


def is_possible(s: PlainState) -> bool:
    """Whether the play so far allows these hands: no card is below a floor, and a seat alone in a count can play."""
    for p in range(2):
        if any(value_of(card) < s.floor[p] for card in range(52) if s.hand[p] >> card & 1):
            return False
    if s.phase != PLAYING or s.player == NONE:
        return True
    p = s.player
    alone = not s.hand[1 - p] or s.said_go >> (1 - p) & 1
    return not alone or any(value_of(card) + s.count <= 31 for card in range(52) if s.hand[p] >> card & 1)


def value_of(card: int) -> int:
    """The value of a card in a count."""
    return min(card // 4 + 1, 10)


FLUSH = "rare: four cards of a suit in a crib; tests of the show count every hand and crib"

EXCLUSIONS = {
    "Reason.ONE_CARD": "only parse_action gives this reason, for what people type; no action plays two cards",
    "show.number_words: rest, false": "rare: no card of a hand counts; tests of the show go through all",
    "scoring.suit_points: crib, true": FLUSH,
    "show.flushes: crib, true": FLUSH,
    "stages.game_points: missing > 2 * SKUNK, true": "rare: the loser has less than half; a test checks the sentences",
    "words.describe: worth > 1, true": "rare: the loser has less than three quarters; a test checks the sentences",
    "show.count_show: cards.count(card) > 1, true": "a pack has no card twice; only a hand that people type may",
    "words.count_text: ['all cards are played'], false": "a list that isn't empty is true",
}
