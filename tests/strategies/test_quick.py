"""Choices of quick, against oracles written from the docstrings of its games."""

from functools import cache
from itertools import combinations, pairwise
from random import Random

import pytest

import kibitz
from kibitz.cards import parse_cards
from kibitz.engine.kernels.policies import choose_action, seeded_rng
from kibitz.games.cribbage import policies as cribbage
from kibitz.games.cribbage.rules import ACTIONS as CRIBBAGE_ACTIONS
from kibitz.games.cribbage.rules import DISCARD, GO
from kibitz.games.eights import policies as eights
from kibitz.games.eights.rules import CALL, DRAW, PASS
from kibitz.games.go import policies as go
from kibitz.games.go.drafts import worth_table as worth_in_go
from kibitz.games.go.groups import is_valid as is_group
from kibitz.games.go.groups import score
from kibitz.games.go.rules import GROUP
from kibitz.games.huxxy import policies as huxxy
from kibitz.games.huxxy.groups import is_valid
from kibitz.games.poker import policies as poker
from kibitz.games.president import policies as president
from kibitz.games.president.moves import cards_in
from tests.games.president_table import cards as heights_of
from tests.oracles.cribbage_by_hand import brute_play, rank, worth


def held(cards):
    """The cards of a set."""
    return [card for card in range(53) if cards >> card & 1]


def of(text):
    """A set of cards."""
    return sum(1 << card for card in parse_cards(text.split()))


def check_choices(name, module, games, expected):
    """Check that quick makes the expected choices in games of its own and random actions; return their number."""
    game, number = kibitz.game(name), list(module.POLICIES).index("quick")
    rng, choices = seeded_rng(game, 0), 0
    for seed in range(games):
        state, random = game.deal(seed), Random(seed)
        while not state.over and choices < 60 * games:
            legal = game.legal(state)
            action = choose_action(game, state, number, rng)
            right = expected(game, state, legal)
            assert action in (right if isinstance(right, list) else [right]), (name, seed, legal)
            choices += len(legal) > 1
            game.rules.apply(state, action if random.random() < 0.7 else random.choice(legal))
    return choices


def expected_in_eights(game, state, legal):
    """The suit held most often; else the playable card with most followers, ties by cost; eights last."""
    hand = held(state.hand[state.player])
    if state.calling:
        return CALL + max(range(4), key=lambda suit: (sum(card & 3 == suit for card in hand), -suit))
    cards = [action for action in legal if action < 52]
    if not cards:
        return DRAW if DRAW in legal else PASS

    def weighed(card):
        alike = sum(other >> 2 == card >> 2 or other & 3 == card & 3 for other in hand)
        return (0, 0, -card) if card >> 2 == 7 else (alike, min(10, (card >> 2) + 1), -card)

    return max(cards, key=weighed)


def test_quick_of_eights_plays_the_card_with_most_followers():
    assert check_choices("eights", eights, 12, expected_in_eights) > 200
    assert check_choices("eights-mini", eights, 30, expected_in_eights) > 20


def points_in_cribbage(cards):
    """Points for pairs, runs and fifteens of some cards."""
    found = sum(2 for one, other in combinations(cards, 2) if rank(one) == rank(other))
    found += sum(2 for n in range(2, len(cards) + 1) for some in combinations(cards, n) if sum(map(worth, some)) == 15)
    for n in range(len(cards), 2, -1):
        runs = [some for some in combinations(cards, n) if is_run(sorted(map(rank, some)))]
        if runs:
            return found + n * len(runs)
    return found


def is_run(ranks):
    """Whether ranks follow one another."""
    return all(later == one + 1 for one, later in pairwise(ranks))


