"""Huxxy in words: actions as text, events as sentences, positions that people type in, and the table.

    KS>2        add the king of spades from the hand to group 2 (groups count from 1)
    KS>new      start a new group with the king of spades
    KS 1>2      move the king of spades from group 1 to group 2
    pick up     take the top card of the stock, which ends the turn
    end         end the turn after a play
    concede     lose, after six plays that leave an invalid table

A position that is typed in is at the beginning of a turn of seat 0.
"""

import re
from collections.abc import Sequence
from itertools import chain, combinations

from kibitz.cards import JOKER, code, parse, symbol, symbols
from kibitz.engine.layout import PlainState
from kibitz.engine.scene import Part, Scene, Zone, button, place
from kibitz.engine.scene import card as card_part
from kibitz.engine.scene.elements import bare_label, by_seat, face_up, hands
from kibitz.engine.sentences import Names, counted, listed, verb
from kibitz.engine.setup_position import Facts
from kibitz.engine.views.events import Event
from kibitz.errors import NotationError, RuleError
from kibitz.games.huxxy import rules
from kibitz.games.huxxy.actions import CONCEDE, END, MAX_GROUPS, PICK_UP, PLAY
from kibitz.games.huxxy.best import HAND, Play, can_end, play_action, play_of
from kibitz.games.huxxy.best import main_actions as main_actions
from kibitz.games.huxxy.groups import NONE, addable_faces, best_triple, is_valid, total_worth, worth
from kibitz.games.huxxy.view import (
    Conceded,
    Finished,
    HuxxyView,
    Moved,
    PickedUp,
    Played,
    Started,
    TurnEnded,
    bit_sets,
    faces,
)

# Actions and events


SCORE_LABEL, SCORES_ARE_LOSSES = "Points left in hand, or 1000 for conceding", True
WORDS = {
    **dict.fromkeys(("pick up", "pickup", "pick", "draw", "p"), PICK_UP),
    **dict.fromkeys(("end", "end turn", "end the turn", "done", "e"), END),
    "concede": CONCEDE,
}
NUMBER = re.compile(r"new|[1-9]\d?")
FILLER_WORDS = re.compile(r">|,|\b(?:to|from|group|card|play|move|put)\b")
PROMPT_STEP_LIMIT = 1500
"""How many steps the prompt searches to see whether the turn can still be ended."""


def text(view: HuxxyView, action: int) -> str:
    """An action as text, as ``parse_action`` reads it."""
    if action < PLAY:
        return ("pick up", "end", "concede")[action]
    card, source, group = play_of(view, action)
    target = "new" if group == len(view.table) else str(group + 1)
    return f"{code(card)}>{target}" if source == HAND else f"{code(card)} {source + 1}>{target}"


def label(view: HuxxyView, action: int) -> str:
    """An action as a choice in a list."""
    if action < PLAY:
        return ("pick up a card  (ends the turn)", "end the turn", "concede: you lose, the others win")[action]
    card, source, group = play_of(view, action)
    target = "a new group" if group == len(view.table) else f"group {group + 1}"
    origin = "" if source == HAND else f" from group {source + 1}"
    return f"{symbol(card)}{origin} to {target}"


def explain(view: HuxxyView, action: int) -> str:
    """What an action does, in one sentence; empty if there is nothing to say."""
    if action == END:
        return f"This turn played {counted(view.placed, 'card')} from the hand, worth {counted(view.points, 'point')}."
    if action < PLAY:
        return pick_up_reason(view) if action == PICK_UP else ""
    card, source, group = play_of(view, action)
    before = () if group == len(view.table) else view.table[group]
    after = sorted((*before, card))
    effects = [f"gets rid of {counted(int(worth(card)), 'point')}"] if source == HAND else []
    if is_valid(*bit_sets(after)):
        does = "extends" if before and is_valid(*bit_sets(before)) else "completes"
        return f"It {' and '.join([*effects, f'{does} the group {symbols(after)}'])}."
    others = list(chain(view.hand, *(view.table[g] for g in range(len(view.table)) if g != group)))
    others.remove(card)
    if complete := completed_group(after, others, view.plays_left - 1):
        plan = symbols(complete)
        return f"It {effects[0]}, on the way to {plan}." if effects else f"It is on the way to {plan}."
    effects += ["starts a new group"] if not before else []
    return f"It {' and '.join(effects)}." if effects else ""


def completed_group(group: Sequence[int], others: Sequence[int], plays: int) -> list[int] | None:
    """A valid group that a group becomes with one or two other cards, in at most this many plays; None if none does."""
    for count in range(1, min(2, plays) + 1):
        for cards in combinations(others, count):
            if is_valid(*bit_sets(after := sorted((*group, *cards)))):
                return after
    return None


def pick_up_reason(view: HuxxyView) -> str:
    """Why to pick up a card, in one sentence; empty if the hand has a group or a card that fits a group."""
    hand, _ = bit_sets(view.hand)
    if best_triple(hand, 0):
        return ""
    fits = any(addable_faces(*bit_sets(group)) & hand for group in view.table)
    return "" if fits else "No three cards in hand make a group, and none fits a group on the table."


