"""President at the table: deals, roles, passing, refusals, records, and the contract with other options."""

from pathlib import Path
from random import Random

import pytest

from kibitz.cards import parse_cards
from kibitz.engine import record
from kibitz.engine.contract import CHECKS
from kibitz.engine.contract.checking import random_game
from kibitz.engine.kernels import compilation, loops
from kibitz.engine.record import Record
from kibitz.engine.registry import game
from kibitz.errors import NotationError, RuleError
from kibitz.games.president import moves, rules
from kibitz.games.president.moves import NONE
from kibitz.games.president.planning import fewest_moves
from kibitz.games.president.rules import PASS
from kibitz.games.president.view import Played, WentOut, role, to_cards
from tests.contract.groups import sharing
from tests.games.president_table import PRESIDENT, act, position
from tests.games.test_president_moves import SOME_FIVES
from tests.parts import share

pytestmark = sharing("president")


@pytest.mark.parametrize("n", range(2, 9))
def test_hands_are_equal_and_the_lowest_card_leads(n):
    played = game("president").with_options(players=n)
    for seed in range(20):
        s = played.deal(seed)
        assert [hand.bit_count() for hand in s.hand[:n]] == [52 // n] * n
        dealt = sum(s.hand[:n])
        assert s.hand[s.player] & dealt & -dealt
        assert all(rules.cards_in(a) & dealt & -dealt for a in played.legal(s))


def test_a_match_of_one_round_ends_after_it():
    played = game("president:players=3,rounds=1")
    started = played.opening(played.deal(1))[0].event
    assert played.describe(started, 0, ["You", "Ben", "Cem"]) == "3 players play one round of President."
    state = played.deal(1)
    random = Random(1)
    while not state.over:
        played.play(state, random.choice(played.legal(state)))
    assert played.result(state, frozenset()).reason == "One round has been played."


def test_leftover_cards_go_to_the_last_seats():
    s = game("president:players=5,leftovers=1").deal(1)
    assert [hand.bit_count() for hand in s.hand[:5]] == [10, 10, 10, 11, 11]
    assert sum(s.hand[:5]) == (1 << 52) - 1


def test_roles_match_the_published_ones():
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
    for state, _, action in random_game(played, n):
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
        *_, (state, _, action) = random_game(played, seed)
        rules.apply(state, action)
        assert sorted(played.returns(state)) == [-2, -1, 1, 2]


def test_a_trick_ends_when_all_others_pass_and_passed_seats_may_return():
    played, s = position("3D 9D 9C", "4D 8D", "5D 7D")
    act(played, s, "3D")
    act(played, s, "4D")
    act(played, s, "pass")
    act(played, s, "9D")
    act(played, s, "pass")
    assert s.player == 2
    act(played, s, "pass")
    assert (s.player, s.pile) == (0, NONE)


def test_pass_locks_keep_a_passed_seat_out_of_the_trick():
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


def test_next_seat_leads_if_the_trick_winner_has_gone_out():
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
        (None, "pass", "You lead, so you can't pass: play anything you like."),
        ("5D", "AS", "You can only use cards from your own hand."),
        ("6D 6S", "4D 4C", "Play a higher move than the one on the pile, or pass."),
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
        ("4D 6C", "don't make a move"),
        ("4D 4D", "a pack has only one"),
        ("1S", "isn't a value"),
        ("", "Name the cards"),
        ("XX", "without jokers"),
    ],
)
def test_cards_that_do_not_make_a_move_are_rejected(text, sentence):
    played, s = position("4D 4C 6C 6H", "3C 3H")
    with pytest.raises(NotationError, match=sentence):
        played.parse(played.view(s, 0), text)


def test_cards_are_read_in_any_order_and_notation():
    played, s = position("4D 4C 6C 6H 0S", "3C 3H")
    view = played.view(s, 0)
    readings = {played.parse(view, text) for text in ("4D 4C 6C 6H 4H", "6♥ 4h,♣4 6c 4d", "4h 6C 6H 4d 4c")}
    assert len(readings) == 1
    assert played.parse(view, "10♠") == played.parse(view, "0S") == played.parse(view, "ts")


@pytest.mark.parametrize("name", ["president:players=2,rounds=2", "president:players=5,rounds=4", "president-asking"])
def test_a_match_of_several_rounds_is_one_record(name):
    played = game(name)
    actions = [action for _, _, action in random_game(played, 8)]
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


FIVES = {
    "3D 4C 5H 6S 7D": 1,
    "3D 4D 5D 6D 8D": 2,
    "3D 3C 3H 4D 4C": 4,
    "3D 3C 3H 3S 4C": 8,
    "3D 4D 5D 6D 7D": 16,
}


@pytest.mark.parametrize("fives", SOME_FIVES)
def test_only_allowed_five_card_moves_may_be_played(fives):
    """Others are refused and not listed; a straight flush that does not count is neither a flush nor a straight."""
    for text, kind in FIVES.items():
        played, s = position(text, "9D 9C", name=f"president:players={{n}},fives={fives}")
        action = played.parse(played.view(s, 0), text)
        counts = bool(fives & kind)
        assert played.why_not(s, action) == (None if counts else "Moves of that kind do not count in this match.")
        assert (action in played.legal(s)) == counts
        assert sum(moves.size_of(a) == 5 for a in played.legal(s)) == counts
        n, plan = fewest_moves(s.hand[0], None, fives)
        assert all(moves.is_allowed(moves.move_of(some), fives) for some in plan)
        assert sum(plan) == s.hand[0]
        assert (n == 1) == counts


def test_playout_limit_grows_with_the_rounds(monkeypatch):
    monkeypatch.setattr("kibitz.engine.game.MAX_STEPS", 100)
    played = game("president:rounds=20,players=2")
    steps = compilation.plain(loops, rules).playout(played.deal(3), [0] * played.max_legal, played.max_length)
    assert 100 < steps < played.max_length == 2000


def test_heights_run_from_the_threes_to_the_twos():
    assert [to_cards(1 << h)[0] for h in (0, 3, 44, 47, 48, 51)] == parse_cards("3D 3S AD AS 2D 2S")


OTHER_OPTIONS = [
    "president:players=2,rounds=2",
    "president:players=3,pass_locks=1,rounds=2",
    "president:players=5,rounds=2,leftovers=1",
    "president:players=8,rounds=4",
    "president:players=6,rounds=2,upper_names=1,points=0",
    "president-mini:upper_names=1",
    "president:players=8,rounds=3,upper_names=2,traded=1",
    "president:players=5,rounds=2,fives=9",
    "president:players=2,rounds=2,fives=0",
]


@pytest.mark.long
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in share(OTHER_OPTIONS, len(OTHER_OPTIONS))],
)
def test_president_keeps_the_contract_with_other_options(name, check):
    if check.__name__ == "every_event_is_met_and_told":
        pytest.skip("looks at the registered variants only")
    check(game(name))


def test_strategies_choose_legal_moves_if_few_kinds_of_five_count():
    played, random = game("president:fives=5,rounds=2"), Random(1)
    for strategy in played.strategies.values():
        state = played.deal(3)
        while not state.over:
            legal = played.legal(state)
            action = strategy(played.view(state, state.player), legal, random)
            assert action in legal
            rules.apply(state, action)


def test_an_old_record_without_newer_options_is_still_valid():
    old = record.read_file(Path(__file__).parent / "records" / "president_before_requests.game")
    assert (old.rules, len(old.actions), old.outcome.winners) == (1, 498, (3,))
