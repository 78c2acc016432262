"""A hand of Bo and the table, as a position (``engine.setup_position``): at the beginning of a turn of seat 0."""

from random import Random

from msgspec.structs import replace

from kibitz.cards import PACK_STEP, Card, symbol
from kibitz.engine import setup_position
from kibitz.engine.game import Game
from kibitz.engine.layout import PlainState
from kibitz.errors import NotationError, RuleError
from kibitz.games.bo import rules
from kibitz.games.bo.piles import NONE, ending, matches, turn_up
from kibitz.games.bo.rules import Reason
from kibitz.games.bo.view import BoView

FACTS = {
    "hand": "your cards",
    "stocks": "every stockpile, yours first: its top card and how many cards it has, '9C 8, QS 8, 4D 7, KS 6'",
    "builds": "the build piles, each from the first card to the last: '2D 3H, KC QS'; none if nothing is said",
    "discards": "the discard piles, yours first, the players between semicolons: '5D 4S, 9C; KD; ; 7H 8S'",
    "round": "how many turns everybody has had; 0 if nothing is said",
}
EXAMPLE = '"2C 5H 9S JD 4C" --stocks "9C 8, QS 8, 4D 7, KS 6" --builds "2D 3H, KC QS"'
PILES = 4
Pile = tuple[Card, ...]


def position(game: Game, told: setup_position.Facts, random: Random) -> PlainState:
    """A position with this hand and these piles."""
    packs, seats = game.options["packs"], game.seats
    hand = setup_position.cards_told(game, told, "hand", packs)
    if not 0 < len(hand) <= game.options["hand_size"]:
        raise NotationError(f"the hand has 1 to {game.options['hand_size']} cards, not {len(hand)}.")
    stocks = stockpiles(game, told)
    builds = piles(game, setup_position.parts_told(told, "builds"), "builds", 0)
    own = [part.split(",") for part in told.get("discards", "").split(";")] if "discards" in told else []
    if len(own) > seats:
        raise NotationError(f"--discards: there are {seats} players, not {len(own)}.")
    discards = [
        pile for p in range(seats)
        for pile in piles(game, own[p] if p < len(own) else [], "discards", PILES + PILES * p)
    ]  # fmt: skip
    tops = [top for top, _ in stocks]
    known = [("hand", hand), ("stocks", tops)]
    known += [("builds", list(pile)) for pile in builds] + [("discards", list(pile)) for pile in discards]
    setup_position.check_no_duplicates(game, known, packs)
    for name, cards in known:
        check_in_pack(game, name, cards)
    return restored(game, told, hand, stocks, builds, discards)


def check_in_pack(game: Game, name: str, cards: list[Card]) -> None:
    """NotationError for a card that the game does not have."""
    for card in cards:
        if card >> 2 >= game.options["top_value"] or card & 3 >= game.options["suits"]:
            raise NotationError(f"{setup_position.called(name)}: {symbol(card)} is not among the cards of {game.name}.")


def stockpiles(game: Game, told: setup_position.Facts) -> list[tuple[Card, int]]:
    """By seat, the card turned up and how many cards there are."""
    parts = setup_position.parts_told(told, "stocks")
    if len(parts) != game.seats:
        raise NotationError(f"--stocks needs top card and size of {game.seats} stockpiles, not of {len(parts)}.")
    found = []
    for part in parts:
        card, _, size = part.partition(" ")
        (top,) = setup_position.cards_in(game, card, "stocks") or (0,)
        found.append((top, setup_position.number_in(size.strip(), "stocks", 1, game.options["stock_size"])))
    return found


def piles(game: Game, parts: list[str], name: str, first: int) -> list[Pile]:
    """Four piles numbered from ``first`` on, empty where nothing is told; RuleError for one that cannot lie so."""
    if len(parts) > PILES:
        raise NotationError(f"--{name}: there are {PILES} piles, not {len(parts)}.")
    found = [tuple(setup_position.cards_in(game, part, name, game.options["packs"])) for part in parts]
    s = game.blank()
    rules.clear(s)
    s.player = max(0, first - PILES) // PILES
    for pile, cards in enumerate(found, first):
        for card in cards:
            if not (matches(s, card) | (ending(s, card) if pile >= PILES else 0)) >> pile & 1:
                raise RuleError(f"--{name}: {symbol(card)} cannot lie there: {why_not(s, pile, card)}")
            turn_up(s, pile, card)
    return [*found, *[()] * (PILES - len(found))]


def why_not(s: PlainState, pile: int, card: Card) -> str:
    """The rule that a card on a pile would break."""
    if pile >= PILES:
        return str(Reason.DISCARD_ACE.sentence)
    if s.top[pile] == NONE:
        return str(Reason.BUILD_START.sentence)
    return str((Reason.BUILD_COLOUR if (s.top[pile] ^ card) & 1 else Reason.BUILD_STEP).sentence)


def restored(
    game: Game, told: setup_position.Facts, hand: list[Card], stocks: list[tuple[Card, int]], builds: list[Pile],
    discards: list[Pile],
) -> PlainState:  # fmt: skip
    """The position of a view with these cards, each copy of a card with an id of its own."""
    met: dict[Card, int] = {}

    def as_id(card: Card) -> Card:
        met[card] = met.get(card, -1) + 1
        return card + PACK_STEP * met[card]

    seats, size, rounds = game.seats, game.options["hand_size"], game.options["rounds"]
    view = game.view(game.deal(0), 0)
    assert isinstance(view, BoView)
    held = (*map(as_id, hand), *[None] * (5 - len(hand)))
    others = (*[0] * size, *[None] * (5 - size))
    shown = replace(
        view,
        hand=held,
        backs=(tuple([None if card is None else 0 for card in held]), *[others] * (seats - 1)),
        known_aces=((0,) * 5,) * seats,
        stock_tops=tuple(as_id(top) for top, _ in stocks),
        stock_counts=tuple(count for _, count in stocks),
        builds=tuple(tuple(map(as_id, pile)) for pile in builds),
        discards=tuple(tuple(map(as_id, pile)) for pile in discards),
        round=setup_position.number_told(told, "round", 0, rounds - 1, 0),
        plays=0,
        passes=0,
    )
    s = game.blank()
    game.restore(s, shown)
    return s
