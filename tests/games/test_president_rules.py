"""President at the table: deals, roles, trades, passing, refusals, records and what seats can know of a trade."""

import dataclasses
from random import Random

import pytest

from kibitz.cards import parse_cards
from kibitz.engine import record, twins
from kibitz.engine.contract import CHECKS, Broken, exact
from kibitz.engine.contract.walks import walk
from kibitz.engine.events import to_seat
from kibitz.engine.record import Record
from kibitz.engine.registry import game
from kibitz.errors import NotationError, RuleError
from kibitz.games.president import beliefs, rules
from kibitz.games.president.heights import heights, shown, to_height
from kibitz.games.president.moves import NONE
from kibitz.games.president.rules import PASS, TRADE
from kibitz.games.president.told import Gave, Played, Returned, WentOut, role
from kibitz.games.president.trading import NAME, RETURN
from kibitz.kernel import kernel

PRESIDENT = game("president")


def cards(text):
    return heights(tuple(parse_cards(text)))


def position(*hands, pile=None, last=None, name="president:players={n}"):
    """A position of the first round after its first move: ``hands`` by seat, seat 0 to move."""
    played = game(name.format(n=len(hands)))
    s = played.deal(1)
    for p, hand in enumerate(hands):
        s.hand[p] = cards(hand)
        s.gone[p] = 0
    s.player, s.lowest_card = 0, NONE
    if pile:
        s.pile, s.last = rules.cards_in(0) and played.parse(played.view(s, 0), pile), last
    return played, s


def act(played, s, text):
    return played.play(s, played.parse(played.view(s, s.player), text))


def next_trade(played, seed=0):
    """The first position in which cards are traded."""
    for state, _, _ in walk(played, seed):
        if state.phase != rules.PLAY:
            return state
    raise AssertionError("no trade")


