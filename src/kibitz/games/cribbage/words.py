"""Cribbage in words: actions as text, events as sentences, and positions that people type in.

Two cards, ``5D JC``, are discarded; one card is played; ``go`` says go.
"""

from itertools import chain, combinations
from typing import NamedTuple

from kibitz.cards import Card, as_set, code, parse_hand, symbol, symbols
from kibitz.engine.layout import PlainState
from kibitz.engine.sentences import Names, counted, listed, verb, whom
from kibitz.engine.setup_position import Facts, number_in
from kibitz.engine.views.events import Event
from kibitz.errors import NotationError, RuleError
from kibitz.games.cribbage import rules
from kibitz.games.cribbage import view as cribbage_view
from kibitz.games.cribbage.hands.show import PAIR_NAMES, count_show, number_words
from kibitz.games.cribbage.rules import DISCARD, GO, Reason
from kibitz.games.cribbage.scoring import FIFTEEN, FLUSH, MAX_COUNT, rank_points, run_length, same_rank_count, value_of
from kibitz.games.cribbage.stages import PLAYING, clear

# Actions and events


SCORE_LABEL = "Games won"
RANK_NAMES = {0: "Ace", 10: "Jack", 11: "Queen", 12: "King"}
"""The ranks that aren't called by their number."""


def text(view: cribbage_view.CribbageView, action: int) -> str:
    """An action as text: the cards that it discards or plays, or ``go``."""
    return "go" if action == GO else " ".join(code(card) for card in action_cards(view, action))


def action_cards(view: cribbage_view.CribbageView, action: int) -> cribbage_view.Cards:
    """The cards that an action discards or plays."""
    if action < DISCARD:
        return (action,)
    return tuple(card for place, card in enumerate(view.hand) if (action - DISCARD) >> place & 1)


def label(view: cribbage_view.CribbageView, action: int) -> str:
    """An action as a choice in a list, with its effect."""
    if action == GO:
        return "go"
    if action >= DISCARD:
        discards = action_cards(view, action)
        points = points_without_starter([card for card in view.hand if card not in discards])
        return f"{symbols(discards)}  (keeps {counted(points, 'point')})"
    count, score_text = count_after(view, action)
    return f"{symbol(action)}  (makes {count}" + (f": {score_text})" if score_text else ")")


def count_after(view: cribbage_view.CribbageView, card: Card) -> tuple[int, str]:
    """The count after playing a card, and what the card scores, in words."""
    trail, count = [*view.trail, card], view.count + int(value_of(card))
    return count, play_text(count, int(same_rank_count(trail, 0, len(trail))), int(run_length(trail, 0, len(trail))))


def points_without_starter(hand: list[int]) -> int:
    """The score of a hand's cards without a starter."""
    flush = len(hand) if len(hand) >= FLUSH and len({card & 3 for card in hand}) == 1 else 0
    return int(rank_points(as_set(hand))) + flush


def action_verb(view: cribbage_view.CribbageView, action: int) -> str:
    """The verb that a hint puts before an action; "" for the default."""
    return "discard" if action >= DISCARD else ""


def explain(view: cribbage_view.CribbageView, action: int) -> str:
    """What an action does, in one sentence: what the hand keeps, or what the card scores or risks."""
    if action == GO:
        return f"No card in hand fits under {MAX_COUNT}."
    if action >= DISCARD:
        discards = action_cards(view, action)
        kept = kept_combinations([card for card in view.hand if card not in discards])
        sentence = f"It keeps {listed(kept)}" if kept else "The cards kept need the starter to score"
        into_own_crib = kept_combinations(list(discards)) if view.dealer == view.player else []
        return f"{sentence}, and the crib gets {listed(into_own_crib)}." if into_own_crib else f"{sentence}."
    count, score_text = count_after(view, action)
    if score_text:
        return f"It scores {score_text}."
    other = 1 - view.player
    if not view.counts[other] or other in view.said_go:
        return f"The other player can't reply; the count is {count}."
    if count < FIFTEEN - 10 or FIFTEEN < count < MAX_COUNT - 10:  # a card adds at most ten
        return f"It leaves a count of {count}, from which no card makes {FIFTEEN} or {MAX_COUNT}."
    if sum(card >> 2 == action >> 2 for card in view.hand) > 1 and count + 2 * int(value_of(action)) <= MAX_COUNT:
        another = RANK_NAMES.get(action >> 2, str((action >> 2) + 1))
        return f"If the other player pairs it, another {another} in hand makes a pair royal."
    goal = FIFTEEN if count < FIFTEEN else MAX_COUNT
    scoring = {1: "an Ace", 8: "an 8", 10: "a card worth 10"}.get(goal - count, f"a {goal - count}")
    return f"It leaves a count of {count}, from which only {scoring} makes {goal}."


