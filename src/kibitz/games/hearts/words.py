"""Hearts in words: prompts, events, the table, and positions that are typed in."""

from collections.abc import Sequence

from kibitz.cards import SUIT_NAMES, as_set, code, symbol, symbols
from kibitz.cards.tricks import strength, winner
from kibitz.engine.layout import PlainState
from kibitz.engine.scene import Fact, Row, Scene, Spot, Summary, Zone
from kibitz.engine.scene.elements import by_seat, face_up, hands
from kibitz.engine.sentences import Names, counted, listed, verb
from kibitz.engine.setup_position import Facts, number_in
from kibitz.engine.views import common_events
from kibitz.engine.views.events import Event
from kibitz.engine.words import CARDS, ActionTexts
from kibitz.errors import NotationError
from kibitz.games.hearts import rules
from kibitz.games.hearts.rules import NONE, NOWHERE, QUEEN_OF_SPADES, TWO_OF_CLUBS
from kibitz.games.hearts.view import DIRECTIONS, Chose, DealOver, Dealt, HeartsView, Received, TrickWon

ACTION_TEXTS = ActionTexts({0: CARDS})
SCORE_LABEL, SCORES_ARE_LOSSES = "Points taken", True


def prompt(view: HeartsView) -> str:
    """The question to the seat to move."""
    if view.passing:
        cards = counted(left_to_pass(view), "more card" if view.given else "card")
        return f"Choose {cards} to pass {DIRECTIONS[view.direction]}."
    led = view.trick[view.leader]
    question = "Lead a card."
    if led is not None and view.player != view.leader:
        has_suit = any(card & 3 == led & 3 for card in view.hand)
        question = f"{symbol(led)} was led: {'follow suit' if has_suit else f'you have no {SUIT_NAMES[led & 3]}'}."
    if view.received and not view.played[view.seat]:
        return f"{question} You were passed {symbols(view.received)}."
    return question


def left_to_pass(view: HeartsView) -> int:
    """How many cards the seat has still to choose, to pass them."""
    return view.passed - len(view.given)


def action_verb(view: HeartsView, action: int) -> str:
    """The verb that a hint puts before an action."""
    return "pass" if view.passing else "play"


def explain(view: HeartsView, action: int) -> str:
    """One sentence on what a card does; "" for the last card of the hand."""
    suit = SUIT_NAMES[action & 3]
    one_of_suit = suit.removesuffix("s")
    others = [card for card in view.hand if card != action and not (view.passing and card in view.given)]
    same = [card for card in others if card & 3 == action & 3]
    if not others:
        return ""
    highest = all(strength(card) < strength(action) for card in same)
    is_highest = f"is the highest {one_of_suit} in hand" if same else f"leaves no {suit} in hand"
    if view.passing:
        if view.given and left_to_pass(view) == 1:
            return pass_sentence(view.hand, {*view.given, action})
        if action == QUEEN_OF_SPADES:
            return "It passes on the queen of spades."
        return f"It {is_highest}." if highest else f"It leaves {counted(len(same), one_of_suit)} in hand."
    trick = [NONE if card is None else card for card in view.trick]
    led = trick[view.leader]
    out = {*view.pack}.difference(view.hand, *view.played)
    higher = sum(card & 3 == action & 3 and strength(card) > strength(action) for card in out)
    still_out = f"{counted(higher, f'higher {one_of_suit}')} {'is' if higher == 1 else 'are'} still out"
    if led == NONE or view.player == view.leader:  # a finished trick stays on the table until the next lead
        if not higher:
            return f"It takes the trick: no higher {one_of_suit} is still out."
        if not same:
            return f"It {is_highest}."
        lowest = all(strength(card) > strength(action) for card in same)
        return f"It is the lowest {one_of_suit} in hand." if lowest else f"{still_out}."
    best = trick[winner(trick, len(trick), view.leader, NONE)]
    if action & 3 != led & 3:
        if points := int(rules.points_in(1 << action)):
            return f"It can't take the trick, and gets rid of {counted(points, 'point')}."
        return f"It can't take the trick, and {is_highest}." if highest else "It can't take the trick."
    if strength(action) < strength(best):
        return f"It stays under {symbol(best)}."
    taken = [card for card in trick if card != NONE]
    if len(taken) < len(trick) - 1:
        return f"It is the highest card so far; {still_out if higher else f'no higher {one_of_suit} is still out'}."
    points = int(rules.points_in(as_set([*taken, action])))
    if not points:
        return "It takes a trick without points."
    if same and all(strength(card) > strength(best) for card in same):
        return f"Every {one_of_suit} in hand takes the trick."
    return f"It takes the trick, with {counted(points, 'point')}."


def pass_sentence(hand: Sequence[int], passed: set[int]) -> str:
    """What the cards to pass are in a hand, and what a suit that is passed as a whole is good for.

    >>> pass_sentence([5, 12, 48, 44], {5, 48})  # 2♣ 4♦ K♦ Q♦
    'That passes the highest diamond and the only club: when clubs are led, hearts can be discarded.'
    """
    phrases, voids = ["the queen of spades"] if QUEEN_OF_SPADES in passed else [], []
    for suit, name in enumerate(SUIT_NAMES):
        held = sorted((card for card in hand if card & 3 == suit and card != QUEEN_OF_SPADES), key=strength)
        cards = [card for card in held if card in passed]
        one_of_suit = name.removesuffix("s")
        if not cards:
            continue
        if cards == held:
            phrases.append(f"the only {one_of_suit}" if len(cards) == 1 else f"all the {name}")
            if name in ("clubs", "diamonds"):
                voids.append(name)
        elif cards == held[-len(cards) :]:
            phrases.append(f"the highest {one_of_suit}" if len(cards) == 1 else f"the {len(cards)} highest {name}")
        else:
            phrases += map(symbol, cards)
    why = f": when {' or '.join(voids)} are led, hearts can be discarded" if voids else ""
    return f"That passes {listed(phrases)}{why}."


