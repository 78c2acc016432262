"""Poker in words: actions as text, a sentence for every event, and positions that people type in.

fold, check, call
bet 40, raise 240       the total of your bet in this round
all in, pot, half pot   a bet or raise of that size
discard 2D 5C, pat      in a draw; the cards alone mean the same
"""

from collections.abc import Mapping
from random import Random

from kibitz.cards import Card, as_set, code, parse_hand, symbol, symbols
from kibitz.engine.layout import PlainState
from kibitz.engine.sentences import Names, counted, listed, verb, whom
from kibitz.engine.setup_position import Facts, number_in
from kibitz.engine.views.events import Event
from kibitz.errors import NotationError, RuleError
from kibitz.games.poker import rules
from kibitz.games.poker.betting import BET, DRAW, NONE, min_bet
from kibitz.games.poker.dealing import STACKED
from kibitz.games.poker.hands import RANKS, in_words, plural, rank_of
from kibitz.games.poker.policies import equity
from kibitz.games.poker.rules import ANTES, CALL, DISCARD, FOLD, MAX_AMOUNT, PACKS, RAISE, STACKS
from kibitz.games.poker.stages import next_street
from kibitz.games.poker.view import (
    Called,
    Dealt,
    Drew,
    Finished,
    Folded,
    HandEnded,
    Mucked,
    NextStreet,
    PokerView,
    Raised,
    Showed,
    Started,
    UncalledBetReturned,
    Won,
)

# Combinations of options


CARDS_PER_OPTION = 9
"""How many cards each of the options ``pack0`` to ``pack5`` holds."""


def stacked_options(cards: list[int]) -> dict[str, int]:
    """The options that make the first hand begin with these cards, in the order in which they are dealt.

    >>> stacked_options([51, 0])
    {'pack0': 152}
    """
    rows = [cards[i : i + CARDS_PER_OPTION] for i in range(0, len(cards), CARDS_PER_OPTION)]
    return {
        name: sum((card + 1) * 100**i for i, card in enumerate(row)) for name, row in zip(PACKS, rows, strict=False)
    }


