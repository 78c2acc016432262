"""Cards and hands in players' words, and one sentence for every event at a poker table."""

from kibitz.cards import as_set, symbols
from kibitz.engine.sentences import Names, listed, verb, whom
from kibitz.engine.views.events import Event
from kibitz.games.poker import view
from kibitz.games.poker.hands import RANKS, in_words, plural, rank_of

# Cards and hands


TIMES = {2: "a pair of", 3: "three", 4: "four"}


def hand_text(hand: tuple[int, ...], board: tuple[int, ...] = ()) -> str:
    """The name of the best hand of these cards.

    >>> hand_text((48, 49)), hand_text((48, 0))
    ('a pair of Kings', 'Ace and King, suited')
    """
    cards = (*hand, *board)
    return in_words(as_set(cards)) if len(cards) > 4 else short_text(cards)


def short_text(cards: tuple[int, ...]) -> str:
    """The name of fewer than five cards."""
    ranks = sorted({rank_of(card) for card in cards}, reverse=True)
    often = {rank: sum(rank_of(card) == rank for card in cards) for rank in ranks}
    groups = [f"{TIMES[times]} {plural(rank)}" for rank, times in often.items() if times > 1]
    singles = [RANKS[rank] for rank, times in often.items() if times == 1]
    if groups:
        return " and ".join(groups)
    suited = ", suited" if len(cards) == 2 and cards[0] & 3 == cards[1] & 3 else ""
    if len(cards) == 2:
        return f"{' and '.join(singles)}{suited}"
    return f"{singles[0]} high" if len(cards) > 1 else singles[0]


# Events


LIMITS = ("No-limit", "Pot-limit", "Fixed-limit")


def describe(event: Event, seat: int, names: Names) -> str:
    """One sentence that tells ``seat`` what happened."""
    match event:
        case view.Started():
            return started_text(event)
        case view.Dealt():
            return dealt_text(event, seat, names)
        case view.Folded(who):
            return f"{names[who]} {verb(who, seat, 'fold', 'folds')}."
        case view.Called(who, 0):
            return f"{names[who]} {verb(who, seat, 'check', 'checks')}."
        case view.Called(who, amount, all_in):
            return f"{names[who]} {verb(who, seat, 'call', 'calls')} {amount}{' all in' if all_in else ''}."
        case view.Raised(who, to, _, opens, all_in):
            does = verb(who, seat, "bet", "bets") if opens else verb(who, seat, "raise to", "raises to")
            return f"{names[who]} {does} {to}{' all in' if all_in else ''}."
        case view.Drew():
            return drew_text(event, seat, names)
        case view.NextStreet(cards, turn):
            return street_text(cards, turn.street, drawing=turn.drawing)
        case view.TookBack(who, amount):
            return f"{names[who]} {verb(who, seat, 'take', 'takes')} back {amount} that nobody has called."
        case view.Showed(who, cards, board):
            return f"{names[who]} {verb(who, seat, 'show', 'shows')} {symbols(cards)}: {hand_text(cards, board)}."
        case view.Mucked(who):
            return f"{names[who]} {verb(who, seat, 'muck', 'mucks')}."
        case view.Won():
            return won_text(event, seat, names)
        case view.HandEnded(number, chips):
            return f"Hand {number + 1} is over: {listed([f'{whom(p, seat, names)} {n}' for p, n in enumerate(chips)])}."
        case view.Finished(scores):
            return f"The session is over: {listed([f'{whom(p, seat, names)} {n:+d}' for p, n in enumerate(scores)])}."
    raise TypeError(f"{event!r} isn't an event of poker")


def started_text(event: view.Started) -> str:
    """The sentence for the start of a session."""
    setup = event.setup
    hands = "one hand" if setup.hands == 1 else f"{setup.hands} hands"
    even = len(set(event.start)) == 1
    chips = f"{event.start[0]} chips each" if even else f"{listed([str(n) for n in event.start])} chips"
    forced = [f"blinds {setup.small} and {setup.big}"] if setup.big else []
    forced += [f"ante {setup.ante}"] if setup.ante else []
    forced += ["a straddle"] if setup.straddle else []
    return f"{setup.players} players with {chips} play {hands}: {LIMITS[setup.limit].lower()}, {', '.join(forced)}."


def dealt_text(event: view.Dealt, seat: int, names: Names) -> str:
    """The sentence for a deal."""
    n = len(event.chips)
    button = event.button
    told = f"Hand {event.number + 1}: {names[button]} {verb(button, seat, 'have', 'has')} the button"
    antes = [event.paid[p] - event.bets[p] for p in event.dealt]
    if event.dead:
        told += f"; antes put {event.dead} into the pot"
    elif len(set(antes)) == 1 and any(antes):
        told += f"; everybody antes {max(antes)}"
    elif any(antes):
        paid = [f"{names[p]} {ante}" for p, ante in zip(event.dealt, antes, strict=True) if ante]
        told += f"; antes: {listed(paid)}"
    left = [(button + k) % n for k in range(n + 1)]
    order = left[1:] if len(event.dealt) > 2 else left[:-1]
    posts = sorted((event.bets[p], order.index(p)) for p in range(n) if event.bets[p])
    if posts:
        posted = [(order[place], bet) for bet, place in posts]
        told += "; " + listed([f"{whom(p, seat, names)} {verb(p, seat, 'post', 'posts')} {bet}" for p, bet in posted])
    return f"{told}." + (f" You hold {symbols(event.hand)}." if event.hand else "")


def drew_text(event: view.Drew, seat: int, names: Names) -> str:
    """The sentence for a draw."""
    who, number = event.seat, event.number
    if not number:
        return f"{names[who]} {verb(who, seat, 'stand', 'stands')} pat."
    cards = "one card" if number == 1 else f"{number} cards"
    told = f"{names[who]} {verb(who, seat, 'draw', 'draws')} {cards}."
    if event.thrown is not None:
        told = f"You discard {symbols(event.thrown)} and draw {symbols(event.drawn)}."
    return told + (" The pack had run out: discards came back." if event.late else "")


def street_text(cards: tuple[int, ...], street: int, *, drawing: bool) -> str:
    """The sentence for a new round."""
    if drawing:
        return "Everybody may draw now."
    if not cards:
        return "The next round begins."
    names = {(1, 3): "flop", (2, 1): "turn", (3, 1): "river"}
    return f"The {names.get((street, len(cards)), 'board')}: {symbols(cards)}."


def won_text(event: view.Won, seat: int, names: Names) -> str:
    """The sentence for a pot."""
    pot = "the pot" if event.pot == 0 else "a side pot"
    if len(event.winners) == 1:
        who = event.winners[0]
        return f"{names[who]} {verb(who, seat, 'win', 'wins')} {pot} of {event.shares[0]}."
    shares = listed([f"{whom(p, seat, names)} {share}" for p, share in zip(event.winners, event.shares, strict=True)])
    return f"{pot[0].upper()}{pot[1:]} of {sum(event.shares)} is shared: {shares}."