def kept_combinations(hand: list[int]) -> list[str]:
    """The scoring combinations in a hand, in words.

    >>> kept_combinations([12, 16, 20, 21])  # 4 5 6 6
    ['the run 4-5-6', 'a pair of 6s', 'two fifteens']
    >>> kept_combinations([44, 45])
    ['a pair of Queens']
    """
    ranks = sorted({card >> 2 for card in hand})
    names = {card >> 2: symbol(card)[:-1] for card in hand}
    phrases = []
    for low in ranks:
        run = [low + step for step in range(next(step for step in range(14) if low + step not in ranks))]
        if low - 1 not in ranks and len(run) > 2:
            phrases.append(f"the run {'-'.join(names[rank] for rank in run)}")
    for rank in ranks:
        if (number := sum(card >> 2 == rank for card in hand)) > 1:
            name = RANK_NAMES.get(rank, str(rank + 1))
            phrases.append(f"{('a pair of', 'three', 'four')[number - 2]} {name}s")
    sets = chain.from_iterable(combinations(hand, size) for size in range(2, len(hand) + 1))
    if fifteens := sum(sum(int(value_of(card)) for card in cards) == FIFTEEN for cards in sets):
        phrases.append(f"{number_words(fifteens)} {'fifteen' if fifteens == 1 else 'fifteens'}")
    if len(hand) >= FLUSH and len({card & 3 for card in hand}) == 1:
        phrases.append("a flush")
    return phrases


def parse_action(view: cribbage_view.CribbageView, words: str) -> int:
    """The action that a text means. Raises NotationError if it means none."""
    if words.strip().lower() == "go":
        return GO
    cards = parse_hand(words)
    if any(card >= 52 for card in cards):
        raise NotationError("Cribbage is played without jokers.")
    if not view.discarding:
        if len(cards) != 1:
            raise NotationError(Reason.ONE_CARD.sentence)
        return cards[0]
    if len(cards) != view.discards:
        raise NotationError(f"Discard exactly {counted(view.discards, 'card')}, not {len(cards)}.")
    for card in cards:
        if card not in view.hand:
            raise NotationError(f"You don't hold {symbol(card)}: {Reason.NOT_HELD.sentence.lower()}")
    return DISCARD + sum(1 << view.hand.index(card) for card in cards)


def prompt(view: cribbage_view.CribbageView) -> str:
    """The question to the seat to move."""
    if view.discarding:
        whose = "your own" if view.dealer == view.seat else "your opponent's"
        cards = "card" if view.discards == 1 else f"{number_words(view.discards)} cards"
        return f"Which {cards} do you discard to {whose} crib?"
    if not view.trail:
        return "You lead. Which card do you play?"
    if all(view.count + int(value_of(card)) > MAX_COUNT for card in view.hand):
        return f"The count is {view.count}, and no card of yours fits under {MAX_COUNT}: say go."
    return f"The count is {view.count}. Which card do you play?"


def describe(event: Event, seat: int, names: Names) -> str:
    """One sentence that tells ``seat`` what happened."""
    match event:
        case cribbage_view.Started(_, games, target):
            return f"{'One game' if games == 1 else f'{games} games'} of cribbage to {target}."
        case cribbage_view.Cut((first, second), dealer):
            cut = f"{names[0]} {verb(0, seat, 'cut', 'cuts')} {symbol(first)} and {names[1]} {symbol(second)}"
            return f"{cut}: {whom(dealer, seat, names)} {verb(dealer, seat, 'deal', 'deals')} first."
        case cribbage_view.Dealt():
            return dealt_text(event, seat, names)
        case cribbage_view.Discarded(who, number, cards):
            what = f"{number_words(number)} {'card' if number == 1 else 'cards'}" if cards is None else symbols(cards)
            # Records hold this sentence, so it keeps its old words.
            return f"{names[who]} {verb(who, seat, 'lay', 'lays')} {what} away."
        case cribbage_view.TurnedUp(starter, dealer, points, total):
            heels = f": two for his heels, {new_score(dealer, seat, names, total)}" if points else ""
            return f"The starter is {symbol(starter)}{heels}."
        case cribbage_view.Played(who, card, count, equal, run, points, total):
            score = f": {play_text(count, equal, run)}, now {total}" if points else ""
            return f"{names[who]} {verb(who, seat, 'play', 'plays')} {symbol(card)}, which makes {count}{score}."
        case cribbage_view.SaidGo(who):
            return f"{names[who]} {verb(who, seat, 'say', 'says')} go."
        case cribbage_view.CountEnded():
            return count_text(event, seat, names)
        case cribbage_view.Shown():
            return shown_text(event, seat, names)
        case cribbage_view.GameEnded(game, pegs, worth, points):
            scores = listed([f"{names[p]} {peg}" for p, peg in enumerate(pegs)])
            skunk = (
                f"{cribbage_view.SKUNKS[worth]}, which counts {('double', 'three times')[worth - 2]}"
                if worth > 1
                else ""
            )
            return f"Game {game + 1} is over: {scores}{skunk}."
        case cribbage_view.Finished(points):
            return f"The match is over: {listed([f'{names[p]} {point}' for p, point in enumerate(points)])}."
    raise TypeError(f"{event!r} isn't an event of cribbage")


