"""Explanations of moves are true of the position, by oracles that count from the view, and address nobody."""

import re
from collections import Counter
from itertools import chain, combinations
from random import Random

import pytest

import kibitz
from kibitz.cards import SUIT_NAMES
from kibitz.games.hearts.rules import QUEEN_OF_SPADES
from kibitz.games.huxxy.groups import is_valid
from kibitz.games.huxxy.view import bit_sets
from kibitz.games.poker.rules import CALL, RAISE
from kibitz.players.built_in import strategies

GAMES = ("bo", "cribbage", "eights", "go", "hearts", "huxxy", "president", "holdem", "leduc")
NUMBERS = ("no", "one", "two", "three", "four", "five", "six")
VALUES = {rank: min(rank + 1, 10) for rank in range(13)}
NAMES = ("A", *map(str, range(2, 11)), "J", "Q", "K")


def explained(name, seeds=4):
    """Legal actions with their explanations, in random games."""
    game = kibitz.game(name)
    for seed in range(seeds):
        random, state = Random(seed), game.deal(seed)
        for _ in range(120):
            if state.over:
                break
            view, legal = game.view(state, state.player), game.legal(state)
            for action in random.sample(legal, min(len(legal), 12)):
                yield game, state, view, action, game.words.explain(view, action)
            game.advance(state, random.choice(legal))


@pytest.mark.parametrize("name", GAMES)
def test_nearly_every_move_of_a_player_has_a_reason(name):
    game, sentences = kibitz.game(name), []
    player = strategies(game)["greedy"]
    for seed in range(2):
        random, state = Random(seed), game.deal(seed)
        for _ in range(30):
            if state.over:
                break
            view, legal = game.view(state, state.player), game.legal(state)
            action = player(view, legal, random)
            if len(legal) > 1:
                sentences.append(game.words.explain(view, action))
            game.advance(state, action)
    assert sentences.count("") <= len(sentences) / 20


@pytest.mark.parametrize("name", GAMES)
def test_an_explanation_is_one_line_of_sentences_without_you(name):
    said = {sentence for *_, sentence in explained(name, 2)}
    assert len(said) > 1
    for sentence in said - {""}:
        assert re.fullmatch(r"[A-Z0-9].*\.", sentence)
        assert not re.search(r"\byou", sentence, re.IGNORECASE), "a review explains the moves of others"


def test_cribbage_explains_kept_cards_and_safe_counts():
    for _, _, view, action, sentence in explained("cribbage"):
        if view.discarding:
            kept = [card for i, card in enumerate(view.hand) if not (action - 53) >> i & 1]
            if len(kept) != 4:
                continue
            sentence, crib, _ = sentence.partition(", and the crib gets")
            assert not crib or view.dealer == view.player
            ranks = [card >> 2 for card in kept]
            fifteens = sum(
                sum(VALUES[card >> 2] for card in some) == 15 for n in (2, 3, 4) for some in combinations(kept, n)
            )
            said = re.search(r"(\w+) fifteen", sentence)
            assert NUMBERS.index(said[1] if said else "no") == fifteens
            runs = [run for n in (3, 4) for run in combinations(sorted(set(ranks)), n) if run[-1] - run[0] == n - 1]
            assert ("the run" in sentence) == bool(runs)
            assert all("-".join(NAMES[rank] for rank in run) in sentence for run in runs)
            assert (re.search("pair|(three|four) (?!fifteen)", sentence) is not None) == (len(set(ranks)) < 4)
        elif "from which no card makes" in sentence:
            count = view.count + VALUES[action >> 2]
            assert not {count + value for value in VALUES.values()} & {15, 31}


def test_eights_counts_the_cards_playable_next():
    for game, state, view, action, sentence in explained("eights"):
        if said := re.search(r"(\d+|none|each) of the (\d+) cards left", sentence):
            after = state.copy()
            game.advance(after, action)
            after.player = view.player
            playable = [each for each in game.legal(after) if each < 52]
            left = len(view.hand) - 1
            assert said.groups() == ({0: "none", left: "each"}.get(len(playable), str(len(playable))), str(left))
        elif "No card in hand can be played" in sentence:
            assert not [each for each in game.legal(state) if each < 52]


def test_hearts_move_said_to_stay_under_does_not_win_the_trick():
    for game, state, view, action, sentence in explained("hearts", 4):
        if "stays under" in sentence or "can't take" in sentence:
            after = state.copy()
            game.advance(after, action)
            while not after.over and None in game.view(after, 0).trick and sum(after.hand[:4]):
                game.advance(after, game.legal(after)[0])
            assert after.leader != view.player or after.deals != state.deals or after.over


def test_hearts_says_what_the_cards_to_pass_are():
    checked = 0
    for _, _, view, action, sentence in explained("hearts", 20):
        passed = {*view.given, action}
        if not view.passing or len(passed) < 3:
            continue
        assert ("queen of spades" in sentence) == (QUEEN_OF_SPADES in passed)
        for suit, name in enumerate(SUIT_NAMES[:3]):
            held = sorted((card for card in view.hand if card & 3 == suit), key=lambda card: (card >> 2) - 1 & 15)
            if f"only {name[:-1]}" in sentence or f"all the {name}" in sentence:
                assert passed >= {*held}
                checked += 1
            elif said := re.search(rf"the (?:(\d) )?highest {name[:-1]}", sentence):
                assert {*held[-int(said[1] or 1) :]} == passed & {*held}
                checked += 1
    assert checked > 100