def expected_in_cribbage(game, state, legal):
    """Discards: cards kept count double, the crib for or against. Play: the card with most points, safest count."""
    hand = held(state.hand[state.player])
    if legal[0] >= DISCARD:

        def weighed(action):
            away = [card for place, card in enumerate(hand) if (action - DISCARD) >> place & 1]
            kept = [card for card in hand if card not in away]
            gone = 3 * points_in_cribbage(away) + 4 * sum(rank(card) == 5 for card in away)
            return 4 * points_in_cribbage(kept) + (gone if state.player == state.dealer else -gone), -action

        return max(legal, key=weighed)
    if legal == [GO]:
        return GO
    trail = state.played[state.first : state.plays]

    def scored(card):
        points = brute_play([*trail, card])[2]
        count = sum(map(worth, trail)) + worth(card)
        easy = 70 * (count in (5, 21)) + 20 * (5 < count < 15 or 21 < count < 31)
        return 64 * points + card - easy

    return max(legal, key=scored)


def test_quick_of_cribbage_keeps_and_plays_the_highest_scores():
    assert CRIBBAGE_ACTIONS > DISCARD
    assert check_choices("cribbage:target=61", cribbage, 6, expected_in_cribbage) > 150


def groups_of_three(hand, must=()):
    """The first group of three with the most points, the cards in order; 0 if there is none."""
    best = ()
    for some in combinations(held(hand), 3):
        group = sum(1 << card for card in some)
        if is_valid(group, 0) and set(must) <= set(some) and (not best or points(some) > points(best)):
            best = some
    return sum(1 << card for card in best)


def points(some):
    """The points of cards in an opening turn; a Joker counts nothing."""
    return sum((card >> 2) + 1 if card < 52 else 0 for card in some)


def random_hands(number, most=14):
    """Random sets of cards, sometimes with the Joker."""
    random = Random(7)
    for _ in range(number):
        yield sum(1 << card for card in random.sample(range(53), random.randrange(most)))


def test_quick_of_huxxy_finds_the_triple_with_most_points():
    found = set()
    for hand in random_hands(60):
        best = groups_of_three(hand)
        assert huxxy.best_triple(hand, 0) == best
        must = held(hand)[:2]
        assert huxxy.best_triple(hand, sum(1 << card for card in must)) == groups_of_three(hand, must)
        rest = groups_of_three(hand & ~best)
        for need in (0, 20, 24, 39, points(held(best)), points(held(best)) + 1, points(held(best | rest))):
            for left in (3, 5, 6):
                enough = bool(best) and (
                    points(held(best)) >= need or (left > 5 and points(held(best)) + points(held(rest)) >= need)
                )
                assert bool(huxxy.triples_suffice(hand, need, left)) == enough
        found.add((bool(best), bool(rest)))
    assert found == {(False, False), (True, False), (True, True)}


@pytest.mark.parametrize(
    ("hand", "group", "card"),
    [
        ("4S 9C KD", "KS KH", "KD"),
        ("4S 9C", "KS KH", None),
        ("2D 9C KD KC", "KS KH", "KD"),
        ("4H QC QD", "2D 3C", "4H"),
        ("AC AH 4H", "2D 3C", "4H"),
        ("AS 4D", "2D 3C", "4D"),
        ("AS 9D", "2D 3C", "AS"),
        ("2D 3C 9S", "4H", "2D"),
        ("4D 4C 9S", "4H", "4D"),
        ("9D 8C", "4H", None),
        ("XX 4D", "4H 4S", "XX"),
    ],
)
def test_quick_of_huxxy_completes_a_group_with_the_costliest_card(hand, group, card):
    assert huxxy.completing_card(of(hand), of(group)) == (-1 if card is None else parse_cards([card])[0])


@pytest.mark.parametrize(
    ("hand", "card"), [("", None), ("2D", "2D"), ("2D KC 9S", "KC"), ("KD KC", "KD"), ("KD XX", "XX"), ("AD AS", "AD")]
)
def test_costliest_card_is_the_first_of_equal_cost(hand, card):
    assert huxxy.costliest_card(of(hand)) == (-1 if card is None else parse_cards([card])[0])