@pytest.mark.parametrize("n", range(2, 9))
def test_everyone_gets_equally_many_cards_and_the_lowest_one_begins(n):
    played = game("president").with_options(players=n)
    for seed in range(20):
        s = played.deal(seed)
        assert [hand.bit_count() for hand in s.hand[:n]] == [52 // n] * n
        dealt = sum(s.hand[:n])
        assert s.hand[s.player] & dealt & -dealt
        assert all(rules.cards_in(a) & dealt & -dealt for a in played.legal(s))


def test_with_leftovers_the_last_seats_get_the_rest():
    s = game("president:players=5,leftovers=1").deal(1)
    assert [hand.bit_count() for hand in s.hand[:5]] == [10, 10, 10, 11, 11]
    assert sum(s.hand[:5]) == (1 << 52) - 1


def test_roles_for_two_to_eight_players_are_the_published_ones():
    letters = {"President": "P", "Vice-President": "VP", "Neutral": "N", "Vice-Bum": "VB", "Bum": "B"}
    assert [" ".join(letters[role(n, k)] for k in range(n)) for n in range(2, 9)] == [
        "P B",
        "P N B",
        "P VP VB B",
        "P VP N VB B",
        "P VP N N VB B",
        "P VP N N N VB B",
        "P VP N N N N VB B",
    ]


@pytest.mark.parametrize("n", range(2, 9))
def test_points_follow_the_roles_and_the_president_leads_the_next_round(n):
    played = game("president").with_options(players=n, rounds=2)
    points = {"President": 2, "Vice-President": 1, "Neutral": 0, "Vice-Bum": -1, "Bum": -2}
    for state, _, action in walk(played, n):
        if state.round == 0:
            after = state.copy()
            out = [n.event for n in played.play(after, action) if isinstance(n.event, WentOut)]
            if after.round == 1:
                order = after.order[:n]
                assert [after.score[p] for p in order] == [points[role(n, k)] for k in range(n)]
                assert out[-1].seat == order[-1]
        elif state.phase == rules.PLAY:
            assert state.player == state.order[0]
            return


def test_only_the_last_round_counts_without_points():
    played = game("president:rounds=4,points=0")
    for seed in range(5):
        *_, (state, _, action) = walk(played, seed)
        rules.apply(state, action)
        assert sorted(played.returns(state)) == [-2, -1, 1, 2]


def test_the_bum_gives_the_highest_cards_and_only_the_two_see_them():
    s = next_trade(PRESIDENT)
    president, vice, vice_bum, bum = s.order[:4]
    assert (s.phase, s.player, s.todo) == (RETURN, president, 2)
    assert [hand.bit_count() for hand in (s.hand[p] for p in s.order[:4])] == [15, 14, 12, 11]
    for giver, pair, n in ((bum, 0, 2), (vice_bum, 1, 1)):
        assert s.given[pair].bit_count() == n
        assert s.hand[giver] < s.given[pair] & -s.given[pair]
    for seat in range(4):
        seen = PRESIDENT.view(s, seat).given
        assert [given is not None for given in seen] == [seat in (president, bum), seat in (vice, vice_bum)]


def test_the_upper_seats_return_any_cards_and_then_the_president_leads():
    s = next_trade(PRESIDENT, 3)
    president, vice, vice_bum, bum = s.order[:4]
    for giver, taker in ((president, bum), (president, bum), (vice, vice_bum)):
        assert s.player == giver
        card = s.hand[giver] & -s.hand[giver]
        notices = PRESIDENT.play(s, TRADE + card.bit_length() - 1)
        assert s.hand[taker] & card
        for seat in range(-1, 4):
            (event,) = (e for e in to_seat(notices, seat) if isinstance(e, Returned))
            assert (event.card is not None) == (seat in (giver, taker))
    assert (s.phase, s.player, s.hand[bum].bit_count()) == (rules.PLAY, president, 13)


@pytest.mark.parametrize(("n", "given"), [(2, [2]), (3, [2]), (4, [2, 1]), (8, [2, 1])])
def test_how_many_cards_are_given(n, given):
    s = next_trade(game("president").with_options(players=n))
    assert [cards.bit_count() for cards in s.given[: len(given)]] == given


def test_cards_asked_for_in_vain_are_not_made_up_for():
    played = game("president-asking")
    s = next_trade(played)
    assert (s.phase, s.todo) == (NAME, 2)
    president, bum = s.order[0], s.order[3]
    held = s.hand[bum] & -s.hand[bum]
    other = s.hand[president] & -s.hand[president]
    played.play(s, TRADE + held.bit_length() - 1)
    assert played.why_not(s, TRADE + held.bit_length() - 1) == "You have asked for that card already."
    played.play(s, TRADE + other.bit_length() - 1)
    assert (s.phase, s.player, s.todo, s.given[0]) == (RETURN, president, 1, held)


def test_a_trick_ends_when_all_others_have_passed_and_passing_locks_nobody_out():
    played, s = position("3D 9D 9C", "4D 8D", "5D 7D")
    act(played, s, "3D")
    act(played, s, "4D")
    act(played, s, "pass")
    act(played, s, "9D")
    act(played, s, "pass")
    assert s.player == 2
    act(played, s, "pass")
    assert (s.player, s.pile) == (0, NONE)


def test_with_pass_locks_who_has_passed_waits_for_the_next_trick():
    played, s = position("3D 9D 9C", "4D 8D", "5D 7D JD", name="president:players={n},pass_locks=1")
    act(played, s, "3D")
    act(played, s, "pass")
    act(played, s, "5D")
    act(played, s, "9D")
    assert s.player == 2
    act(played, s, "JD")
    assert s.player == 0
    act(played, s, "pass")
    assert (s.player, s.pile) == (2, NONE)


def test_if_the_last_player_has_gone_out_the_next_one_still_in_leads():
    played, s = position("3D", "4D 8D", "5D 7D")
    act(played, s, "3D")
    act(played, s, "pass")
    act(played, s, "pass")
    assert (s.player, s.pile, s.finish[0]) == (1, NONE, 0)


@pytest.mark.parametrize(
    ("pile", "text", "sentence"),
    [
        ("5D", "pass", None),
        ("5D", "6C", None),
        (None, "pass", "You lead, and the leader cannot pass: play anything you like."),
        ("5D", "AS", "You can only use cards from your own hand."),
        ("6D 6S", "4D 4C", "Your move must be higher than the one on the pile, or you pass."),
        ("5D", "6C 6H", "You must play as many cards as lie on the pile, or pass."),
    ],
)
def test_each_refusal_names_the_rule(pile, text, sentence):
    played, s = position("4D 4C 6C 6H", "3C 3H", pile=pile, last=1)
    action = played.parse(played.view(s, 0), text)
    assert played.why_not(s, action) == sentence
    if sentence:
        before = s.copy()
        with pytest.raises(RuleError, match=sentence.split(":")[0]):
            played.play(s, action)
        assert s == before


def test_the_first_move_must_contain_the_lowest_card():
    s = PRESIDENT.deal(4)
    other = s.hand[s.player] & (s.hand[s.player] - 1)
    assert PRESIDENT.why_not(s, (other & -other).bit_length() - 1).startswith("The first move of the match")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("4D 6C", "scattered"),
        ("4D 4D", "one pack has it once"),
        ("1S", "no value"),
        ("", "Name the cards"),
        ("XX", "without jokers"),
    ],
)
def test_cards_that_are_no_move_cannot_be_read(text, sentence):
    played, s = position("4D 4C 6C 6H", "3C 3H")
    with pytest.raises(NotationError, match=sentence):
        played.parse(played.view(s, 0), text)


