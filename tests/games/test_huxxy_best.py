"""The best turn of Huxxy against trying every sequence of plays."""

from collections import Counter
from random import Random

import pytest

from kibitz.cards import parse_cards
from kibitz.engine.registry import game
from kibitz.games.huxxy import best, policies, search_state
from kibitz.games.huxxy.groups import is_valid, points, worth
from kibitz.games.huxxy.view import bit_sets
from tests.contract.groups import sharing
from tests.games.test_huxxy_groups import is_group
from tests.parts import share

pytestmark = sharing("huxxy")

JOKER = 52
WEIGHT = {
    "cards": lambda card: 4096 + worth(card),
    "points": lambda card: 64 * points(card) + 1,
    "worth": lambda card: 64 * worth(card) + 1,
}


def after(table, source, goal, card):
    """The table after a card moves to a group from another or from the hand; None if the group gets two Jokers."""
    groups = [list(cards) for cards in table] + [[]] * (goal == len(table))
    if source != best.HAND:
        groups[source].remove(card)
    groups[goal] = sorted([*groups[goal], card])
    return None if groups[goal].count(JOKER) > 1 else tuple(map(tuple, groups))


def brute_force(hand, table, left, min_cards, min_points, goal, rearrange):
    """The best score of any turn and the fewest plays that reach it, by trying every order of single plays."""
    start = (tuple(sorted(hand)), tuple(tuple(sorted(cards)) for cards in table))
    seen, layer, top = set(), [start], (None, None)
    for step in range(left + 1):
        next_layer = []
        for held, groups in layer:
            placed = list((Counter(hand) - Counter(held)).elements())
            enough = len(placed) >= min_cards and sum(map(points, placed)) >= min_points
            if enough and all(is_valid(*bit_sets(cards)) for cards in groups):
                score = sum(map(WEIGHT[goal], placed))
                if top[0] is None or score > top[0]:
                    top = score, step
            plays = [(best.HAND, card) for card in set(held)]
            if rearrange and (placed or not min_cards):
                plays += [(g, card) for g, cards in enumerate(groups) for card in set(cards)]
            for source, card in plays if step < left else ():
                rest = list(held)
                if source == best.HAND:
                    rest.remove(card)
                for to in range(len(groups) + 1):
                    position = (tuple(rest), after(groups, source, to, card)) if to != source else (None, None)
                    mark = (position[0], tuple(sorted(position[1] or ())))
                    if position[1] is not None and mark not in seen:
                        seen.add(mark)
                        next_layer.append(position)
        layer = next_layer
    return top


def random_position(random, moved_cards):
    """A hand and a table of valid groups of six values; then ``moved_cards`` cards are moved at random."""
    pack = Counter(dict.fromkeys(range(24), 2) | {JOKER: random.choice([0, 0, 2])})
    table = []
    while len(table) < 1 + random.randrange(3):
        if random.random() < 0.6:
            low, colour = random.randrange(4), random.randrange(2)
            values = range(low, min(6, low + random.randrange(3, 6)))
            cards = [4 * value + (colour + value & 1) + 2 * random.randrange(2) for value in values]
        else:
            value = random.randrange(6)
            cards = random.sample([4 * value + suit for suit in range(4)], random.choice([3, 4]))
        if random.random() < 0.2:
            cards[random.randrange(len(cards))] = JOKER
        if is_group(cards) and not Counter(cards) - pack:
            pack -= Counter(cards)
            table.append(cards)
    for _ in range(moved_cards):
        source, goal = random.randrange(len(table)), random.randrange(len(table) + 1)
        if source != goal and table[source]:
            moved = after(table, source, goal, random.choice(table[source]))
            table = table if moved is None else [list(cards) for cards in moved]
    return random.sample(list(pack.elements()), random.randrange(1, 5)), table


def check_plays(hand, table, turn, left, min_cards, min_points):
    """Check that the plays can be made in order and end the turn."""
    held, groups = list(hand), tuple(map(tuple, table))
    assert len(turn.plays) <= left
    for number, (card, source, goal) in enumerate(turn.plays):
        assert source != best.HAND or held.remove(card) is None
        assert number or source == best.HAND or not min_cards
        assert 0 <= goal <= len(groups)
        assert goal != source
        groups = after(groups, source, goal, card)
    assert all(is_group(list(cards)) for cards in groups)
    assert turn.cards >= min_cards
    assert turn.points >= min_points


def compare(seed):
    """Search one random position in both ways, and return the kind of turn that was found."""
    random = Random(f"huxxy {seed}")
    hand, table = random_position(random, random.choice([0, 0, 0, 1, 2]))
    left = random.choice([1, 2, 3, 3, 4]) if sum(map(len, table)) < 11 else random.choice([1, 2, 3])
    min_cards, min_points = random.choice([0, 1, 1]), random.choice([0, 0, 0, 8])
    goal, rearrange = random.choice(list(WEIGHT)), random.random() < 0.85
    expected, fewest = brute_force(hand, table, left, min_cards, min_points, goal, rearrange)
    turn = best.best_turn(
        hand, table, goal=goal, plays_left=left, min_cards=min_cards, min_points=min_points, rearrange=rearrange
    )
    ends = best.run_search(hand, table, (search_state.ANY, left, min_cards, min_points, rearrange))[search_state.FOUND]
    assert bool(ends) == (expected is not None), (seed, hand, table)
    if turn is None:
        assert expected is None, (seed, hand, table)
        return "none"
    score = sum(WEIGHT[goal](play.card) for play in turn.plays if play.source == best.HAND)
    assert (score, len(turn.plays)) == (expected, fewest), (seed, hand, table)
    check_plays(hand, table, turn, left, min_cards, min_points)
    return "moves" if turn.cards < len(turn.plays) else "hand"


