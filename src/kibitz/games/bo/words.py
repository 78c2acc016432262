"""Bo in words: actions as text, events as sentences, and positions that people type in.

An action is written ``4S h1>b2``: the card, its source, its pile.

    h1..h5      a place in your hand             s       your stockpile
    b1..b4      a build pile                     d2.3    discard pile 3 of seat 2 (seats are numbered from 0)
    pass        nothing can be played

A position that is typed in is at the beginning of a turn of seat 0.
"""

import re
from collections.abc import Sequence

from msgspec.structs import replace

from kibitz.cards import PACK_STEP, Card, code, face, parse, symbol, symbols
from kibitz.engine.layout import PlainState
from kibitz.engine.sentences import Names, counted, verb
from kibitz.engine.setup_position import Facts, fact_name, number_in
from kibitz.engine.views.events import Event
from kibitz.errors import NotationError, RuleError
from kibitz.games.bo import rules
from kibitz.games.bo.piles import (
    FROM_PILE,
    NO_PLAY,
    NONE,
    SOURCE,
    STOCK,
    completes,
    ending_piles,
    matches,
    set_top,
    value,
)
from kibitz.games.bo.rules import Reason
from kibitz.games.bo.view import (
    BoView,
    Completed,
    Drew,
    Finished,
    Passed,
    Played,
    Started,
    Turned,
    TurnEnded,
)

# Actions and events


SCORE_LABEL = "Games won"
HELP = (("h1 s b2 d0.3", "places: of your hand, your stockpile, build pile 2, discard pile 3 of seat 0"),)
"""Further inputs, with their meanings."""

ACTION = re.compile(r"(?:(\S+)\s+)?(?:(h[1-5]?|s|d\d\.[1-4])\s*(?:>|to)?\s*)?(b[1-4]|d\d\.[1-4])")


def text(view: BoView, action: int) -> str:
    """An action as text, as ``parse_action`` reads it."""
    if action == NO_PLAY:
        return "pass"
    source, pile = divmod(action, SOURCE)
    return f"{code(face(card_at(view, source)))} {source_text(source)}>{pile_text(pile)}"


def source_text(source: int) -> str:
    """A source as text."""
    if source < STOCK:
        return f"h{source + 1}"
    return "s" if source == STOCK else pile_text(pile_of(source))


def pile_of(source: int) -> int:
    """The discard pile that is a source."""
    return source - FROM_PILE + 4


def pile_text(pile: int) -> str:
    """A pile as text."""
    return f"b{pile + 1}" if pile < 4 else f"d{(pile - 4) // 4}.{pile % 4 + 1}"


def card_at(view: BoView, source: int) -> int:
    """The card id that a source offers the player to move. Raises NotationError if there is none."""
    if source < STOCK:
        card = view.hand[source]
    elif source == STOCK:
        card = view.stock_tops[view.player]
    else:
        pile = view.discards[source - FROM_PILE]
        card = pile[-1] if pile else None
    if card is None:
        raise NotationError(f"No card at {source_text(source)}.")
    return card


def label(view: BoView, action: int) -> str:
    """An action as a choice in a list."""
    if action == NO_PLAY:
        return "pass: nothing can be played"
    source, pile = divmod(action, SOURCE)
    card = symbol(face(card_at(view, source)))
    origin = "hand" if source < STOCK else "stockpile" if source == STOCK else pile_name(pile_of(source), view.player)
    ends = "  (ends the turn)" if ends_turn(view, source, pile) else ""
    return f"{card} from {origin} to {pile_name(pile, view.player)}{ends}"