def test_cards_are_read_in_any_order_and_notation():
    played, s = position("4D 4C 6C 6H 0S", "3C 3H")
    view = played.view(s, 0)
    readings = {played.parse(view, text) for text in ("4D 4C 6C 6H 4H", "6♥ 4h,♣4 6c 4d", "4h 6C 6H 4d 4c")}
    assert len(readings) == 1
    assert played.parse(view, "10♠") == played.parse(view, "0S") == played.parse(view, "ts")


def test_trades_refuse_what_is_not_held_and_the_wrong_number():
    s = next_trade(PRESIDENT)
    view = PRESIDENT.view(s, s.player)
    missing = next(card for card in range(52) if card not in view.hand)
    assert PRESIDENT.why_not(s, TRADE + to_height(missing)) == "You can only use cards from your own hand."
    assert PRESIDENT.why_not(s, PASS) == "Cards are being traded: name one card."
    assert PRESIDENT.why_not(PRESIDENT.deal(1), TRADE) == "No cards are being traded now."
    with pytest.raises(NotationError, match="one at a time"):
        PRESIDENT.parse(view, "4D 4C")


@pytest.mark.parametrize("name", ["president:players=2,rounds=2", "president:players=5,rounds=4", "president-asking"])
def test_a_match_with_all_its_rounds_is_one_record(name):
    played = game(name)
    actions = [action for _, _, action in walk(played, 8)]
    state = played.deal(8)
    plays = 0
    for action in actions:
        plays += sum(isinstance(n.event, Played) for n in played.play(state, action))
    assert plays == sum(action < PASS for action in actions)
    names = tuple(f"P{p}" for p in range(played.seats))
    whole = Record(played.name, rules.VERSION, names, 8, tuple(actions), (), played.result(state, frozenset()))
    text = record.text(whole)
    assert record.parse(text) == whole
    assert all(f"Round {r + 1} is over" in text for r in range(played.options["rounds"]))


def test_heights_run_from_the_threes_to_the_twos():
    assert [shown(1 << h)[0] for h in (0, 3, 44, 47, 48, 51)] == parse_cards("3D 3S AD AS 2D 2S")


def mini(pack, **options):
    found = game("president-mini")
    pack_set = sum(1 << card for card in parse_cards(pack))
    return dataclasses.replace(found, options={**found.options, "pack": pack_set, **options})


