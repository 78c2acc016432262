"""Cribbage in words: actions as text, refusals and events as sentences.

Two cards, ``5D JC``, lay them away; one card plays it; ``go`` says go.
"""

from kibitz.cards import as_set, code, parse_hand, symbol, symbols
from kibitz.engine.events import Event, View
from kibitz.engine.sentences import Names, listed, verb, whom
from kibitz.errors import NotationError
from kibitz.games.cribbage import view as told
from kibitz.games.cribbage.counting import FIFTEEN, FLUSH, MOST, equal_cards, rank_points, run_length, value_of
from kibitz.games.cribbage.rules import GO, LAY, Reason
from kibitz.games.cribbage.settings import OPTIONS as OPTIONS
from kibitz.games.cribbage.show import ROYALS, counted, in_words

SCORES = "Games won"


def text(view: View, action: int) -> str:
    """An action as text: the cards that it lays away or plays, or ``go``."""
    return "go" if action == GO else " ".join(code(card) for card in action_cards(view, action))


def action_cards(view: View, action: int) -> told.Cards:
    """The cards that an action is about."""
    assert isinstance(view, told.CribbageView)
    if action < LAY:
        return (action,)
    return tuple(card for place, card in enumerate(view.hand) if (action - LAY) >> place & 1)


def label(view: View, action: int) -> str:
    """An action as a choice in a list, with what comes of it."""
    assert isinstance(view, told.CribbageView)
    if action == GO:
        return "go"
    chosen = action_cards(view, action)
    if action >= LAY:
        return f"{symbols(chosen)}  (keeps {kept_points([card for card in view.hand if card not in chosen])})"
    trail, count = [*view.trail, action], view.count + int(value_of(action))
    scored = play_text(count, int(equal_cards(trail, 0, len(trail))), int(run_length(trail, 0, len(trail))))
    return f"{symbol(action)}  (makes {count}" + (f": {scored})" if scored else ")")


def kept_points(hand: list[int]) -> int:
    """What the cards of a hand score among themselves, before there is a starter."""
    flush = len(hand) if len(hand) >= FLUSH and len({card & 3 for card in hand}) == 1 else 0
    return int(rank_points(as_set(hand))) + flush


def parse_action(view: View, words: str) -> int:
    """The action that a text means; NotationError if it cannot be one."""
    assert isinstance(view, told.CribbageView)
    if words.strip().lower() == "go":
        return GO
    cards = parse_hand(words)
    if any(card >= 52 for card in cards):
        raise NotationError("Cribbage is played without jokers.")
    if not view.laying:
        if len(cards) != 1:
            raise NotationError(Reason.ONE_CARD.sentence)
        return cards[0]
    if len(cards) != view.discards:
        raise NotationError(f"Lay away exactly {amount(view.discards)}, not {len(cards)}.")
    for card in cards:
        if card not in view.hand:
            raise NotationError(f"You do not hold {symbol(card)}: {Reason.NOT_HELD.sentence.lower()}")
    return LAY + sum(1 << view.hand.index(card) for card in cards)


def prompt(view: View) -> str:
    """What the seat to move is asked."""
    assert isinstance(view, told.CribbageView)
    if view.laying:
        whose = "your own" if view.dealer == view.seat else "your opponent's"
        which = "card" if view.discards == 1 else f"{in_words(view.discards)} cards"
        first = " 'keeps' is what your other cards score as they are." if view.game == 0 and view.deals == 1 else ""
        return f"Which {which} do you lay away to {whose} crib?{first}"
    if not view.trail:
        return "You lead. Which card do you play?"
    if all(view.count + int(value_of(card)) > MOST for card in view.hand):
        return f"The count is {view.count}, and no card of yours fits under {MOST}: say go."
    return f"The count is {view.count}. Which card do you play?"