def explain(view: BoView, action: int) -> str:
    """What a play does, in one sentence."""
    if action == NO_PLAY:
        return "Nothing can be played."
    source, pile = divmod(action, SOURCE)
    if source == STOCK:
        left = view.stock_counts[view.player] - 1
        return f"It leaves {counted(left, 'card')} on the stockpile." if left else "It empties the stockpile."
    if ends_turn(view, source, pile):
        covered = view.discards[pile - 4]
        return f"It ends the turn and covers {symbol(face(covered[-1])) if covered else 'no card'}."
    table, card = blank_table(view), card_at(view, source)
    for number, cards in enumerate((*view.builds, *view.discards[: 4 * view.players])):
        set_top(table, number, cards[-1] if cards else NONE)
    if completes(table, card, pile):
        return f"It completes build pile {pile + 1}."
    stock, is_last = view.stock_tops[view.player], view.plays + 1 >= view.plays_a_turn
    assert stock is not None
    could_be_played = {top for top in view.stock_tops if top is not None and matches(table, top)}
    set_top(table, pile, card)
    below = view.discards[source - FROM_PILE][:-1] if source > STOCK else ()
    if source > STOCK:
        set_top(table, pile_of(source), below[-1] if below else NONE)
    stock_name = f"{symbol(face(stock))} on the stockpile"
    if stock not in could_be_played and not is_last and matches(table, stock) >> pile & 1:
        return f"The {stock_name} can go there next."
    for top in could_be_played - {stock}:
        if not matches(table, top):
            return f"It leaves no pile for the {symbol(face(top))} on another player's stockpile."
    same_colour = stock not in could_be_played and pile < 4 and card & 1 == stock & 1
    before = view.builds[pile][-1:] if same_colour else ()
    if same_colour and not before:
        return f"It starts a {'red' if card & 1 == 0 else 'black'} build pile for the {stock_name}."
    if before and abs(value(card) - value(stock)) < abs(value(before[0]) - value(stock)):
        return f"It brings build pile {pile + 1} closer to the {stock_name}."
    if source > STOCK:
        return f"It uncovers {symbol(face(below[-1]))}." if below else "It empties a discard pile."
    if is_last:
        return "It is the last play of the turn."
    left = sum(card is not None for card in view.hand) - 1
    draws = f"draws {view.hand_size} more at once"
    return f"It leaves {counted(left, 'card')} in hand; an empty hand {draws}." if left else f"The empty hand {draws}."


def blank_table(view: BoView) -> PlainState:
    """A state without cards, with the number of players and the top value of a view."""
    table = rules.LAYOUT.plain()
    table.players, table.top_value = view.players, view.top_value
    rules.clear(table)
    return table


def pile_name(pile: int, reader: int, names: Sequence[str] | None = None) -> str:
    """A pile in words, with the name of its owner; a discard pile of seat ``reader`` is "your discard pile".

    Without names, players are counted from 1.
    """
    if pile < 4:
        return f"build pile {pile + 1}"
    owner, k = divmod(pile - 4, 4)
    if owner == reader:
        return f"your discard pile {k + 1}"
    return f"discard pile {k + 1} of {names[owner] if names else f'player {owner + 1}'}"


def ends_turn(view: BoView, source: int, pile: int) -> bool:
    """Whether a play ends the turn: a hand card on a discard pile that is empty or does not match it."""
    if source >= STOCK or pile < 4:
        return False
    if not view.discards[pile - 4]:
        return True
    table = blank_table(view)
    set_top(table, pile, view.discards[pile - 4][-1])
    return not matches(table, card_at(view, source)) >> pile & 1


def parse_action(view: BoView, words: str) -> int:
    """The action that a text means. Raises NotationError if it cannot be read or means several."""
    words = " ".join(words.split())
    if words.lower() == "pass":
        return NO_PLAY
    match = ACTION.fullmatch(words.lower())
    if not match:
        raise NotationError(f"{words[:40]!r} isn't a play: write the card, its source and a pile, such as '4S h1>b2'.")
    card_text, origin, goal = match.groups()
    if origin is None or origin == "h":
        if card_text is None:
            raise NotationError(f"{words[:40]!r} has no card: write it first, such as '4S h1>b2'.")
        source = find_source(view, parse(card_text), origin)
    else:
        source = STOCK if origin == "s" else int(origin[1]) - 1 if origin[0] == "h" else pile_number(origin) + 2
        if source >= FROM_PILE + 4 * view.players:
            raise NotationError(f"There is no pile {origin}: seats are numbered from 0 to {view.players - 1}.")
        if card_text is not None and face(card_at(view, source)) != parse(card_text):
            raise NotationError(f"The card at {origin} is {symbol(face(card_at(view, source)))}, not {card_text}.")
    pile = pile_number(goal)
    if pile >= 4 + 4 * view.players:
        raise NotationError(f"There is no pile {goal}: seats are numbered from 0 to {view.players - 1}.")
    return SOURCE * source + pile