def dealt_text(event: cribbage_view.Dealt, seat: int, names: Names) -> str:
    """The sentence for a deal."""
    who = event.dealer
    game = f"Game {event.game + 1}, deal" if event.game else "Deal"
    deals = f"{whom(who, seat, names)} {verb(who, seat, 'deal', 'deals')}"
    sentence = f"{game} {event.number}: {deals} and {verb(who, seat, 'have', 'has')} the crib."
    return sentence + (f" You hold {symbols(event.hand)}." if event.hand else "")


def play_text(count: int, equal: int, run: int) -> str:
    """The score of a card in the play, in words.

    >>> play_text(15, 2, 0), play_text(6, 1, 3), play_text(20, 1, 0)
    ('fifteen for two, a pair for two', 'a run of three for three', '')
    """
    phrases = []
    if count in (FIFTEEN, MAX_COUNT):
        phrases.append(f"{number_words(count)} for two")
    if equal > 1:
        phrases.append(f"{PAIR_NAMES[equal]} for {number_words(equal * (equal - 1))}")
    if run:
        phrases.append(f"a run of {number_words(run)} for {number_words(run)}")
    return ", ".join(phrases)


def count_text(event: cribbage_view.CountEnded, seat: int, names: Names) -> str:
    """The sentence for the end of a count."""
    clauses = []
    if event.points:
        clauses.append(f"one for the last card, {new_score(event.last, seat, names, event.total)}")
    if event.leader >= 0:
        leads = f"{whom(event.leader, seat, names)} {verb(event.leader, seat, 'lead', 'leads')}"
        clauses.append(f"the count starts again, and {leads}")
    clauses = clauses or ["all cards are played"]
    return "; ".join([clauses[0][0].upper() + clauses[0][1:], *clauses[1:]]) + "."


def shown_text(event: cribbage_view.Shown, seat: int, names: Names) -> str:
    """The sentence for a hand or crib that is counted."""
    who, cards = event.seat, symbols(event.cards)
    if event.crib:
        whose = "Your" if who == seat else f"{names[who]}'s"
        hand_text = f"{whose} crib is {cards} with {symbol(event.starter)}"
    else:
        hand_text = f"{names[who]} {verb(who, seat, 'show', 'shows')} {cards} with {symbol(event.starter)}"
    counting = count_show(event.cards, event.starter, crib=event.crib).counting
    return f"{hand_text}: {counting}{f', now {event.total}' if event.points else ''}."


def new_score(who: int, seat: int, names: Names, total: int) -> str:
    """The seat that scores and its new score: "you have 12"."""
    return f"{whom(who, seat, names)} {verb(who, seat, 'have', 'has')} {total}"


# Positions that people type in


FACTS = {
    "hand": "the cards that you hold now",
    "crib": "whose crib it is, mine or theirs",
    "score": "your score and your opponent's, such as 110-115",
    "starter": "the starter card, once it is turned up",
    "played": "the cards played so far by both, in order, with 'go': '4C 6D JS go'",
    "discarded": "the cards that you have discarded; default: at random",
}
EXAMPLE = '"5H 6S JC" --crib theirs --starter 7D --played "4C KD"'
UNREACHABLE = 10**6
"""A target that no score reaches, so that the play can be repeated."""


class PlayFacts(NamedTuple):
    """The facts about the play: the seat's own hand, the starter, its discards, and what has been played by both."""

    hand: list[Card]
    starter: Card
    discards: list[Card]
    actions: list[int]
    own_cards: list[Card]
    other_cards: list[Card]