def parse_action(view: HuxxyView, words: str) -> int:
    """The action that a text means. Raises NotationError if it cannot be read or means several."""
    normalised = " ".join(words.lower().split())
    if normalised in WORDS:
        return WORDS[normalised]
    tokens = FILLER_WORDS.sub(" ", normalised).split()
    groups = [group_number(view, token) for token in tokens if NUMBER.fullmatch(token)]
    try:
        cards = [parse(token) for token in tokens if not NUMBER.fullmatch(token)]
    except NotationError as error:
        raise NotationError(f"{error}, or XX for the Joker" if JOKER in view.pack else str(error)) from None
    if len(cards) != 1 or len(groups) not in (1, 2):
        raise NotationError(
            f"{words[:40]!r} isn't a play: write one card and its group, such as 'KS>2' or 'KS>new', two groups to "
            "move it on the table, such as 'KS 1>2', or 'pick up' or 'end'."
        )
    card, group = cards[0], groups[-1]
    if card > JOKER:
        raise NotationError("The Joker of Huxxy is written XX.")
    if len(groups) == 1 and card in view.hand:
        return play_action(view.table, Play(card, HAND, group))
    sources = [g for g, cards in enumerate(view.table) if card in cards and (len(groups) == 1 or g == groups[0])]
    if len(sources) > 1:
        raise NotationError(
            f"{symbol(card)} is in several groups: name the one it comes from, such as '{code(card)} 1>2'."
        )
    if sources:
        return play_action(view.table, Play(card, sources[0], group))
    if len(groups) == 2:
        raise NotationError(f"{symbol(card)} is not in group {groups[0] + 1}.")
    return play_action(view.table, Play(card, HAND, group))


def group_number(view: HuxxyView, token: str) -> int:
    """The number that a group has in actions. Raises NotationError if no group can have it."""
    number = len(view.table) if token == "new" else int(token) - 1
    if number >= MAX_GROUPS:
        raise NotationError(f"There is no group {token}.")
    return number


def prompt(view: HuxxyView) -> str:
    """The question to the seat to move."""
    opened = view.opened[view.player]
    if view.plays == 0:
        needed = f" To open, play at least {counted(view.opening, 'point')} from your hand."
        return f"Pick up a card, or play up to {view.plays_a_turn} cards.{'' if opened or not view.opening else needed}"
    plays = view.plays_left
    question = f"{plays} {'play' if plays == 1 else 'plays'} left" if plays else "No play left"
    if not opened and view.opening:
        enough = view.points >= view.opening
        question += (
            f", {view.points} points (enough to open)" if enough else f", {view.points} of {view.opening} points"
        )
    return f"{question}: what do you do?{warning(view) or incomplete_groups(view)}"


def warning(view: HuxxyView) -> str:
    """A warning if the turn can no longer be ended, as far as can be seen quickly."""
    if can_end(view, PROMPT_STEP_LIMIT) is not False:
        return ""
    if not view.plays_left:
        return " The turn can't end like this: undo a play, or concede, which loses the game."
    return " Warning: you can no longer end this turn validly; undo a play."


def incomplete_groups(view: HuxxyView) -> str:
    """What must happen to groups that aren't valid yet before the turn can end; "" if all are valid."""
    numbers = [str(number) for number, group in enumerate(view.table, 1) if not is_valid(*bit_sets(group))]
    if not numbers:
        return ""
    those = f"Group {numbers[0]} isn't" if len(numbers) == 1 else f"Groups {listed(numbers)} aren't"
    return f" {those} valid yet: to end the turn, complete {'it' if len(numbers) == 1 else 'them'} or undo."


def describe(event: Event, seat: int, names: Names) -> str:
    """One sentence that tells ``seat`` what happened."""
    match event:
        case Started(players=players, hand_size=hand_size, hand=hand):
            dealt = f"{players} players get {hand_size} cards each."
            return dealt + (f" You hold {symbols(hand)}." if hand is not None else "")
        case PickedUp(who, card, next_player):
            what = "a card" if card is None else symbol(card)
            return f"{names[who]} {verb(who, seat, 'pick', 'picks')} up {what}.{turn_of(next_player, seat, names)}"
        case Played(who, card, group, True):
            return f"{names[who]} {verb(who, seat, 'start', 'starts')} group {group + 1} with {symbol(card)}."
        case Played(who, card, group, False):
            return f"{names[who]} {verb(who, seat, 'put', 'puts')} {symbol(card)} to group {group + 1}."
        case Moved(who, card, source, group, new):
            target = "a new group" if new else f"group {group + 1}"
            move = verb(who, seat, "move", "moves")
            return f"{names[who]} {move} {symbol(card)} from group {source + 1} to {target}."
        case TurnEnded(who, next_player):
            end = verb(who, seat, "end your turn", "ends the turn")
            return f"{names[who]} {end}.{turn_of(next_player, seat, names)}"
        case Conceded(who):
            return f"{names[who]} cannot end the turn and {verb(who, seat, 'concede', 'concedes')}."
        case Finished(hands):
            left = listed([f"{names[p]} {hand_left(hand)}" for p, hand in enumerate(hands)])
            return f"The game is over. In hand: {left}."
    raise TypeError(f"{event!r} isn't an event of Huxxy")