def stacked_cards(options: Mapping[str, int]) -> list[int]:
    """The cards that the options deal first in the first hand, in order; NONE where they don't name one."""
    return [options[PACKS[i // CARDS_PER_OPTION]] // 100 ** (i % CARDS_PER_OPTION) % 100 - 1 for i in range(STACKED)]


def objection(options: Mapping[str, int]) -> str | None:
    """Why these options don't make a game, in a sentence; None if they do."""
    players, big = options["players"], options["big"]
    ante = max(antes(options))
    cards = options["hole"] * (players + options["draw"]) + options["flop"] + options["turn"] + options["river"]
    pack_size = options["pack"].bit_count()
    if cards > pack_size:
        return f"{players} players need {cards} cards, but the pack has {pack_size}: use fewer players."
    if not big + ante:
        return "Nothing would be in the pot: choose blinds or an ante."
    if options["small"] > big:
        return f"The small blind ({options['small']}) must not be larger than the big blind ({big})."
    if options["straddle"] and (not big or players < 3):
        return "A straddle needs blinds and at least three players."
    if not big + options["bet_size"]:
        return "Without blinds, bet_size must set the minimum bet."
    return stack_objection(options) or pack_objection(options)


def stack_objection(options: Mapping[str, int]) -> str | None:
    """What is wrong with the stacks, in a sentence; None if nothing is."""
    players = options["players"]
    named = [name for name in (*STACKS[players:], *ANTES[players:]) if options[name]]
    if named:
        seat = named[0].removeprefix("stack").removeprefix("ante")
        return f"There is no seat {seat} among {players} players: leave out {named[0]}."
    if options["mucks"] >> players:
        return f"The option mucks is a bit mask of seats: with {players} seats it is at most {(1 << players) - 1}."
    blinds = options["big"] * (2 if options["straddle"] else 1)
    stacks = [options[name] or options["stack"] for name in STACKS[:players]]
    forced = [ante + blinds for ante in antes(options)]
    if not options["pack0"] and sum(stack > cost for stack, cost in zip(stacks, forced, strict=True)) < 2:
        return f"At least two players must have more than the {max(forced)} chips of ante and blinds."
    return None


def antes(options: Mapping[str, int]) -> list[int]:
    """The ante of every seat."""
    return [options["ante"] + options[name] for name in ANTES[: options["players"]]]


def pack_objection(options: Mapping[str, int]) -> str | None:
    """What is wrong with the cards to be dealt first, in a sentence; None if nothing is."""
    named = [card for card in stacked_cards(options) if card >= 0]
    if len(set(named)) < len(named) or any(not options["pack"] >> card & 1 for card in named):
        return "pack0 to pack5 must name different cards of the pack, two digits each from 01 to 52."
    return None


# Actions


HELP = (
    ("raise 240", "bet or raise to any amount; 'bet 40', 'all in', 'pot' and 'half pot' are understood too"),
    ("2D 5C", "in draw rounds: the cards that you discard, all at once; 'pat' keeps all"),
)
"""What else can be typed: (example, explanation)."""

GIVE_UP_BUTTONS = ("fold",)

SCORE_LABEL = "Chips won or lost"

WORDS = {"fold": FOLD, "f": FOLD, "check": CALL, "call": CALL, "c": CALL, "k": CALL}
NAMED_AMOUNTS = ("all in", "all-in", "allin", "pot", "half pot", "half", "min")
PAT = ("pat", "stand pat", "none", "keep all")
STREETS = ("preflop", "flop", "turn", "river")


def text(view: PokerView, action: int) -> str:
    """An action as text."""
    if action == FOLD:
        return "fold"
    if action == CALL:
        return "call" if view.turn.to_call else "check"
    if action >= RAISE:
        return f"{'raise' if view.turn.high else 'bet'} {action - RAISE}"
    return " ".join(["discard", *map(code, discarded_cards(view, action))]) if action > DISCARD else "pat"


def discarded_cards(view: PokerView, action: int) -> tuple[int, ...]:
    """The cards that an action discards."""
    return tuple(card for place, card in enumerate(view.hand) if (action - DISCARD) >> place & 1)


def label(view: PokerView, action: int) -> str:
    """An action as a choice in a list."""
    if action == FOLD:
        return "fold"
    if action == CALL:
        return price_text(view)
    if action < RAISE:
        return symbols(discarded_cards(view, action)) if action > DISCARD else "stand pat"
    amount = action - RAISE
    choice = f"raise to {amount}" if view.turn.high else f"bet {amount}"
    notes = []
    if amount == all_in_bet(view):
        notes.append("all in")
    elif amount in (pot_raise(view, 1), pot_raise(view, 2)):
        notes.append("the pot" if amount == pot_raise(view, 1) else "half the pot")
    elif amount == view.turn.min_raise_to < view.turn.max_raise_to:
        notes.append("the minimum")
    return f"{choice}  ({notes[0]})" if notes else choice


def action_verb(view: PokerView, action: int) -> str:
    """The verb that a hint puts before an action; "" for the default."""
    return "discard" if DISCARD < action < RAISE else ""


def explain(view: PokerView, action: int) -> str:
    """The facts behind an action, in one or two sentences: the price and the pot, and the hand."""
    if DISCARD <= action < RAISE:
        kept = tuple(card for card in view.hand if card not in discarded_cards(view, action))
        has_pair = len({rank_of(card) for card in kept}) < len(kept)
        return f"It keeps {hand_text(kept) if has_pair or len(kept) > 4 else symbols(kept) or 'no card'}."
    # With more than two hole cards and a board, the name of a hand can't say which cards count.
    hand_sentence = "" if view.board and view.setup.hole > 2 else f"Hand: {hand_text(view.hand, view.board)}."
    if view.setup.hole == 2 and view.setup.flop:
        others = counted(len(view.live) - 1, "random hand")
        share = equity(view, Random(0), 400)
        hand_sentence = f"{hand_sentence[:-1]} (wins about {share:.0%} against {others})."
    price = view.turn.to_call
    if action >= RAISE:
        return f"{raise_cost(view, action)} {hand_sentence}".strip()
    if not price:
        return f"A check is free. {hand_sentence}".strip()
    if price >= view.chips[view.player]:  # all-in: maybe not all of the pot can be won
        return f"A call is for all the chips. {hand_sentence}".strip()
    share = price / (view.pot + price)
    odds = f"A call costs {price} for a pot of {view.pot}: it must win {share:.0%} to pay."
    return f"{odds} {hand_sentence}".strip()


def raise_cost(view: PokerView, action: int) -> str:
    """What a bet or raise costs, and how often it must succeed to break even; "" if another player is all-in.

    A single opponent may fold. Several hardly ever all fold, so there it is the share of pots to win if all call. Only
    chips that somebody else can call count as the cost: the rest comes back.
    """
    others = [p for p in view.live if p != view.player]
    if not all(view.chips[p] for p in others):
        return ""
    amount = min(action - RAISE, max(view.bets[p] + view.chips[p] for p in others))
    cost = amount - view.bets[view.player]
    if len(others) == 1:
        share = cost / (view.pot + cost)
        return f"It costs {cost} for a pot of {view.pot}: it pays at once if the other folds {share:.0%} of the time."
    calls = sum(min(amount - view.bets[p], view.chips[p]) for p in others)
    return f"Unless somebody folds, it must win {cost / (view.pot + cost + calls):.0%} to pay."


def price_text(view: PokerView) -> str:
    """Check or call, with the price."""
    price = view.turn.to_call
    if not price:
        return "check"
    chips = view.chips[view.player]
    return f"call {price}" if price < chips else f"call {chips}  (all in)"


def all_in_bet(view: PokerView) -> int:
    """The bet of the seat to act in this round if it goes all-in."""
    return view.bets[view.player] + view.chips[view.player]


def pot_raise(view: PokerView, part: int) -> int:
    """The bet that a raise of the pot after a call makes; with ``part`` 2, a raise of half the pot."""
    return view.turn.high + (view.pot + view.turn.to_call) // part


def parse_action(view: PokerView, words: str) -> int:
    """The action that a text means. Raises NotationError if it means none."""
    typed = " ".join(words.lower().split())
    if typed in WORDS:
        return WORDS[typed]
    if typed in PAT:
        return DISCARD
    amount = typed
    for start in ("raise to ", "raise ", "bet ", "r ", "b "):
        amount = amount.removeprefix(start)
    if amount in NAMED_AMOUNTS:
        return named_amount(view, amount)
    if amount != typed and amount.isascii() and amount.isdigit():
        if len(amount) > 10 or int(amount) > MAX_AMOUNT:
            raise NotationError(f"an amount can be at most {MAX_AMOUNT} chips.")
        return RAISE + int(amount)
    if not view.turn.drawing:
        raise NotationError("Say 'fold', 'check', 'call', 'raise 240', 'bet 40' or 'all in'.")
    return parse_discards(view, words)


def parse_discards(view: PokerView, words: str) -> int:
    """The action that discards the cards typed in, with or without ``discard`` before them."""
    typed = words.strip()
    cards = parse_hand(typed[7:] if typed[:7].lower() == "discard" else typed)
    if not cards:
        raise NotationError("Name the cards that you discard, such as '2D 5C', or say 'pat'.")
    for card in cards:
        if card not in view.hand:
            raise NotationError(f"{symbol(card)} is not in your hand.")
    return DISCARD + sum(1 << view.hand.index(card) for card in cards)


def named_amount(view: PokerView, name: str) -> int:
    """The action for an amount with a name: ``min``, ``pot``, ``half pot`` or ``all in``."""
    if name == "min":
        return RAISE + (view.turn.min_raise_to or view.turn.high + view.turn.min_raise)
    if name in ("pot", "half pot", "half"):
        return RAISE + min(pot_raise(view, 1 if name == "pot" else 2), all_in_bet(view))
    return RAISE + all_in_bet(view) if all_in_bet(view) > view.turn.high else CALL


def prompt(view: PokerView) -> str:
    """The question to the seat to move."""
    if view.turn.drawing:
        return "Your draw: which cards do you discard? Stand pat to keep all."
    price, least, most = view.turn.to_call, view.turn.min_raise_to, view.turn.max_raise_to
    question = f"Your turn, with {counted(view.chips[view.player], 'chip')}: {price_text(view)}".replace("  ", " ")
    question += f" into a pot of {view.pot}" if price else ""
    if not least:
        return question + (", or fold." if price else ".")
    raise_verb = "raise to" if view.turn.high else "bet"
    amount = f"{least}" if least == most else f"any amount from {least} to {most}"
    return f"{question}, {raise_verb} {amount}, or fold." if price else f"{question}, or {raise_verb} {amount}."


def street_name(view: PokerView) -> str:
    """The name of the current round."""
    street, setup = view.turn.street, view.setup
    if setup.draw:
        return "draw" if view.turn.drawing else "after the draw" if street else "before the draw"
    if setup.streets < 4:
        return f"round {street + 1} of {setup.streets}"
    return STREETS[street]


# Events, and the names of hands


TIMES = {2: "a pair of", 3: "three", 4: "four"}


def hand_text(hand: tuple[int, ...], board: tuple[int, ...] = (), *, in_record: bool = False) -> str:
    """The name of the best hand of these cards; ``in_record``: in the words of records.

    >>> hand_text((48, 49)), hand_text((48, 0)), hand_text((48, 0), in_record=True)
    ('a pair of Kings', 'Ace-King suited', 'Ace and King, suited')
    """
    cards = (*hand, *board)
    if len(cards) > 4:
        return in_words(as_set(cards), in_record=in_record)
    text = short_text(cards)
    if in_record or board or " and " not in text:
        return text
    hole = text.removesuffix(", suited").replace(" and ", "-")
    return f"{hole} {'suited' if text.endswith('suited') else 'offsuit'}"


def short_text(cards: tuple[int, ...]) -> str:
    """The name of fewer than five cards."""
    ranks = sorted({rank_of(card) for card in cards}, reverse=True)
    counts = {rank: sum(rank_of(card) == rank for card in cards) for rank in ranks}
    groups = [f"{TIMES[times]} {plural(rank)}" for rank, times in counts.items() if times > 1]
    singles = [RANKS[rank] for rank, times in counts.items() if times == 1]
    if groups:
        return " and ".join(groups)
    suited = ", suited" if len(cards) == 2 and cards[0] & 3 == cards[1] & 3 else ""
    if len(cards) == 2:
        return f"{' and '.join(singles)}{suited}"
    return f"{singles[0]} high" if len(cards) > 1 else singles[0]


LIMITS = ("No-limit", "Pot-limit", "Fixed-limit")


def describe(event: Event, seat: int, names: Names) -> str:
    """One sentence that tells ``seat`` what happened."""
    match event:
        case Started():
            return started_text(event)
        case Dealt():
            return dealt_text(event, seat, names)
        case Folded(who):
            return f"{names[who]} {verb(who, seat, 'fold', 'folds')}."
        case Called(who, 0):
            return f"{names[who]} {verb(who, seat, 'check', 'checks')}."
        case Called(who, amount, all_in):
            return f"{names[who]} {verb(who, seat, 'call', 'calls')} {amount}{' all in' if all_in else ''}."
        case Raised(who, to, _, opens, all_in):
            bets = verb(who, seat, "bet", "bets") if opens else verb(who, seat, "raise to", "raises to")
            return f"{names[who]} {bets} {to}{' all in' if all_in else ''}."
        case Drew():
            return drew_text(event, seat, names)
        case NextStreet(cards, turn):
            return street_text(cards, turn.street, drawing=turn.drawing)
        case UncalledBetReturned(who, amount):
            return f"{names[who]} {verb(who, seat, 'take', 'takes')} back {amount} that nobody has called."
        case Showed(who, cards, board):
            name = hand_text(cards, board, in_record=True)
            return f"{names[who]} {verb(who, seat, 'show', 'shows')} {symbols(cards)}: {name}."
        case Mucked(who):
            return f"{names[who]} {verb(who, seat, 'muck', 'mucks')}."
        case Won():
            return won_text(event, seat, names)
        case HandEnded(number, chips):
            return f"Hand {number + 1} is over: {listed([f'{whom(p, seat, names)} {n}' for p, n in enumerate(chips)])}."
        case Finished(scores):
            return f"The session is over: {listed([f'{whom(p, seat, names)} {n:+d}' for p, n in enumerate(scores)])}."
    raise TypeError(f"{event!r} isn't an event of poker")


def started_text(event: Started) -> str:
    """The sentence for the start of a session."""
    setup = event.setup
    hands = "one hand" if setup.hands == 1 else f"{setup.hands} hands"
    equal_stacks = len(set(event.start)) == 1
    chips = f"{event.start[0]} chips each" if equal_stacks else f"{listed([str(n) for n in event.start])} chips"
    forced = [f"blinds {setup.small} and {setup.big}"] if setup.big else []
    forced += [f"ante {setup.ante}"] if setup.ante else []
    forced += ["a straddle"] if setup.straddle else []
    return f"{setup.players} players with {chips} play {hands}: {LIMITS[setup.limit].lower()}, {', '.join(forced)}."


def dealt_text(event: Dealt, seat: int, names: Names) -> str:
    """The sentence for a deal."""
    n = len(event.chips)
    button = event.button
    sentence = f"Hand {event.number + 1}: {names[button]} {verb(button, seat, 'have', 'has')} the button"
    antes = [event.paid[p] - event.bets[p] for p in event.dealt]
    if event.dead:
        sentence += f"; antes put {event.dead} into the pot"
    elif len(set(antes)) == 1 and any(antes):
        sentence += f"; everybody antes {max(antes)}"
    elif any(antes):
        payments = [f"{names[p]} {ante}" for p, ante in zip(event.dealt, antes, strict=True) if ante]
        sentence += f"; antes: {listed(payments)}"
    clockwise = [(button + k) % n for k in range(n + 1)]
    order = clockwise[1:] if len(event.dealt) > 2 else clockwise[:-1]
    posts = sorted((event.bets[p], order.index(p)) for p in range(n) if event.bets[p])
    if posts:
        posts_in_order = [(order[place], bet) for bet, place in posts]
        sentence += "; " + listed(
            [f"{whom(p, seat, names)} {verb(p, seat, 'post', 'posts')} {bet}" for p, bet in posts_in_order]
        )
    return f"{sentence}." + (f" You hold {symbols(event.hand)}." if event.hand else "")


def drew_text(event: Drew, seat: int, names: Names) -> str:
    """The sentence for a draw."""
    who, number = event.seat, event.number
    if not number:
        return f"{names[who]} {verb(who, seat, 'stand', 'stands')} pat."
    cards = "one card" if number == 1 else f"{number} cards"
    sentence = f"{names[who]} {verb(who, seat, 'draw', 'draws')} {cards}."
    if event.discarded is not None:
        sentence = f"You discard {symbols(event.discarded)} and draw {symbols(event.drawn)}."
    return sentence + (" The pack had run out: discards came back." if event.late else "")


def street_text(cards: tuple[int, ...], street: int, *, drawing: bool) -> str:
    """The sentence for a new round."""
    if drawing:
        return "Everybody may draw now."
    if not cards:
        return "The next round begins."
    names = {(1, 3): "flop", (2, 1): "turn", (3, 1): "river"}
    return f"The {names.get((street, len(cards)), 'board')}: {symbols(cards)}."


def won_text(event: Won, seat: int, names: Names) -> str:
    """The sentence for a pot that is won."""
    pot = "the pot" if event.pot == 0 else "a side pot"
    if len(event.winners) == 1:
        who = event.winners[0]
        return f"{names[who]} {verb(who, seat, 'win', 'wins')} {pot} of {event.shares[0]}."
    shares = listed([f"{whom(p, seat, names)} {share}" for p, share in zip(event.winners, event.shares, strict=True)])
    return f"{pot[0].upper()}{pot[1:]} of {sum(event.shares)} is shared: {shares}."


# Positions that people type in


FACTS = {
    "hand": "your cards",
    "board": "the community cards",
    "line": "all actions of this hand up to your decision: 'raise 60, call, check, bet 50'",
    "discarded": "the cards that you have discarded, in draw poker",
    "pot": "instead of --line, for two players without a draw: the chips in the pot, including bets of this round",
    "call": "with --pot: the price to call; default: 0",
    "stack": "your chips; default: what is left of the option 'stack'",
    "theirs": "your opponent's chips; default: as many as yours",
}
EXAMPLE = (
    '"AS KS" --board "QS JS 2S" --pot 120 --call 40 --stack 400',  # hold'em between two players
    '"AS KS" --line "fold, raise 60"',  # or more
    '"AS KS QS JS 2D" --line "call, call"',  # draw
    "KS --board QS --pot 4",  # Leduc
    'KS --line "check, bet 1"',  # Kuhn
)


def position(s: PlainState, facts: Facts) -> None:
    """Set up a position from the facts that were typed in; the seat with the hand is to act."""
    hand, board, discarded = facts.cards("hand"), facts.cards("board"), facts.cards("discarded")
    if len(hand) != s.hole:
        raise NotationError(f"the hand has {counted(s.hole, 'card')} in {facts.game.name}, not {len(hand)}.")
    deal_stacked(s, board, facts.rest)
    if "line" in facts or "pot" not in facts:
        play_line(s, facts)
    else:
        set_bets(s, facts, len(board))
    if s.shown_cards != len(board):
        raise NotationError(f"--board: the board has {s.shown_cards} cards by then, not {len(board)}.")
    set_hand(s, hand, discarded)


def deal_stacked(s: PlainState, board: list[Card], rest: list[Card]) -> None:
    """Stack the pack and deal, so that ``board`` will be turned up and the players hold cards of ``rest``."""
    holes = s.players * s.hole
    cards = [*rest[:holes], *board][:STACKED]
    for first in range(0, len(cards), CARDS_PER_OPTION):
        digits = sum((card + 1) * 100**place for place, card in enumerate(cards[first : first + CARDS_PER_OPTION]))
        setattr(s, rules.PACKS[first // CARDS_PER_OPTION], digits)
    rules.deal(s, *(len(rest), 0, 0, 0))


def play_line(s: PlainState, facts: Facts) -> None:
    """Carry out every action of the fact ``line``. Raises RuleError, with its number, for an illegal one."""
    game = facts.game
    for number, words in enumerate(facts.parts("line"), 1):
        if s.over or s.hands_played:
            raise RuleError(f"--line: the hand is over before action {number}, {words!r}.")
        try:
            game.play(s, draw_action(words) if s.stage == DRAW else game.parse(game.view(s, s.player), words))
        except (NotationError, RuleError) as error:
            raise RuleError(f"--line: action {number}, {words!r}: {error}") from None
    if s.over or s.hands_played:
        raise RuleError("--line: these actions end the hand, so nobody has a decision.")


def draw_action(words: str) -> int:
    """The action for 'draw 2', 'discard 2' or 'pat' in a line; it discards any cards, since these aren't known."""
    number = words.lower().removeprefix("draws").removeprefix("draw").removeprefix("discard").strip()
    if number in ("pat", "stand pat", "none"):
        return DISCARD
    return DISCARD + (1 << number_in(number, "line", 0, 5)) - 1


def set_hand(s: PlainState, hand: list[Card], discarded: list[Card]) -> None:
    """Give the seat to act this hand and these discards; all cards that are nowhere else go into the pack."""
    p = s.player
    if len(discarded) != s.discarded[p].bit_count():
        raise NotationError(
            f"--discarded: you have discarded {s.discarded[p].bit_count()} cards by then, not {len(discarded)}."
        )
    s.held[p], s.discarded[p] = as_set(hand), as_set(discarded)
    dealt = as_set(s.board[: s.shown_cards])
    for q in range(s.players):
        dealt |= s.held[q] | s.discarded[q]
    s.stock = s.pack & ~dealt


def set_bets(s: PlainState, facts: Facts, shown: int) -> None:
    """Set the pot, the price and the stacks of a hand between two players; chips of earlier rounds are dead money."""
    game = facts.game
    if s.players != 2 or s.draw:
        raise NotationError(f"--pot is for two players, without a draw: use --line in {game.name}.")
    call = facts.number("call", 0, rules.MAX_AMOUNT)
    pot = facts.number("pot", 2 * call + 1 if call else 1, rules.MAX_AMOUNT)
    stack = facts.number("stack", 1, rules.MAX_AMOUNT, default=max(1, s.stack - (pot - call + 1) // 2))
    other_stack = facts.number(
        "theirs", 0, rules.MAX_AMOUNT, default=stack if "stack" in facts else max(0, stack - call)
    )
    start_stack = max(stack, other_stack + call, (stack + other_stack + pot + 1) // 2)
    if start_stack > s.stack:
        raise NotationError(
            f"{game.name} is played with {s.stack} chips each: for this position, write stack={start_stack} among the"
            " options after the name."
        )
    streets = [sum((s.flop, s.turn, s.river)[:k]) for k in range(s.streets)]
    if shown not in streets:
        raise NotationError(f"--board has {' or '.join(map(str, streets))} cards in {game.name}, not {shown}.")
    while s.shown_cards < shown:
        next_street(s)
    me, other = s.player, 1 - s.player
    s.stage, s.aggressor, s.initiative = BET, NONE, NONE
    s.chips[me], s.chips[other] = stack, other_stack
    s.bet[:2], s.paid[:2] = [0, 0], [0, 0]
    s.bet[other] = s.paid[other] = s.high = call
    s.dead, s.level, s.raises = pot - call, NONE, int(call > 0)
    s.min_raise = max(int(min_bet(s)), call)
    s.start[me], s.start[other] = s.chips[me], s.chips[other] + call
    s.aggressor = other if call else NONE
    s.waiting = s.may_raise = 1 << me | (0 if call else 1 << other)