def pile_number(pile: str) -> int:
    """The number of a pile in text form."""
    return int(pile[1]) - 1 if pile[0] == "b" else 4 + 4 * int(pile[1]) + int(pile[3]) - 1


def find_source(view: BoView, card: int, origin: str | None) -> int:
    """Where a card is played from: the lowest hand place, else the stockpile, else the only discard pile with it."""
    for place, held in enumerate(view.hand):
        if held is not None and face(held) == card:
            return place
    if origin == "h":
        raise NotationError(f"{symbol(card)} is not in your hand.")
    top = view.stock_tops[view.player]
    if top is not None and face(top) == card:
        return STOCK
    showing = [j for j, pile in enumerate(view.discards) if pile and face(pile[-1]) == card]
    if len(showing) == 1:
        return FROM_PILE + showing[0]
    if showing:
        raise NotationError(f"{symbol(card)} lies on several piles: name one, such as 'd0.1'.")
    raise NotationError(f"{symbol(card)} is not in your hand, on your stockpile or on a discard pile.")


def prompt(view: BoView) -> str:
    """The question to the seat to move."""
    return f"Turn {view.round + 1} of {view.rounds}, play {view.plays + 1} of up to {view.plays_a_turn}: choose a card."


def describe(event: Event, seat: int, names: Names) -> str:
    """One sentence that tells ``seat`` what happened."""
    match event:
        case Started(players=players, stock_size=stock_size, stock_tops=tops):
            shown = ", ".join(f"{names[p]} {symbol(face(top))}" for p, top in enumerate(tops))
            return f"{players} players get stockpiles of {counted(stock_size, 'card')}, turned up: {shown}."
        case Drew(who, places, None):
            cards = "a card" if len(places) == 1 else f"{len(places)} cards"
            return f"{names[who]} {verb(who, seat, 'draw', 'draws')} {cards}."
        case Drew(who, _, tuple(cards)):
            return f"{names[who]} {verb(who, seat, 'draw', 'draws')} {symbols(cards)}."
        case Played(who, source, card, pile):
            origin = "hand" if source < STOCK else "the stockpile"
            if source > STOCK:
                origin = pile_name(pile_of(source), seat, names)
            play = verb(who, seat, "play", "plays")
            return f"{names[who]} {play} {symbol(face(card))} from {origin} to {pile_name(pile, seat, names)}."
        case Completed(pile, cards):
            return f"Build pile {pile + 1} is complete: its {len(cards)} cards are shuffled into the draw pile."
        case Turned(who, None):
            return f"{names[who]} {verb(who, seat, 'have', 'has')} emptied the stockpile."
        case Turned(who, int(card)):
            return f"{names[who]} {verb(who, seat, 'turn', 'turns')} up {symbol(face(card))} on the stockpile."
        case Passed(who):
            return f"{names[who]} can play nothing."
        case TurnEnded(next_player, round):
            return f"Turn {round + 1}: {names[next_player]} {verb(next_player, seat, 'are', 'is')} to play."
        case Finished(None, _):
            return "The game is over: nobody has emptied the stockpile, and all are equal losers."
        case Finished(int(winner), _):
            return (
                f"The game is over: {names[winner]} {verb(winner, seat, 'were', 'was')} first to empty the stockpile."
            )
    raise TypeError(f"{event!r} isn't an event of Bo")


# Positions that people type in


FACTS = {
    "hand": "your cards",
    "stocks": "every stockpile, yours first: its top card and how many cards it has, '9C 8, QS 8, 4D 7, KS 6'",
    "builds": "the build piles, each from the first card to the last: '2D 3H, KC QS'; default: none",
    "discards": "the discard piles, yours first, with a semicolon between players: '5D 4S, 9C; KD; ; 7H 8S'",
    "round": "completed turns of each player; default: 0",
}
EXAMPLE = '"2C 5H 9S JD 4C" --stocks "9C 8, QS 8, 4D 7, KS 6" --builds "2D 3H, KC QS"'
PILES = 4
Pile = tuple[Card, ...]