def test_best_turn_of_small_positions_matches_brute_force():
    found = Counter(compare(seed) for seed in range(12))
    assert min(found["none"], found["moves"], found["hand"]) > 0


@pytest.mark.long
@pytest.mark.parametrize("part", share(range(10), 5))
def test_best_turn_of_many_small_positions_matches_brute_force(part):
    for seed in range(1000 + 100 * part, 1100 + 100 * part):
        compare(seed)


def test_machine_code_searches_exactly_as_python(monkeypatch):
    """Word for word of the search's memory, on valid tables and on some that are not."""
    tasks = []
    for seed in range(20):
        random = Random(f"twin {seed}")
        hand, table = random_position(random, random.choice([0, 0, 1, 2]))
        goal, left = random.choice(list(best.GOALS.values())), random.choice([2, 3, 4])
        tasks.append((hand, table, (goal, left, 1, 0, seed % 4 > 0)))
    found = []
    for solver in (best.plain_solver, best.fast_solver):
        monkeypatch.setattr(best, "solver", solver)
        found.append([list(map(int, best.run_search(hand, table, task))) for hand, table, task in tasks])
    assert found[0] == found[1]
    assert len({words[search_state.FOUND] for words in found[0]}) == 2


def cards(text):
    return [parse_cards(part) for part in text.split("/")] if text else []


def turn_of(hand, table, **options):
    return best.best_turn(parse_cards(hand), cards(table), **options)


def test_a_card_in_the_middle_splits_a_run():
    turn = turn_of("6H", "4D 5S 6D 7C 8H", min_points=0)
    assert turn.cards == 1
    assert len(turn.plays) in (3, 4)


def test_no_opening_turn_is_found_below_24_points():
    assert turn_of("AC AH AD", "", min_points=24) is None
    assert turn_of("KC KH", "KD KS 2H", plays_left=2, min_cards=0, min_points=26) is None
    assert turn_of("KC KH KD", "", min_points=24).points == 39


def test_each_goal_finds_its_own_best_turn():
    table = ""
    hand = "AC 2H 3S 4D KC KH KD"
    assert turn_of(hand, table, plays_left=4).cards == 4
    assert turn_of(hand, table, plays_left=4, goal="points").points == 39
    assert turn_of("XX 2H 3S KC KH KD", table, plays_left=3, goal="worth").worth == 48 + 26


def test_best_turn_may_have_no_further_plays():
    assert turn_of("2H", "KC KH KD", plays_left=3, min_cards=0).plays == ()


@pytest.mark.parametrize("name", ["huxxy", "huxxy-bonus"])
def test_greedy_plays_whole_games_without_conceding(name):
    played, random = game(name), Random(3)
    for seed in range(3):
        state = played.deal(seed)
        while not state.over:
            view = played.view(state, state.player)
            assert best.can_end(view)
            played.play(state, policies.greedy(view, played.legal(state), random))
        assert state.loser == -1


def test_leading_plays_never_force_a_concession():
    played, random = game("huxxy"), Random(4)
    state = played.deal(6)
    moves = 0
    while not state.over and moves < 40:
        view = played.view(state, state.player)
        legal = best.main_actions(view, played.legal(state))
        assert legal
        played.play(state, random.choice(legal))
        moves += 1
    assert state.loser == -1


def test_prompt_warns_once_the_turn_cannot_end():
    played = game("huxxy")
    state = played.deal(3)
    assert best.can_end(played.view(state, 0)) is True
    played.play(state, played.parse(played.view(state, 0), "AH>new"))
    view = played.view(state, 0)
    assert best.can_end(view) is False
    assert "Warning" in played.words.prompt(view)
    assert best.can_end(view, 1) is None


def test_ties_are_decided_in_the_documented_order():
    """First the goal, then the second criterion, then the fewest plays, then the fewest changes to the table."""
    kings, twos = parse_cards(["KC", "KH", "KD"]), parse_cards(["2C", "2H", "2D"])
    turn = best.best_turn([*twos, *kings], [], plays_left=3)
    assert sorted(play.card for play in turn.plays) == sorted(kings), "equally many cards: the highest"
    king_and_aces = parse_cards(["KC", "6S", "6C", "AS"])
    table = [parse_cards(["KS", "KH", "KD"]), parse_cards(["6H", "6D", "AC"]), parse_cards(["AH", "AD"])]
    for goal in ("cards", "points", "worth"):
        plays = best.best_turn(king_and_aces, table, goal=goal).plays
        assert len([play for play in plays if play.source == best.HAND]) == 4
        assert len(plays) == 5, "only the misplaced Ace is moved"
    stays = best.best_turn(
        parse_cards(["4C"]), [parse_cards(["AC", "2H", "3S"]), parse_cards(["4S", "4H", "4D"])]
    ).plays
    assert [play.source for play in stays] == [best.HAND]


def test_limited_search_still_completes_a_started_turn(monkeypatch):
    """Without machine code; with a high step_limit the turn is the best one."""
    monkeypatch.setattr(best, "solver", best.plain_solver)
    table = [parse_cards(text) for text in ("AC 2H 3S 4D", "5C 6H 7S 8D", "9C 9D 9H 9S", "KC")]
    hand = parse_cards("KD KH 2C 3H 4S JD JH JS")
    begun = {"plays_left": 5, "min_cards": 0}
    whole = best.best_turn(hand, table, **begun)
    limited = best.best_turn(hand, table, **begun, step_limit=1)
    assert whole is not None
    assert limited is not None, "the turn can be ended, and is"
    assert best.best_turn(hand, table, **begun, step_limit=10**9) == whole
    assert limited.cards <= whole.cards
    assert best.best_turn(hand, table[:3], step_limit=1) is None
    assert best.best_turn(hand, table[:3]) is not None
