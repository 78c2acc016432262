"""For the contract: positions of Go that a seat can't tell apart, and branches that are excluded from coverage.

Written from the rules' list of what seats see, independently of ``resample``: the leak tests compare the two. Each
position differs from the last by one swap or one choice, so a leak of a single card shows.
"""

from collections.abc import Iterator
from random import Random

from kibitz.engine.layout import PlainState
from kibitz.games.go.rules import NONE


def determinizations(s: PlainState, seat: int, random: Random) -> Iterator[PlainState]:
    """An endless series of positions: each swaps two hidden cards, or changes another seat's face-down choice."""
    position = s.copy()
    n = s.players
    seen_stacks = [] if seat < 0 else [(seat - t) % n for t in range(min(s.turn + 1, n))]
    hidden = [stack for stack in range(n) if stack not in seen_stacks]
    while True:
        position = position.copy()
        aside = s.pack
        for p in range(n):
            aside &= ~position.stack[p] & ~position.laid[p]
        places: list[tuple[int | None, int]] = [
            (stack, card) for stack in hidden for card in range(52) if position.stack[stack] >> card & 1
        ]
        places += [(None, card) for card in range(52) if aside >> card & 1]
        choosers = [p for p in range(n) if position.chosen[p] != NONE and p != seat]
        if choosers and (len(places) < 2 or random.random() < 0.5):
            p = random.choice(choosers)
            stack = position.stack[(p - s.turn) % n]
            position.chosen[p] = random.choice([card for card in range(52) if stack >> card & 1])
        elif len(places) > 1:
            swap(position, *random.sample(places, 2))
        yield position


def swap(position: PlainState, first: tuple[int | None, int], second: tuple[int | None, int]) -> None:
    """Swap two cards, each given with its stack (None: put aside); a choice of one becomes a choice of the other."""
    (stack_a, card_a), (stack_b, card_b) = first, second
    if stack_a == stack_b:
        return
    for stack, out, into in ((stack_a, card_a, card_b), (stack_b, card_b, card_a)):
        if stack is not None:
            position.stack[stack] ^= 1 << out | 1 << into
            for p in range(position.players):
                if (p - position.turn) % position.players == stack and position.chosen[p] == out:
                    position.chosen[p] = into


EXCLUSIONS = {
    "groups.is_run: others & others - 1 == 0, true": (
        "rare: Aces with at most one other card aren't a group, and only a few of the refused actions are tried"
    ),
    "groups.is_run: black_gaps == size(cards & SUITS_OF_COLOUR[1]), false": (
        "red and black cards alternate, so if the red cards of a run fit, the black ones do, too"
    ),
    "groups.is_kind: cards & cards - 1 == 0, true": "a single card counts as valid before ``is_kind`` is called",
    "groups.score: is_run(cards), false": "a valid group that is neither a single card nor N of a kind is a run",
}