def hand_left(hand: Sequence[int]) -> str:
    """The cards left in a hand, and their cost."""
    return f"{symbols(hand) or 'nothing'} ({int(total_worth(*bit_sets(hand)))})"


def turn_of(next_player: int, seat: int, names: Names) -> str:
    """A sentence that says whose turn it is, to be added to another; empty after the end of the game."""
    if next_player == NONE:
        return ""
    return f" {names[next_player]} {verb(next_player, seat, 'are', 'is')} to play."


# Positions that people type in


FACTS = {
    "hand": "your cards",
    "table": "the groups on the table: 'AC 2D 3S, KS KH KD'",
    "counts": "how many cards the others hold, starting with the next player; default: as many as were dealt",
    "opened": "whether you have played cards in an earlier turn, yes or no; default: no",
}
EXAMPLE = '"4C 5D 6S KC 9H" --table "AC 2D 3S, KS KH KD" --opened yes'
PACKS = 2


def position(s: PlainState, facts: Facts) -> None:
    """Set up the position of the facts that people type; the other seats have opened if there is a table."""
    rules.clear(s)
    hand, table = facts.hand(PACKS), facts.rows("table", PACKS)
    if len(table) >= MAX_GROUPS:
        raise NotationError(f"--table: there are at most {MAX_GROUPS - 1} groups, not {len(table)}.")
    s.groups = len(table)
    for g, group in enumerate(table):
        s.group_once[g], s.group_twice[g] = bit_sets(group)
        if not is_valid(s.group_once[g], s.group_twice[g]):
            raise RuleError(f"--table: group {g + 1} isn't a run or a set, but every turn ends with valid groups.")
    rest = list(faces(s.pack, s.again))
    for card in chain(hand, *table):
        if card not in rest:
            raise NotationError(f"a card is given more often than {facts.game.name} has it.")
        rest.remove(card)
    facts.random.shuffle(rest)
    facts.rest = rest
    for p, cards in enumerate([hand, *map(facts.deal, facts.counts(default=s.hand_size))]):
        s.hand_once[p], s.hand_twice[p] = bit_sets(cards)
        s.opened[p] = int(bool(table) if p else facts.choice("opened", ("yes", "no"), default=1) == 0)
    s.stock_once, s.stock_twice = bit_sets(rest)


# The table


NEW_GROUP = "new"


def scene(view: HuxxyView, names: Names) -> Scene:
    """The position."""
    zones = []
    for number, cards in enumerate(view.table, 1):
        note = "" if is_valid(*bit_sets(cards)) else "not valid yet"
        zones.append(face_up(f"group{number}", f"Group {number}", cards, form="group", note=note))
    if not view.over:
        zones.append(Zone(NEW_GROUP, "A new group", -1, "group"))
    zones.append(Zone("stock", "Stock", -1, "backs", (), view.stock_count))
    zones += hands(view.seat, view.hand, view.hand_counts, names, view.hands or ())
    opened = ["" if opened or not view.opening else "not opened yet" for opened in view.opened]
    return Scene(tuple(zones), tuple(by_seat("Groups", opened, "")))


def parts(view: HuxxyView, action: int) -> tuple[Part, ...]:
    """The card of a play and the group that it goes to, or a button for an action without a card."""
    if action < PLAY:
        return (button(("pick up", "end", "concede")[action], bare_label(label(view, action))),)
    card, source, target = play_of(view, action)
    zone = f"hand{view.player}" if source == HAND else f"group{source + 1}"
    return card_part(f"{zone}:{code(card)}"), place(NEW_GROUP if target == len(view.table) else f"group{target + 1}")


def action_from_keys(view: HuxxyView, keys: frozenset[str]) -> int | None:
    """The action, legal or not, for the keys of a card and a group (default: a new one), or of the stock; else None."""
    if keys == {"stock"}:
        return PICK_UP
    groups = {f"group{number}": number - 1 for number in range(1, len(view.table) + 1)} | {NEW_GROUP: len(view.table)}
    cards, targets = [key for key in keys if ":" in key], [key for key in keys if ":" not in key] or [NEW_GROUP]
    if len(cards) != 1 or len(targets) > 1 or targets[0] not in groups:
        return None
    zone, _, card_text = cards[0].partition(":")
    if zone not in groups and zone != f"hand{view.player}":
        return None
    source = groups.get(zone, HAND)
    return play_action(view.table, Play(parse(card_text.partition(".")[0]), source, groups[targets[0]]))