def position(s: PlainState, facts: Facts) -> None:
    """Set up a position from the facts that were typed in: before the seat's discards, or in the play."""
    clear(s)
    s.dealer, s.deals = facts.choice("crib", ("mine", "theirs")), 1
    if "starter" not in facts:
        to_discard(s, facts)
        return
    play = play_facts(facts, 1 - s.dealer)
    facts.rest.sort(key=value_of)
    s.hand[0] = as_set([*play.hand, *play.own_cards])
    s.hand[1] = as_set([*play.other_cards, *facts.deal(s.hand_size - s.discards - len(play.other_cards))])
    facts.random.shuffle(facts.rest)
    s.away[0] = as_set(play.discards or facts.deal(s.discards))
    s.away[1] = as_set(facts.deal(s.discards))
    s.starter, s.phase, s.player = play.starter, PLAYING, 1 - s.dealer
    play_all(s, facts, play.actions)


def play_facts(facts: Facts, leader: int) -> PlayFacts:
    """The facts about the play. Raises NotationError if a seat would have too many or too few cards."""
    hand, starter, discarded = facts.cards("hand"), facts.card("starter"), facts.cards("discarded")
    plays = facts.text("played").replace(",", " ").split()
    cards = facts.add("played", facts.parse("played", " ".join(word for word in plays if word.lower() != "go")))
    discards = facts.game.options["discards"]
    if discarded and len(discarded) != discards:
        raise NotationError(f"--discarded: each player discards {discards} cards, not {len(discarded)}.")
    actions = [GO if word.lower() == "go" else cards.pop(0) for word in plays]
    seats = seats_of(actions, leader)
    own, other = ([a for a, p in zip(actions, seats, strict=True) if p == q and a != GO] for q in (0, 1))
    kept = facts.game.options["hand_size"] - discards
    if len(hand) + len(own) != kept or len(other) > kept:
        raise NotationError(
            f"each player keeps {kept} cards: you hold {len(hand)}, and by what was played you have played {len(own)}"
            f" and your opponent {len(other)} of them."
        )
    return PlayFacts(hand, starter, discarded, actions, own, other)


def to_discard(s: PlainState, facts: Facts) -> None:
    """Set up a position in which the seat must discard; ``played`` and ``discarded`` belong to the play only."""
    if "played" in facts or "discarded" in facts:
        raise NotationError("--played and --discarded also need --starter, the card turned up.")
    hand = facts.cards("hand")
    if len(hand) != s.hand_size:
        raise NotationError(
            f"a hand of {facts.game.name} has {s.hand_size} cards before the discard, not {len(hand)}; in the play,"
            " give --starter and --played as well."
        )
    s.hand[0], s.hand[1] = as_set(hand), as_set(facts.deal(s.hand_size))
    s.player, s.pegs[:] = 0, scores(facts)
    if s.dealer == 0:
        s.away[1] = as_set(sorted(card for card in range(52) if s.hand[1] >> card & 1)[: s.discards])
        s.hand[1] ^= s.away[1]


def seats_of(actions: list[int], leader: int) -> list[int]:
    """The seat that has played each card or said each go; whether the actions are legal is checked later."""
    result: list[int] = []
    count, said_go, seat, last = 0, False, leader, leader
    for a in actions:
        if a == GO:
            result.append(seat)
            said_go, seat = True, 1 - seat
            continue
        if count + value_of(a) > MAX_COUNT and said_go:
            count, said_go, seat = 0, False, 1 - last
        result.append(seat)
        count, last = count + int(value_of(a)), seat
        seat = seat if said_go else 1 - seat
        if count == MAX_COUNT:
            count, said_go, seat = 0, False, 1 - last
    return result


def play_all(s: PlainState, facts: Facts, actions: list[int]) -> None:
    """Carry out the actions of both seats.

    Raises RuleError for an illegal one, or if it isn't seat 0's turn after them.
    """
    s.target = UNREACHABLE
    for number, a in enumerate(actions, 1):
        if sentence := facts.game.why_not(s, a):
            raise RuleError(f"--played: {'go' if a == GO else code(a)}, number {number}, is not allowed: {sentence}")
        rules.apply(s, a)
    if s.phase != PLAYING or s.plays != sum(a != GO for a in actions) or s.player != 0:
        raise RuleError("--played: after these cards it isn't your turn; a player who can't play says go.")
    s.target, s.pegs[:] = facts.game.options["target"], scores(facts)


def scores(facts: Facts) -> list[int]:
    """The present scores of both seats. Raises NotationError unless they are below the target."""
    text = facts.text("score", "0-0")
    parts = text.replace("–", "-").replace(":", "-").replace(" ", "").split("-")
    if len(parts) != 2:
        raise NotationError(f"--score must be both scores, yours first, such as 110-115, not {text[:24]!r}.")
    return [number_in(part, "score", 0, facts.game.options["target"] - 1) for part in parts]