def test_hearts_counts_the_higher_cards_that_others_hold():
    for _, state, view, action, sentence in explained("hearts", 4):
        if said := re.search(r"(\d+|no) higher \w+ (?:is|are) still out", sentence):
            others = [card for p in range(4) if p != view.player for card in kibitz.cards.cards_of(state.hand[p])]
            higher = [
                card for card in others if card & 3 == action & 3 and (card >> 2) - 1 & 15 > (action >> 2) - 1 & 15
            ]
            assert int(said[1].replace("no", "0")) == len(higher)
        elif "Every" in sentence:
            led = view.trick[view.leader]
            assert all((card >> 2) - 1 & 15 > (led >> 2) - 1 & 15 for card in view.hand if card & 3 == led & 3)


def test_a_hand_of_five_in_president_is_named():
    fives = [
        (game.words.label(view, action), sentence)
        for game, _, view, action, sentence in explained("president")
        if len(game.text(view, action).split()) == 5 and "No other" not in sentence
    ]
    assert fives
    for label, sentence in fives:
        assert sentence.startswith(f"The {label.partition('(')[2].rstrip(')')} "), (label, sentence)


def test_president_move_called_unbeatable_is_never_beaten():
    told = 0
    for game, state, view, action, sentence in explained("president"):
        if sentence.startswith("No other player can beat it") and len(view.hand) > 1:
            after = state.copy()
            game.advance(after, action)
            while not after.over and after.last == view.player and after.player != view.player and after.pile != -1:
                assert [game.words.text(None, each) for each in game.legal(after)] == ["pass"]
                game.advance(after, game.legal(after)[0])
                told += 1
    assert told


def test_president_lowest_beating_card_is_the_lowest_legal_one():
    for game, state, view, action, sentence in explained("president"):
        if said := re.match(
            r"It is the lowest (card|pair|\w+ of a kind) in hand that beats (.+?)(?: and|\.)", sentence
        ):
            assert said[2] == kibitz.cards.symbols(view.pile)
            lower = [each for each in game.legal(state) if each < action]
            assert not lower or "breaks up no pair" in sentence
            assert all(game.words.label(view, each)[:-1] in paired_values(view.hand) for each in lower)


def paired_values(hand):
    """The values that a hand holds twice or more, as symbols."""
    values = [kibitz.cards.symbol(card)[:-1] for card in hand]
    return {value for value in values if values.count(value) > 1}


def test_go_names_the_score_of_the_new_group():
    for game, state, view, action, sentence in explained("go", 3):
        if said := re.fullmatch(r"The group is worth (\d+)\.", sentence):
            after = state.copy()
            game.advance(after, action)
            gained = game.view(after, view.player).scores[view.player] - view.scores[view.player]
            assert gained == int(said[1])
        elif said := re.fullmatch(r"It makes (.+), a group worth (\d+)\.", sentence):
            cards = kibitz.cards.parse_hand(said[1])
            assert action in cards
            assert set(cards) <= {*view.discards[view.player], action}
            ranks = sorted(card >> 2 for card in cards)
            kind = len(set(ranks)) == 1
            factorial = [0, 1, 2, 6, 24][len(cards)] if kind else 0
            low = min(rank for rank in [*ranks, 13] if rank or kind) + 1  # an Ace in a run stands for another card
            assert int(said[2]) == (factorial * low if kind else sum(range(low, low + len(ranks))))


def test_bo_names_a_stockpile_card_only_if_it_can_be_played_next():
    told = 0
    for game, state, view, action, sentence in explained("bo", 12):
        if "can go there next" in sentence:
            after = state.copy()
            game.advance(after, action)
            assert after.player == view.player
            pile = game.words.text(view, action).partition(">")[2]
            texts = [game.text(game.view(after, after.player), each) for each in game.legal(after)]
            assert any(text.endswith(f" s>{pile}") for text in texts)
            told += 1
    assert told


def test_huxxy_names_groups_that_the_seat_can_make():
    told = 0
    for _, _, view, _, sentence in explained("huxxy", 6):
        if said := re.search(r"on the way to (.+)\.", sentence):
            group = kibitz.cards.parse_hand(said[1], packs=2)
            assert is_valid(*bit_sets(group))
            assert not Counter(group) - Counter(chain(view.hand, *view.table))
            told += 1
        elif "No three cards in hand make a group" in sentence:
            assert not any(is_valid(*bit_sets(three)) for three in combinations(view.hand, 3))
            assert not any(is_valid(*bit_sets((*group, card))) for group in view.table for card in view.hand)
    assert told


def test_poker_gives_the_break_even_share_of_a_call_and_of_a_bet():
    told = 0
    for game, state, view, action, sentence in explained("holdem", 6):
        pot = sum(view.paid) + view.dead
        if said := re.match(r"A call costs (\d+) for a pot of (\d+): it must win (\d+)% to pay", sentence):
            price, named_pot, share = map(int, said.groups())
            assert (price, named_pot) == (view.turn.to_call, pot)
            assert abs(100 * price / (pot + price) - share) <= 0.5
            told += 1
        elif said := re.match(r"It costs (\d+) for a pot of (\d+): .+ folds (\d+)% of the time", sentence):
            cost, named_pot, share = map(int, said.groups())
            assert (named_pot, len(view.live)) == (pot, 2)
            assert cost <= view.chips[view.player]
            assert abs(100 * cost / (pot + cost) - share) <= 0.5
            told += 1
        elif said := re.match(r"Unless somebody folds, it must win (\d+)% to pay", sentence):
            after = state.copy()
            for each in (action, *[CALL] * (len(view.live) - 1)):
                game.advance(after, each)
            cost = after.paid[view.player] - view.paid[view.player]
            if cost == action - RAISE - view.bets[view.player]:  # no chips come back
                assert abs(100 * cost / (sum(after.paid[: game.seats]) + view.dead) - int(said[1])) <= 0.5
            told += 1
    assert told