def describe(event: Event, seat: int, names: Names) -> str:
    """One sentence that tells ``seat`` what happened."""
    match event:
        case Dealt(_, hand, direction, _):
            passing = "Nothing is passed." if direction == NOWHERE else f"Cards are passed {DIRECTIONS[direction]}."
            return f"{f'You hold {symbols(hand)}.' if hand else 'The cards are dealt.'} {passing}"
        case Chose(who, card):
            choice = "a card" if card is None else symbol(card)
            return f"{names[who]} {verb(who, seat, 'choose', 'chooses')} {choice} to pass."
        case Received(_, cards, leader):
            passing = f"You are passed {symbols(cards)}." if cards else "The cards are passed."
            holds = "have the two of clubs, and lead it" if leader == seat else "has the two of clubs"
            return f"{passing} {names[leader]} {holds}."
        case TrickWon(who, points):
            worth = f", with {counted(points, 'point')}" if points else ""
            return f"{names[who]} {verb(who, seat, 'win', 'wins')} the trick{worth}."
        case DealOver(points, scores):
            return f"The deal counts {listed([f'{names[p]} {n} (now {scores[p]})' for p, n in enumerate(points)])}."
    return common_events.describe(event, seat, names)


def scene(view: HeartsView, names: Names) -> Scene:
    """The position; the cards of the trick lie in the order of the seats."""
    trick = [(names[p], card) for p, card in enumerate(view.trick) if card is not None]
    spots = [Spot(f"trick:{code(card)}", code(card), f"{symbol(card)} by {name}", name) for name, card in trick]
    zones = [Zone("trick", "Trick", -1, "row", tuple(spots))]
    if view.given:
        heading = "To pass" if view.passing else "Passed"
        zones.append(face_up(f"given{view.seat}", f"{heading} {DIRECTIONS[view.direction]}", view.given, view.seat))
    hand = [card for card in view.hand if not view.passing or card not in view.given]
    hand.sort(key=lambda card: (card & 3 ^ 1, strength(card)))  # clubs, diamonds, spades, hearts; aces last in each
    zones += hands(view.seat, hand, view.counts, names)
    facts = by_seat("This deal", view.points, 0)
    if view.target > 1:
        scores = by_seat("Points", [f"{n} of {view.target}" for n in view.scores])
        facts = [Fact("Deal", str(view.deals + 1)), *scores, *facts]
    return Scene(tuple(zones), tuple(facts), together=left_to_pass(view) if view.passing else 1)


def summary(events: Sequence[Event], seat: int, names: Names) -> Summary:
    """The points of a deal."""
    (over,) = [event for event in events if isinstance(event, DealOver)]
    by_seat = zip(names, over.points, over.scores, strict=True)
    rows = [Row(name, result=counted(points, "point"), total=f"total {score}") for name, points, score in by_seat]
    return Summary("Points this deal", tuple(rows))


FACTS = {
    "hand": "your cards",
    "pass": "left, right or across, if you are choosing cards to pass; default: cards have been passed",
    "history": "all tricks so far, with the current one last, each in order of play: '2C KC 5C 3C, 9D'",
    "leader": "who led the first trick: 0 is you, 1 the next player; default: 0",
    "scores": "everybody's points from earlier deals, yours first",
}
EXAMPLE = '"2C 5C KC 3D 9D QD 4S QS KS 2H 6H 10H AH" --pass left'


def position(s: PlainState, facts: Facts) -> None:
    """Set up a position from the facts that were typed in; seat 0 is to move."""
    n, hand, tricks = s.players, facts.cards("hand"), facts.rows("history")
    for p, part in enumerate(facts.parts("scores", ", ")):
        s.score[p] = number_in(part, "scores", 0)
    s.deals = facts.choice("pass", DIRECTIONS, default=NOWHERE)
    s.passing = int(rules.direction(s) != NOWHERE)
    s.leader = facts.number("leader", 0, n - 1)
    s.hand[:n], s.trick[:n] = [s.pack] * n, [NONE] * n  # enough cards that the deal can't end
    if s.passing and tricks:
        raise NotationError("--history: no card is played before cards have been passed.")
    if not s.passing and TWO_OF_CLUBS not in (tricks[0][:1] if tricks else hand):
        raise NotationError("the two of clubs leads to the first trick.")
    s.player = s.leader
    for number, trick in enumerate(tricks, 1):
        if len(trick) != n and not (number == len(tricks) and 0 < len(trick) < n):
            raise NotationError(
                f"--history: trick {number} needs a card of each of the {n} players, not {symbols(trick)}."
            )
        for card in trick:
            if s.lacks[s.player] >> card & 1:
                raise NotationError(f"--history: {symbol(card)} is played by a player who had shown not to hold it.")
            rules.apply(s, card)
    if s.passing:
        s.player, s.leader = 0, NONE
    if s.player != 0:
        raise NotationError("--history, --leader: another player is to move.")
    hand_size = s.pack.bit_count() // n
    if len(hand) + s.played[0].bit_count() != hand_size:
        raise NotationError(f"the hand must have {hand_size - s.played[0].bit_count()} cards, not {len(hand)}.")
    s.hand[0] = as_set(hand)
    for p in range(1, n):
        s.hand[p] = as_set(facts.deal(hand_size - s.played[p].bit_count()))
    if not rules.resample(s, 0):
        raise NotationError("--history: no deal makes these plays possible.")
