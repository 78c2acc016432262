"""Groups of Huxxy, against a check written from the rules that looks at cards one by one."""

from collections import Counter
from itertools import combinations, combinations_with_replacement, pairwise
from random import Random

from kibitz.cards import parse_cards
from kibitz.games.huxxy.groups import addable_faces, is_valid, partner_faces, removable_faces
from kibitz.games.huxxy.view import bit_sets

JOKER = 52


def is_group_without_jokers(cards):
    """Whether cards without Jokers are a group."""
    if not cards:
        return True
    if len(cards) < 3:
        return False
    if len({card >> 2 for card in cards}) == 1:
        suits = {card & 3 for card in cards}
        return len(suits) == len(cards) if len(cards) < 5 else len(cards) < 9 and len(suits) == 4
    return all(high >> 2 == (low >> 2) + 1 and (low ^ high) & 1 for low, high in pairwise(sorted(cards)))


def is_group(cards):
    """Whether cards with at most one Joker are a group, by trying every card in its place."""
    real = [card for card in cards if card != JOKER]
    if len(real) == len(cards):
        return is_group_without_jokers(real)
    if len(real) < len(cards) - 1 or len(cards) < 3:
        return False
    return any(real.count(card) < 2 and is_group_without_jokers([*real, card]) for card in range(52))


def random_group(random):
    """Cards that are often a group, or nearly one."""
    if random.random() < 0.5:
        low, colour = random.randrange(13), random.randrange(2)
        values = range(low, min(13, low + random.randrange(1, 14)))
        cards = [4 * value + (colour + value & 1) + 2 * random.randrange(2) for value in values]
    else:
        value = random.randrange(13)
        cards = random.sample([4 * value + suit for suit in range(4)] * 2, random.randrange(1, 9))
    cards += [JOKER] * (random.random() < 0.5)
    for _ in range(random.choice([0, 0, 1, 1, 2])):
        card = random.randrange(53)
        if random.random() < 0.5 and cards:
            cards.remove(random.choice(cards))
        elif cards.count(card) < 2:
            cards.append(card)
    return cards


def as_set(faces):
    return sum(1 << face for face in faces)


def test_every_three_cards_are_judged_as_the_rules_say():
    for cards in combinations_with_replacement([*range(20), *range(44, 53)], 3):
        if max(Counter(cards).values()) < 3:
            assert bool(is_valid(*bit_sets(cards))) == is_group(cards), cards


def test_random_groups_are_judged_as_the_rules_say():
    random, valid = Random(1), 0
    for _ in range(6_000):
        cards = random_group(random)
        valid += is_group(cards)
        assert bool(is_valid(*bit_sets(cards))) == is_group(cards), cards
    assert valid > 1500


def test_every_set_of_one_value_with_jokers_is_judged_as_the_rules_say():
    cards = [0, 1, 2, 3, 0, 1, 2, 3, JOKER, JOKER]
    for size in range(11):
        for chosen in combinations(cards, size):
            assert bool(is_valid(*bit_sets(chosen))) == is_group(chosen), chosen


def test_joker_examples_of_the_rule_sheet():
    for text, valid in {
        "2C 3H XX": True,
        "3C 3H XX": True,
        "2C 4S 5H XX": True,
        "2C 4S 5H": False,
        "3H 4S 5H XX": True,
        "2C XX XX": False,
        "3S 3H 3D 3C 3S 3H 3D 3C XX": False,
        "3S 3H 3D 3C 3S 3H 3D XX": True,
        "QC KH AS": False,
    }.items():
        assert bool(is_valid(*bit_sets(parse_cards(text)))) == valid, text


def test_addable_and_removable_faces_match_brute_force():
    random = Random(3)
    for _ in range(250):
        cards = random_group(random)
        fits = [face for face in range(53) if cards.count(face) < 2 and is_group([*cards, face])]
        spares = [
            face for face in set(cards) if is_group([*cards[: cards.index(face)], *cards[cards.index(face) + 1 :]])
        ]
        assert addable_faces(*bit_sets(cards)) == as_set(fits), cards
        assert removable_faces(*bit_sets(cards)) == as_set(spares), cards


def test_partners_match_brute_force_over_third_cards():
    for face in range(53):
        other = [b for b in range(53) if b != face and any(is_group([face, b, third]) for third in range(53))]
        assert partner_faces(face) == as_set(other), face