def describe(event: Event, seat: int, names: Names) -> str:
    """One sentence that tells ``seat`` what happened."""
    match event:
        case told.Started(_, games, target):
            return f"{'One game' if games == 1 else f'{games} games'} of cribbage to {target}."
        case told.Cut((one, other), dealer):
            cut = f"{names[0]} {verb(0, seat, 'cut', 'cuts')} {symbol(one)} and {names[1]} {symbol(other)}"
            return f"{cut}: {whom(dealer, seat, names)} {verb(dealer, seat, 'deal', 'deals')} first."
        case told.Dealt():
            return dealt_text(event, seat, names)
        case told.Laid(who, number, cards):
            what = f"{in_words(number)} {'card' if number == 1 else 'cards'}" if cards is None else symbols(cards)
            return f"{names[who]} {verb(who, seat, 'lay', 'lays')} {what} away."
        case told.TurnedUp(starter, dealer, points, total):
            heels = f": two for his heels, {now(dealer, seat, names, total)}" if points else ""
            return f"The starter is {symbol(starter)}{heels}."
        case told.Played(who, card, count, equal, run, points, total):
            scored = f": {play_text(count, equal, run)}, now {total}" if points else ""
            return f"{names[who]} {verb(who, seat, 'play', 'plays')} {symbol(card)}, which makes {count}{scored}."
        case told.Went(who):
            return f"{names[who]} {verb(who, seat, 'say', 'says')} go."
        case told.CountEnded():
            return count_text(event, seat, names)
        case told.Shown():
            return shown_text(event, seat, names)
        case told.GameEnded(game, pegs, worth, points):
            scores = listed([f"{names[p]} {peg}" for p, peg in enumerate(pegs)])
            counts = f"{told.SKUNKS[worth]}, which counts {('double', 'three times')[worth - 2]}" if worth > 1 else ""
            return f"Game {game + 1} is over: {scores}{counts}."
        case told.Finished(points):
            return f"The match is over: {listed([f'{names[p]} {point}' for p, point in enumerate(points)])}."
    raise TypeError(f"{event!r} is no event of cribbage")


def dealt_text(event: told.Dealt, seat: int, names: Names) -> str:
    """The sentence for a deal."""
    who = event.dealer
    game = f"Game {event.game + 1}, deal" if event.game else "Deal"
    deals = f"{whom(who, seat, names)} {verb(who, seat, 'deal', 'deals')}"
    said = f"{game} {event.number}: {deals} and {verb(who, seat, 'have', 'has')} the crib."
    return said + (f" You hold {symbols(event.hand)}." if event.hand else "")


def play_text(count: int, equal: int, run: int) -> str:
    """What a card scores in the play, in words.

    >>> play_text(15, 2, 0), play_text(6, 1, 3), play_text(20, 1, 0)
    ('fifteen for two, a pair for two', 'a run of three for three', '')
    """
    said = []
    if count in (FIFTEEN, MOST):
        said.append(f"{in_words(count)} for two")
    if equal > 1:
        said.append(f"{ROYALS[equal]} for {in_words(equal * (equal - 1))}")
    if run:
        said.append(f"a run of {in_words(run)} for {in_words(run)}")
    return ", ".join(said)


def count_text(event: told.CountEnded, seat: int, names: Names) -> str:
    """The sentence for the end of a count."""
    said = []
    if event.points:
        said.append(f"one for the last card, {now(event.last, seat, names, event.total)}")
    if event.leader >= 0:
        leads = f"{whom(event.leader, seat, names)} {verb(event.leader, seat, 'lead', 'leads')}"
        said.append(f"the count starts again, and {leads}")
    said = said or ["all cards are played"]
    return "; ".join([said[0][0].upper() + said[0][1:], *said[1:]]) + "."


def shown_text(event: told.Shown, seat: int, names: Names) -> str:
    """The sentence for a hand or crib that is counted."""
    who, cards = event.seat, symbols(event.cards)
    if event.crib:
        whose = "Your" if who == seat else f"{names[who]}'s"
        said = f"{whose} crib is {cards} with {symbol(event.starter)}"
    else:
        said = f"{names[who]} {verb(who, seat, 'show', 'shows')} {cards} with {symbol(event.starter)}"
    counting = counted(event.cards, event.starter, crib=event.crib).counting
    return f"{said}: {counting}{f', now {event.total}' if event.points else ''}."


def now(who: int, seat: int, names: Names, total: int) -> str:
    """Who scores and what that makes."""
    return f"{whom(who, seat, names)} {verb(who, seat, 'have', 'has')} {total}"


def amount(number: int) -> str:
    """So many cards."""
    return "1 card" if number == 1 else f"{number} cards"
