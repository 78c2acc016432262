"""A hand of cribbage in the play, as a position; before a card is played, the hand to lay away from.

The seat that asks is seat 0.  Whoever does not deal leads, and who has played which card follows from the order: a
player who could not play has said go.
"""

from random import Random
from typing import NamedTuple

from kibitz.cards import Card, as_set, code
from kibitz.engine import setup_position
from kibitz.engine.game import Game
from kibitz.engine.layout import PlainState
from kibitz.errors import NotationError, RuleError
from kibitz.games.cribbage import rules
from kibitz.games.cribbage.counting import MOST, value_of
from kibitz.games.cribbage.dealing import PLAYING, clear
from kibitz.games.cribbage.rules import GO

FACTS = {
    "hand": "the cards that you hold now",
    "crib": "whose crib it is, mine or theirs",
    "score": "your score and your opponent's, such as 110-115",
    "starter": "the card turned up, once cards have been laid away",
    "played": "the cards played so far by both, in order, with 'go': '4C 6D JS go'",
    "laid": "the cards that you have laid away; drawn at random if nothing is said",
}
EXAMPLE = '"5H 6S JC" --crib theirs --starter 7D --played "4C KD"'
CRIBS = {"mine": 0, "theirs": 1}
FAR = 10**6
"""A score that is never reached."""


class Shown(NamedTuple):
    """What is told of the play: the own hand, the card turned up, the cards laid away, and what each has played."""

    hand: list[Card]
    starter: list[Card]
    laid: list[Card]
    acts: list[int]
    mine: list[Card]
    theirs: list[Card]


def position(game: Game, told: setup_position.Facts, random: Random) -> PlainState:
    """A position with this hand, laid away from or in the play."""
    s = game.blank()
    clear(s)
    s.dealer, s.deals = setup_position.choice_told(told, "crib", CRIBS), 1
    if "starter" not in told:
        return to_lay(game, s, told, setup_position.cards_told(game, told, "hand"), random)
    seen = shown(game, told, 1 - s.dealer)
    kept = s.hand_size - s.discards
    rest = setup_position.shuffled(s.pack, [*seen.hand, *seen.mine, *seen.theirs, *seen.starter, *seen.laid], random)
    rest.sort(key=value_of)
    s.hand[0] = as_set([*seen.hand, *seen.mine])
    s.hand[1] = as_set([*seen.theirs, *setup_position.dealt(rest, kept - len(seen.theirs))])
    random.shuffle(rest)
    s.away[0] = as_set(seen.laid or setup_position.dealt(rest, s.discards))
    s.away[1] = as_set(setup_position.dealt(rest, s.discards))
    s.starter, s.phase, s.player = seen.starter[0], PLAYING, 1 - s.dealer
    return after(game, s, told, seen.acts)


def shown(game: Game, told: setup_position.Facts, leader: int) -> Shown:
    """What is told of the play; NotationError unless both can have so many cards."""
    hand, starter, laid = (setup_position.cards_told(game, told, name) for name in ("hand", "starter", "laid"))
    said = told.get("played", "").replace(",", " ").split()
    cards = setup_position.cards_in(game, " ".join(word for word in said if word.lower() != "go"), "played")
    setup_position.check_no_duplicates(game, [("hand", hand), ("starter", starter), ("laid", laid), ("played", cards)])
    if len(starter) != 1:
        raise NotationError("--starter must be the one card turned up.")
    discards = game.options["discards"]
    if laid and len(laid) != discards:
        raise NotationError(f"--laid: each player lays {discards} cards away, not {len(laid)}.")
    acts = [GO if word.lower() == "go" else cards.pop(0) for word in said]
    by = players(acts, leader)
    mine, theirs = ([a for a, p in zip(acts, by, strict=True) if p == q and a != GO] for q in (0, 1))
    kept = game.options["hand_size"] - discards
    if len(hand) + len(mine) != kept or len(theirs) > kept:
        raise NotationError(
            f"each player keeps {kept} cards: you hold {len(hand)}, and by what was played you have played {len(mine)}"
            f" and your opponent {len(theirs)} of them."
        )
    return Shown(hand, starter, laid, acts, mine, theirs)


def to_lay(game: Game, s: PlainState, told: setup_position.Facts, hand: list[Card], random: Random) -> PlainState:
    """The position in which the seat lays cards away; ``played`` and ``laid`` belong to the play."""
    if "played" in told or "laid" in told:
        raise NotationError("tell the card turned up as well, with --starter.")
    if len(hand) != s.hand_size:
        raise NotationError(
            f"a hand of {game.name} has {s.hand_size} cards before some are laid away, not {len(hand)}; in the play"
            " tell --starter and --played as well."
        )
    rest = setup_position.shuffled(s.pack, hand, random)
    s.hand[0], s.hand[1] = as_set(hand), as_set(setup_position.dealt(rest, s.hand_size))
    s.player, s.pegs[:] = 0, scores(game, told)
    if s.dealer == 0:
        s.away[1] = as_set(sorted(card for card in range(52) if s.hand[1] >> card & 1)[: s.discards])
        s.hand[1] ^= s.away[1]
    return s


def players(acts: list[int], leader: int) -> list[int]:
    """Who has played each card and said each go, by their order; the rules are asked later whether that can be."""
    found: list[int] = []
    count, went, seat, last = 0, False, leader, leader
    for a in acts:
        if a == GO:
            found.append(seat)
            went, seat = True, 1 - seat
            continue
        if count + value_of(a) > MOST and went:
            count, went, seat = 0, False, 1 - last
        found.append(seat)
        count, last = count + int(value_of(a)), seat
        seat = seat if went else 1 - seat
        if count == MOST:
            count, went, seat = 0, False, 1 - last
    return found


def after(game: Game, s: PlainState, told: setup_position.Facts, acts: list[int]) -> PlainState:
    """The position after what was played; RuleError where the rules forbid it, or it is not the asking seat's turn."""
    s.target = FAR
    for number, a in enumerate(acts, 1):
        if sentence := game.why_not(s, a):
            raise RuleError(f"--played: {'go' if a == GO else code(a)}, number {number}, cannot be: {sentence}")
        rules.apply(s, a)
    if s.phase != PLAYING or s.plays != sum(a != GO for a in acts) or s.player != 0:
        raise RuleError("--played: then it is not your turn; a player who cannot play says go.")
    s.target, s.pegs[:] = game.options["target"], scores(game, told)
    return s


def scores(game: Game, told: setup_position.Facts) -> list[int]:
    """The scores of both now; NotationError unless both are below the target."""
    parts = told.get("score", "0-0").replace("–", "-").replace(":", "-").replace(" ", "").split("-")
    if len(parts) != 2:
        raise NotationError(f"--score must be both scores, yours first, such as 110-115, not {told['score'][:24]!r}.")
    return [setup_position.number_in(part, "score", 0, game.options["target"] - 1) for part in parts]
