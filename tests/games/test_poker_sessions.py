"""Poker sessions: the button, draws from a pack that runs out, and conflicting options."""

from functools import reduce
from operator import or_
from random import Random

import pytest

from kibitz.cards import as_set, parse_cards
from kibitz.cards.sets import size
from kibitz.engine.registry import game
from kibitz.errors import NotationError
from kibitz.games.poker.view import Won
from kibitz.games.poker.words import stacked_options
from tests.games.poker_table import act, chips, of_kind, refused


def test_a_session_moves_the_button_and_skips_busted_seats():
    """Seat 2 loses everything in the first hand; the button passes over it from then on."""
    played = game("holdem").with_options(players=3, hands=4, **stacked_options(parse_cards("AS AH KS KH QS QH")))
    for seed in range(60):
        s = played.deal(seed)
        told = act(played, s, "all in", "fold", "all in")
        if of_kind(told, Won)[-1].winners == (1,):
            break
    assert (s.hands_played, s.chips[2] + s.bet[2]) == (1, 0)
    assert s.dealt == 0b011
    assert (s.button, s.player) == (0, 0)
    act(played, s, "fold")
    assert (s.hands_played, s.button, s.player) == (2, 1, 1)
    act(played, s, "fold", "fold")
    assert s.over
    assert sum(played.returns(s)) == 0


def test_a_session_ends_when_one_player_has_all_chips():
    played = game("holdem").with_options(players=2, hands=100, stack=20)
    s = played.deal(3)
    while not s.over:
        act(played, s, "all in" if played.rules.min_raise_to(s) else "call")
    assert s.hands_played < 100
    assert sorted(chips(s)) == [0, 40]
    assert played.result(s, frozenset()).reason.endswith("one has it all.")


def test_others_discards_are_reshuffled_when_the_pack_runs_out():
    played = game("draw").with_options(players=6, hands=1)
    s = played.deal(5)
    act(played, s, *["call"] * 6)
    assert s.stage == played.rules.DRAW
    thrown = []
    for k in range(6):
        p = s.player
        mine = s.held[p]
        played.play(s, played.rules.DISCARD + 31)
        assert not s.held[p] & mine
        thrown.append(mine)
        if k == 4:
            assert s.reshuffled == 0b1111
            assert s.late[p].bit_count() == 3
            assert s.late[p] & ~sum(thrown[:4]) == 0
    assert s.stock.bit_count() == 52 - 30 - 10
    assert s.stage == played.rules.BET


def test_a_seat_that_stands_pat_keeps_its_hand():
    played = game("draw").with_options(players=2, hands=1)
    s = played.deal(5)
    act(played, s, "call", "check")
    before = s.held[:2]
    act(played, s, "pat", "pat")
    assert (s.held[:2], s.street) == (before, 1)


def test_draws_and_bets_are_refused_out_of_turn():
    played = game("draw").with_options(players=2, hands=1)
    s = played.deal(5)
    assert refused(played, s, "pat").startswith("This is a round of betting")
    act(played, s, "call", "check")
    assert refused(played, s, "call").startswith("Cards are drawn now")
    with pytest.raises(NotationError, match="is not in your hand"):
        played.parse(played.view(s, 0), next(c for c in ("2D", "3D", "4D", "5D", "6D", "7D") if not held(s, c)))


def held(s, text):
    return s.held[s.player] >> parse_cards(text)[0] & 1


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("draw:players=7", "Five-card draw|draw takes players from 2 to 6, not 7."),
        ("holdem:big=0,small=0", "Nothing would be in the pot: choose blinds or an ante."),
        ("holdem:small=20", r"The small blind \(20\) must not be larger than the big blind \(10\)."),
        ("holdem:players=2,straddle=1", "A straddle needs blinds and at least three players."),
        ("holdem:big=0,small=0,ante=1", "Without blinds, bet_size must set the minimum bet."),
        ("holdem:players=3,stack5=9", "There is no seat 5 among 3 players: leave out stack5."),
        ("holdem:stack=10", "At least two players must have more than the 10 chips of ante and blinds."),
        ("holdem:stack0=0", "holdem takes stack0 from 1 to 100000000, not 0."),
        ("holdem:bet_size=0", "holdem takes bet_size from 1 to 100000000, not 0."),
        ("holdem:pack0=0101", "pack0 to pack5 must name different cards of the pack"),
        ("holdem:pack0=53", "pack0 to pack5 must name different cards of the pack"),
        ("kuhn:players=4", "kuhn has no option 'players'"),
    ],
)
def test_conflicting_options_are_refused_with_the_reason(name, sentence):
    with pytest.raises(NotationError, match=sentence):
        game(name)


def test_more_players_than_the_pack_can_serve_are_refused():
    from kibitz.games.poker.words import objection

    options = dict(game("leduc").options) | {"players": 6}
    assert objection(options) == "6 players need 7 cards, but the pack has 6: use fewer players."


@pytest.mark.parametrize("name", ["holdem:players=3,hands=6", "draw:players=3,hands=6"])
def test_imagined_last_hand_has_every_card_in_one_place(name):
    played, met = game(name), dict.fromkeys(("shown", "hidden", "thrown"), 0)
    for seed in range(6):
        s, random = played.deal(seed), Random(seed)
        while not s.over:
            if s.hands_played:
                for seat in range(s.players):
                    check_imagined_last_hand(s, seat, played.imagine(played.view(s, seat), seed), met)
            played.play(s, random.choice(played.legal(s)))
    assert met["shown"], met
    assert met["hidden"], met
    assert bool(met["thrown"]) == name.startswith("draw"), met


def check_imagined_last_hand(true, seat, world, met):
    """Check the last hand in an imagined world: known cards are unchanged, and hidden ones are as many as before.

    A seat that has busted since may be imagined without cards, as it plays no more.
    """
    board, places = as_set(true.past_board[: true.past_cards]), []
    for p in range(true.players):
        held, thrown = world.past_held[p], world.past_discarded[p]
        assert size(held) == size(true.past_held[p]) or not (held or true.dealt >> p & 1)
        assert size(thrown) == size(true.past_discarded[p])
        if p == seat or true.past_shown >> p & 1:
            assert held == true.past_held[p]
            met["shown"] += p != seat
        else:
            met["hidden"] += held != true.past_held[p]
        if p == seat:
            assert (thrown, world.past_late[p]) == (true.past_discarded[p], true.past_late[p])
        met["thrown"] += thrown != 0
        places += [held, thrown]
        assert held & board == 0
    assert sum(map(size, places)) == size(reduce(or_, places, 0))