def position(s: PlainState, facts: Facts) -> None:
    """Set up the position with the hand and the piles of the facts."""
    packs, seats = s.packs, s.players
    hand = facts.cards("hand", packs)
    if not 0 < len(hand) <= s.hand_size:
        raise NotationError(f"the hand has 1 to {s.hand_size} cards, not {len(hand)}.")
    stocks = stockpiles(facts)
    builds = piles(facts, facts.parts("builds"), "builds", 0)
    rows = [part.split(",") for part in facts.text("discards").split(";")] if "discards" in facts else []
    if len(rows) > seats:
        raise NotationError(f"--discards: there are {seats} players, not {len(rows)}.")
    discards = [
        pile for p in range(seats)
        for pile in piles(facts, rows[p] if p < len(rows) else [], "discards", PILES + PILES * p)
    ]  # fmt: skip
    named_cards = [("hand", hand), ("stocks", [top for top, _ in stocks])]
    named_cards += [("builds", list(pile)) for pile in builds] + [("discards", list(pile)) for pile in discards]
    for name, cards in named_cards:
        for card in cards:
            if card >> 2 >= s.top_value or card & 3 >= s.suits:
                raise NotationError(f"{fact_name(name)}: {symbol(card)} is not among the cards of {facts.game.name}.")
    facts.game.restore(s, view_of(facts, hand, stocks, builds, discards))


def stockpiles(facts: Facts) -> list[tuple[Card, int]]:
    """By seat, the top card of its stockpile and how many cards it has."""
    game, parts = facts.game, facts.parts("stocks")
    if len(parts) != game.seats:
        raise NotationError(f"--stocks needs top card and size of {game.seats} stockpiles, not of {len(parts)}.")
    result = []
    for part in parts:
        card, _, size = part.partition(" ")
        (top,) = facts.add("stocks", facts.parse("stocks", card), game.options["packs"]) or (0,)
        result.append((top, number_in(size.strip(), "stocks", 1, game.options["stock_size"])))
    return result


def piles(facts: Facts, parts: list[str], name: str, first: int) -> list[Pile]:
    """The four piles from number ``first`` on; those without a text are empty.

    Raises RuleError if a card can't lie there.
    """
    if len(parts) > PILES:
        raise NotationError(f"--{name}: there are {PILES} piles, not {len(parts)}.")
    packs = facts.game.options["packs"]
    rows = [tuple(facts.add(name, facts.parse(name, part, packs), packs)) for part in parts]
    s = facts.game.blank()
    rules.clear(s)
    s.player = max(0, first - PILES) // PILES
    for pile, cards in enumerate(rows, first):
        for card in cards:
            if not (matches(s, card) | (ending_piles(s, card) if pile >= PILES else 0)) >> pile & 1:
                raise RuleError(f"--{name}: {symbol(card)} cannot lie there: {why_not(s, pile, card)}")
            set_top(s, pile, card)
    return [*rows, *[()] * (PILES - len(rows))]


def why_not(s: PlainState, pile: int, card: Card) -> str:
    """The rule that a card on a pile would break."""
    if pile >= PILES:
        return str(Reason.DISCARD_ACE.sentence)
    return str(list(Reason)[rules.build_refusal(s, card, pile)].sentence)


def view_of(
    facts: Facts, hand: list[Card], stocks: list[tuple[Card, int]], builds: list[Pile], discards: list[Pile]
) -> BoView:
    """The view of seat 0 with these cards; the second copy of a card gets the id of the second pack."""
    last_copy: dict[Card, int] = {}

    def as_id(card: Card) -> Card:
        last_copy[card] = last_copy.get(card, -1) + 1
        return card + PACK_STEP * last_copy[card]

    game = facts.game
    seats, size, rounds = game.seats, game.options["hand_size"], game.options["rounds"]
    view = game.view(game.deal(0), 0)
    assert isinstance(view, BoView)
    own_hand = (*map(as_id, hand), *[None] * (5 - len(hand)))
    other_backs = (*[0] * size, *[None] * (5 - size))
    return replace(
        view,
        hand=own_hand,
        backs=(tuple([None if card is None else 0 for card in own_hand]), *[other_backs] * (seats - 1)),
        known_aces=((0,) * 5,) * seats,
        stock_tops=tuple(as_id(top) for top, _ in stocks),
        stock_counts=tuple(count for _, count in stocks),
        builds=tuple(tuple(map(as_id, pile)) for pile in builds),
        discards=tuple(tuple(map(as_id, pile)) for pile in discards),
        round=facts.number("round", 0, rounds - 1),
        plays=0,
        passes=0,
    )