def follow_all(played, seeds):
    scripted = exact.Exact(played)
    deals = list(scripted.deals())
    for seed in range(seeds):
        for seat in range(-1, played.seats):
            exact.follow(scripted, deals, seed, seat)


@pytest.mark.parametrize(
    ("pack", "options"),
    [
        ("3D 3C 4D 4C AD", {"players": 2}),
        ("3D 3C 4D 4C AD", {"players": 2, "traded": 2, "upper_names": 1}),
        ("3D 3C 4D AD 2D 2C", {"upper_names": 1}),
        ("3D 3C 4D 4C AD", {"players": 2, "leftovers": 1, "pass_locks": 1}),
    ],
)
def test_what_seats_believe_of_a_trade_is_exact(pack, options):
    follow_all(mini(pack, **options), 4)


@pytest.mark.long
@pytest.mark.parametrize(
    ("pack", "options"),
    [
        ("3D 3C 4D 4C AD 2D 2C", {"players": 2, "traded": 2}),
        ("3D 3C 4D 4C 5D AD 2D", {}),
        ("3D 3C 4D 4C 5D AD 2D 2C", {"players": 4}),
        ("3D 3C 4D 4C 5D AD 2D 2C", {"players": 4, "upper_names": 1}),
    ],
)
def test_what_seats_believe_of_larger_trades_is_exact(pack, options):
    follow_all(mini(pack, **options), 2)


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("gift_candidates", lambda s, j, stayed: 0),
        ("deals", lambda kept, both, given, returned, back, new, gifts, upper_names: 1),
    ],
)
def test_beliefs_that_forget_a_part_of_a_trade_are_caught(name, function, monkeypatch):
    function.__module__ = beliefs.__name__
    monkeypatch.setattr(beliefs, name, kernel(function))
    with pytest.raises((Broken, ZeroDivisionError, ValueError, IndexError)):
        follow_all(mini("3D 3C 4D 4C AD 2D 2C", players=2, traded=1), 6)


def test_gifts_are_told_to_the_two_traders_only():
    played = game("president:rounds=2")
    for state, _, action in walk(played, 2):
        after = state.copy()
        notices = played.play(after, action)
        if after.round == 1 and state.round == 0:
            for seat in range(-1, 4):
                gave = [e for e in to_seat(notices, seat) if isinstance(e, Gave)]
                assert [e.cards is not None for e in gave] == [seat in (e.lower, e.upper) for e in gave]
                assert [e.number for e in gave] == [2, 1]
            return


@pytest.mark.long
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize(
    "name",
    [
        "president:players=2,rounds=2",
        "president:players=3,pass_locks=1,rounds=2",
        "president:players=5,rounds=2,leftovers=1",
        "president:players=8,rounds=4",
        "president:players=6,rounds=2,upper_names=1,points=0",
        "president-mini:upper_names=1",
    ],
)
def test_president_keeps_the_contract_with_other_options(name, check):
    if check.__name__ == "every_event_is_met_and_told":
        pytest.skip("looks at the registered variants only")
    check(game(name))


def test_strategies_answer_legally_everywhere():
    random = Random(1)
    for name in ("president:rounds=2", "president-asking", "president-mini"):
        played = game(name)
        for strategy in played.strategies.values():
            state = played.deal(3)
            while not state.over:
                legal = played.legal(state)
                action = strategy(played.view(state, state.player), legal, random)
                assert action in legal
                rules.apply(state, action)


def test_all_forms_of_the_kernels_list_the_same_moves():
    import numpy as np

    from kibitz.games.president import listing

    compiled, random = twins.compiled(listing).list_all, Random(9)
    room = np.zeros(rules.ACTIONS, np.int64)
    for n in (5, 13, 26):
        hand = sum(1 << card for card in random.sample(range(52), n))
        out = [0] * rules.ACTIONS
        count = listing.list_all(hand, out)
        assert room[: compiled(hand, room)].tolist() == out[:count]
