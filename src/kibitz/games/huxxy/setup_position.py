"""A hand of Huxxy and the table, as a position (``engine.setup_position``): at the beginning of a turn of seat 0."""

from itertools import chain
from random import Random

from kibitz.engine import setup_position
from kibitz.engine.game import Game
from kibitz.engine.layout import PlainState
from kibitz.errors import NotationError, RuleError
from kibitz.games.huxxy import rules
from kibitz.games.huxxy.groups import is_valid
from kibitz.games.huxxy.plays import SLOTS
from kibitz.games.huxxy.view import faces, pair

FACTS = {
    "hand": "your cards",
    "table": "the groups on the table: 'AC 2D 3S, KS KH KD'",
    "counts": "how many cards the others hold, the one after you first; as many as were dealt if nothing is said",
    "opened": "whether you have ended a turn on the table before, yes or no; no if nothing is said",
}
EXAMPLE = '"4C 5D 6S KC 9H" --table "AC 2D 3S, KS KH KD" --opened yes'
PACKS = 2


def position(game: Game, told: setup_position.Facts, random: Random) -> PlainState:
    """A position with this hand and this table; whoever else plays has opened if there is a table."""
    s = game.blank()
    rules.clear(s)
    hand = setup_position.cards_told(game, told, "hand", PACKS)
    if not hand:
        raise NotationError(f"tell the cards of your hand, as in 'kibitz best {game.name} {EXAMPLE}'.")
    table = [setup_position.cards_in(game, part, "table", PACKS) for part in setup_position.parts_told(told, "table")]
    if len(table) >= SLOTS:
        raise NotationError(f"--table: there are at most {SLOTS - 1} groups, not {len(table)}.")
    setup_position.check_no_duplicates(game, [("hand", hand), *(("table", group) for group in table)], PACKS)
    s.groups = len(table)
    for g, group in enumerate(table):
        s.group_once[g], s.group_twice[g] = pair(group)
        if not is_valid(s.group_once[g], s.group_twice[g]):
            raise RuleError(f"--table: group {g + 1} is no run and no set, and every turn ends on a valid table.")
    rest = list(faces(s.pack, s.again))
    for card in chain(hand, *table):
        if card not in rest:
            raise NotationError(f"a card is told more often than {game.name} has it.")
        rest.remove(card)
    random.shuffle(rest)
    counts = setup_position.counts_told(told, game.seats - 1, len(rest), s.hand_size)
    if 0 in counts:
        raise NotationError("--counts: the game is over once somebody holds no card.")
    for p, cards in enumerate([hand, *(list(setup_position.dealt(rest, count)) for count in counts)]):
        s.hand_once[p], s.hand_twice[p] = pair(cards)
        s.opened[p] = int(bool(table)) if p else setup_position.choice_told(told, "opened", {"yes": 1, "no": 0}, "no")
    s.stock_once, s.stock_twice = pair(rest)
    return s