def expected_in_president(game, state, legal):
    """Lead the most cards, low before high and twos last; follow low, without breaking sets or playing twos early."""
    hand = state.hand[state.player]
    if len(legal) == 1:
        return legal[0]
    if state.phase:
        own = [card for card in range(52) if hand >> card & 1]
        allowed = sorted(action - president.TRADE for action in legal if action < president.ANY_OF_VALUE)
        strange = [card for card in allowed if card not in own]
        return president.TRADE + (allowed[0] if state.phase != president.ASK else (strange or allowed)[-1])
    size = hand.bit_count()
    moves = [(action, held(cards_in(action))) for action in legal if action != president.PASS]
    if state.pile < 0:

        def leads(move):
            action, cards = move
            keeps = 300 if cards[-1] >= 48 and size > len(cards) else 0
            return 128 * len(cards) - cards[-1] + (8 if action >= president.TRIPLE else 0) - keeps

        return max(moves, key=leads)[0]
    danger = any(0 < state.hand[p].bit_count() <= 2 for p in range(state.players) if p != state.player)

    def costs(move):
        cards = move[1]
        left = [card for card in held(hand) if card not in cards and card // 4 in {one // 4 for one in cards}]
        early = cards[-1] >= 48 and size > len(cards) + 4 and not danger
        return cards[-1] + 6 * len(left) + 1000 * early

    best = min(moves, key=costs)
    return best[0] if costs(best) < 1000 or danger else president.PASS


@pytest.mark.parametrize("name", ["president", "president-mini", "president-asking", "president-open"])
def test_quick_of_president_leads_many_cards_and_follows_low(name):
    assert check_choices(name, president, 4, expected_in_president) > 30


def test_cards_left_of_a_value_are_counted_for_fives():
    assert president.cards_left_of_values(heights_of("5D 5C 9H"), heights_of("5D")) == 1


@cache
def best_score(cards):
    """The highest score of any grouping of a set of cards, by trying every group of the lowest card."""
    if not cards:
        return 0
    low = cards & -cards
    return max(int(score(part)) + best_score(cards & ~part) for part in parts_of(cards) if part & low)


def parts_of(cards):
    """Every valid group of some cards."""
    every = held(cards)
    for n in range(1, len(every) + 1):
        for some in combinations(every, n):
            part = sum(1 << card for card in some)
            if is_group(part):
                yield part


def best_group(state, legal):
    """The groups after which the best score of the remaining cards is still possible."""
    left = state.ungrouped[state.player]
    own = sorted(card for card in held(state.laid[state.player]))
    fine = []
    for action in legal:
        part = sum(1 << own[place] for place in range(len(own)) if (action - GROUP) >> place & 1)
        if int(score(part)) + best_score(left & ~part) == best_score(left):
            fine.append(action)
    return fine


def expected_in_go(game, state, legal):
    """Play: the card whose kind promises most, ties by the highest. Grouping: any group of a best grouping."""
    if state.grouping:
        return best_group(state, legal)
    p, n = state.player, state.players
    turns = state.hand_size - state.turn - 1

    def promise(card):
        kinds = [sum(state.laid[q] >> 4 * (card >> 2) + k & 1 for k in range(4)) for q in range(n)]
        about = 3 - sum(kinds)
        if about < 0 or kinds[p] + about > 3:
            return 0
        return round(16 * worth_in_go()[turns][kinds[p]][about][card >> 2])

    return max(legal, key=lambda card: (promise(card), card))


@pytest.mark.parametrize(("name", "games"), [("go", 1), ("go-mini", 20)])
def test_quick_of_go_plays_promising_cards_and_groups_optimally(name, games):
    assert check_choices(name, go, games, expected_in_go) >= 40


@pytest.mark.parametrize(
    ("hand", "looks"),
    [
        ("AS AD", 150 + 8 * 12), ("2S 2D", 150), ("AS KS", 20 + 8 * 12 + 4 * 11 + 10 + 8), ("AS KD", 20 + 96 + 44 + 8),
        ("KS TS", 20 + 8 * 11 + 4 * 8 + 10), ("KS JD", 20 + 88 + 36 + 8), ("7S 2D", 20 + 8 * 5), ("3C 2C", 20 + 8 + 18),
        ("2C 3D", 20 + 8 + 8), ("QS 9S", 20 + 80 + 28 + 10), ("JH 9C", 20 + 72 + 28 + 8),
    ],
)  # fmt: skip
def test_two_cards_are_rated_by_rank_suit_and_gap(hand, looks):
    s = kibitz.game("holdem").deal(1)
    s.held[s.player] = of(hand.replace("T", "0"))
    assert poker.hand_strength(s) == looks


@pytest.mark.parametrize(
    ("name", "hand", "board", "looks"),
    [
        ("kuhn", "JS", "", 0), ("kuhn", "QS", "", 127), ("kuhn", "KS", "", 255), ("leduc", "JS", "", 255 // 5),
        ("leduc", "QS", "", 255 * 3 // 5), ("leduc", "KS", "", 255), ("leduc", "QS", "QH", 240),
        ("leduc", "QS", "KH", 153),
    ],
)  # fmt: skip
def test_a_single_card_is_rated_by_the_share_of_cards_not_above_it(name, hand, board, looks):
    s = kibitz.game(name).deal(1)
    s.held[s.player] = of(hand)
    s.board[0], s.shown_cards = (parse_cards([board])[0], 1) if board else (-1, 0)
    assert poker.hand_strength(s) == looks


@pytest.mark.parametrize(
    ("hand", "board", "looks"),
    [
        ("AS KD", "QC 7H 2S", 40), ("AS KD", "QC JH TS", 222), ("AS AD", "QC 7H 2S", 128 + 24),
        ("2S 2D", "QC 7H 3S", 128),
        ("AS KD", "7C 7H 2S", 128 + 10 - 70), ("AS KD", "AC 7H 2S", 128 + 24), ("AS AD", "7C 7H 2S", 184),
        ("7S 7D", "7C KH 2S", 208), ("AS KS", "QS 7S 2S", 232), ("AS AD", "AC 7H 7S", 242), ("7S 7D", "7C 7H 2S", 250),
        ("9S 8S", "7S 6S 5S", 255), ("3S 2D", "AC KH QD JS TC", 222 - 60), ("3S 2D", "AC KH QD JS 9C", 0),
        ("3S 2D", "AC AH QD JS 9C", 128 + 24 - 60 - 70), ("AS QC", "AC AH QD JS 9C", 242),
    ],
)  # fmt: skip
def test_five_cards_are_rated_by_category_and_less_if_on_the_board(hand, board, looks):
    assert poker.made_hand_strength(of(hand.replace("T", "0")), of(board.replace("T", "0"))) == looks


@pytest.mark.parametrize(
    ("hand", "thrown"),
    [
        ("2C 5D 9H JS KC", "2C 5D 9H"), ("2C 5D 9H 9S KC", "2C 5D KC"), ("2C 2D 9H 9S KC", "KC"),
        ("9C 9D 9H 9S KC", "KC"),
        ("9C 9D KH KS KC", ""), ("AC 9D 9H JS KC", "AC JS KC"),
    ],
)  # fmt: skip
def test_quick_of_poker_discards_unpaired_cards(hand, thrown):
    places = poker.discard_places(of(hand), 5)
    assert sum(1 << card for place, card in enumerate(held(of(hand))) if places >> place & 1) == of(thrown)


def test_quick_of_poker_keeps_a_hand_of_one_or_two_cards():
    assert poker.discard_places(of("9C"), 1) == poker.discard_places(of("9C KD"), 2) == 0
