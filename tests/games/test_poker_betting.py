"""Betting by worked examples: blinds, raises, all-ins, side pots, odd chips, showdowns, sessions."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.cards import parse_cards
from kibitz.engine.events import SPECTATOR, to_seat
from kibitz.engine.registry import game
from kibitz.errors import NotationError, RuleError
from kibitz.games.poker.betting import RETURN
from kibitz.games.poker.options import stacked_options
from kibitz.games.poker.rules import RAISE
from kibitz.games.poker.told import HandEnded, Mucked, Showed, TookBack, Won

RUBBISH = "2D 7C"


def hand(stacks, *holes, board="", name="holdem", **options):
    """A hand in which seats 0, 1, ... hold the given cards; seat 0 is left of the button."""
    cards = parse_cards(" ".join((*holes, board)).strip()) if holes else []
    stacked = stacked_options(cards)
    each = {f"stack{p}": chips for p, chips in enumerate(stacks)}
    played = game(name).with_options(players=len(stacks), hands=1, **each, **stacked, **options)
    return played, played.deal(1)


def act(played, s, *texts):
    """Carry out actions given as text; everything that a spectator is told."""
    told = []
    for text in texts:
        told += to_seat(played.play(s, played.parse(played.view(s, s.player), text)), SPECTATOR)
    return told


def refused(played, s, text):
    """Why an action is refused; nothing has changed."""
    before = s.copy()
    with pytest.raises(RuleError) as error:
        act(played, s, text)
    assert s == before
    return str(error.value)


def of_kind(told, kind):
    return [event for event in told if isinstance(event, kind)]


def chips(s):
    return s.chips[: s.players]


def test_the_blinds_are_left_of_the_button_and_the_next_seat_begins():
    _, s = hand([1000] * 4)
    assert (s.button, s.bet[:4], s.player) == (3, [5, 10, 0, 0], 2)


def test_heads_up_the_button_is_the_small_blind_first_before_the_flop_and_last_after():
    played, s = hand([1000, 1000])
    assert (s.button, s.bet[:2], s.player) == (1, [10, 5], 1)
    act(played, s, "call")
    assert s.player == 0
    act(played, s, "check")
    assert (s.street, s.player) == (1, 0)
    act(played, s, "check")
    assert s.player == 1


def test_the_big_blind_may_raise_when_all_have_called():
    played, s = hand([1000] * 3)
    act(played, s, "call", "call")
    assert s.player == 1
    assert played.parse(played.view(s, 1), "raise 20") in played.legal(s)
    act(played, s, "check")
    assert s.street == 1


def test_a_straddle_is_a_third_blind_whose_seat_acts_last():
    played, s = hand([1000] * 4, straddle=1)
    assert (s.bet[:4], s.player, s.high) == ([5, 10, 20, 0], 3, 20)
    assert "at least the big blind" in refused(played, s, "raise 39")
    act(played, s, "call", "call", "call")
    assert s.player == 2
    act(played, s, "raise 40")
    assert s.player == 3


def test_a_bet_is_at_least_the_big_blind():
    played, s = hand([1000, 1000])
    act(played, s, "call", "check")
    assert "at least the big blind" in refused(played, s, "bet 9")
    act(played, s, "bet 10")


def test_a_raise_is_at_least_the_last_raise():
    played, s = hand([1000] * 3)
    act(played, s, "raise 35")
    assert "at least as much more" in refused(played, s, "raise 59")
    act(played, s, "raise 60")
    assert "at least as much more" in refused(played, s, "raise 84")
    act(played, s, "raise 85")


def test_nobody_bets_more_than_the_stack():
    played, s = hand([1000, 400])
    assert refused(played, s, "raise 401") == "You cannot bet more chips than you have."
    act(played, s, "raise 400")


def test_who_faces_a_bet_cannot_check_for_nothing():
    """To check is to call for nothing: where there is a price, the same action pays it."""
    played, s = hand([1000, 1000])
    assert played.text(played.view(s, 1), 1) == "call"
    act(played, s, "check")
    assert s.paid[1] == 10


def test_who_faces_no_bet_has_no_need_to_fold():
    played, s = hand([1000, 1000])
    act(played, s, "call")
    assert refused(played, s, "fold") == "There is no bet to you, so there is no need to fold: check."


def test_an_all_in_below_a_full_raise_does_not_reopen_the_betting_to_those_who_have_acted():
    played, s = hand([1000, 1000, 1000, 55])
    act(played, s, "raise 40", "all in")
    assert (s.player, s.high, s.step) == (0, 55, 30)
    act(played, s, "call", "call")
    assert s.player == 2
    assert "does not reopen the betting" in refused(played, s, "raise 200")
    act(played, s, "call")
    assert s.street == 1


def test_who_has_not_acted_may_raise_an_incomplete_all_in_and_that_reopens():
    played, s = hand([1000, 1000, 1000, 55])
    act(played, s, "raise 40", "all in")
    assert "at least as much more" in refused(played, s, "raise 84")
    act(played, s, "raise 85", "fold")
    assert (s.player, bool(s.free >> 2 & 1)) == (2, True)
    act(played, s, "raise 115")


def test_two_incomplete_all_ins_do_not_reopen_even_if_they_make_a_full_raise_together():
    played, s = hand([1000, 75, 1000, 55])
    act(played, s, "raise 40", "all in", "call", "all in")
    assert (s.player, s.high) == (2, 75)
    assert "does not reopen the betting" in refused(played, s, "raise 200")


def test_nobody_raises_when_all_others_are_all_in():
    played, s = hand([30, 1000, 30])
    act(played, s, "all in", "all in")
    assert s.player == 1
    assert refused(played, s, "raise 60") == "Nobody is left who could call more: call or fold."


def test_who_has_less_than_the_bet_can_only_call_all_in():
    played, s = hand([1000, 30, 1000])
    act(played, s, "raise 50", "fold")
    assert "you have not that many chips" in refused(played, s, "raise 90")
    assert played.parse(played.view(s, 1), "all in") == 1
    act(played, s, "all in")
    assert s.over


def test_a_short_blind_leaves_the_price_as_it_is():
    played, s = hand([1000, 4, 1000])
    assert (s.bet[:3], s.high, s.player) == ([5, 4, 0], 10, 2)
    act(played, s, "call", "call")
    assert s.paid[:3] == [10, 4, 10]


def test_nobody_pays_what_no_other_seat_could_match():
    """Heads-up against a blind that is all-in for less than the small blind there is nothing to decide."""
    s = game("holdem").with_options(players=3, hands=2).deal(1)
    s.chips[:3] = [3, 0, 1000]
    s.number, s.button = 1, 0
    rules = game("holdem").rules
    rules.start_hand(s)
    assert (s.button, s.bet[:3], s.stage) == (2, [3, 0, 5], RETURN)
    while not s.over:
        rules.proceed(s)
    assert sum(s.chips[:3]) == 1003


def test_fixed_limit_bets_have_one_size_that_doubles_on_the_turn():
    played, s = hand([1000, 1000], limit=2)
    act(played, s, "raise 20", "raise 30", "raise 40")
    assert refused(played, s, "raise 50") == "This round has had all its bets and raises: call or fold."
    act(played, s, "call")
    assert refused(played, s, "bet 11") == "With fixed limits every bet and raise has the one size of its round."
    act(played, s, "bet 10", "call")
    assert refused(played, s, "bet 10") == "With fixed limits every bet and raise has the one size of its round."
    act(played, s, "bet 20", "raise 40", "raise 60", "raise 80")
    assert "all its bets and raises" in refused(played, s, "raise 100")


def test_a_pot_limit_raise_is_at_most_the_pot_after_the_call():
    played, s = hand([1000] * 3, limit=1)
    assert refused(played, s, "raise 36") == "A pot-limit raise is at most the pot as it is after your call."
    act(played, s, "raise 35")
    assert played.rules.most(s) == RAISE + 35 + 15 + 35 + 30


def test_side_pots_one_for_each_all_in_level():
    """The shortest stack has the best hand, the next one the second best: each wins what it could match."""
    played, s = hand([50, 100, 200], "AS AH", "KS KH", "QS QH", board="2D 3C 7H 8S 0D")
    told = act(played, s, "all in", "all in", "all in")
    assert [(won.pot, won.winners, won.shares) for won in of_kind(told, Won)] == [
        (0, (0,), (150,)),
        (1, (1,), (100,)),
    ]
    assert of_kind(told, TookBack)[0].amount == 100
    assert chips(s) == [150, 100, 100]


def test_a_folded_bet_stays_in_the_pots_that_it_reached():
    played, s = hand([1000, 30, 1000, 1000], "AS AH", "KS KH", "QS QH", RUBBISH, board="3D 4C 0H 8S JD")
    act(played, s, "raise 60", "fold", "call", "all in")
    told = act(played, s, "check", "bet 100", "fold")
    assert of_kind(told, TookBack)[0].amount == 100
    assert chips(s) == [940, 90, 1000 - 60 + 60, 1000]


def test_odd_chips_go_to_the_first_winner_left_of_the_button():
    """Three share a pot of 35 because the board plays; seat 1 is the first of them to the left of the button."""
    played, s = hand([1000] * 4, *["2D 3C", "2C 3D", "2H 3H", "2S 3S"], board="0D JC QH KS AD")
    act(played, s, "call", "call", "fold", "check")
    for _ in range(3):
        told = act(played, s, "check", "check", "check")
    (won,) = of_kind(told, Won)
    assert (won.winners, won.shares) == ((1, 2, 3), (13, 11, 11))


def test_the_last_one_standing_wins_without_showing():
    played, s = hand([1000] * 3)
    told = act(played, s, "raise 100", "fold", "fold")
    assert not of_kind(told, Showed)
    assert of_kind(told, TookBack)[0].amount == 90
    assert chips(s) == [995, 990, 1015]
    assert not any(played.view(s, 0).last.shown)


def checked_down(played, s):
    """Call, then check to the showdown."""
    told = []
    while not s.over:
        told += act(played, s, "call")
    return told


def test_the_first_seat_left_of_the_button_shows_first_where_nobody_bet_last():
    played, s = hand([1000] * 3, "AS AH", "KS KH", "QS QH", board="2D 3C 7H 8S 0D")
    told = checked_down(played, s)
    assert [event.seat for event in of_kind(told, Showed)] == [0]
    assert [event.seat for event in of_kind(told, Mucked)] == [1, 2]


def test_the_last_aggressor_shows_first_and_a_better_hand_is_shown_too():
    played, s = hand([1000] * 3, "AS AH", "KS KH", "QS QH", board="2D 3C 7H 8S 0D")
    act(played, s, "call", "call", "check", "check", "check", "check", "check", "check", "check")
    told = act(played, s, "check", "check", "bet 50", "call", "call")
    assert [event.seat for event in told if isinstance(event, Showed | Mucked)] == [2, 0, 1]
    assert [event.seat for event in of_kind(told, Mucked)] == [1]


def test_a_hand_that_still_wins_a_side_pot_is_shown():
    played, s = hand([50, 1000, 1000], "AS AH", "QS QH", "KS KH", board="2D 3C 7H 8S 0D")
    act(played, s, "raise 100", "all in", "call", "check", "check", "check", "check")
    told = act(played, s, "check", "check")
    assert [event.seat for event in of_kind(told, Showed)] == [0, 1, 2]
    assert chips(s) == [150, 900, 1000]


def test_mucked_and_folded_hands_are_in_nobodys_view_but_their_owners():
    played, s = hand([1000] * 3, "AS AH", "KS KH", "QS QH", board="2D 3C 7H 8S 0D")
    act(played, s, "fold")
    checked_down(played, s)
    aces, kings, queens = (tuple(sorted(parse_cards(text))) for text in ("AS AH", "KS KH", "QS QH"))
    for seat, own in enumerate([aces, kings, queens]):
        last = played.view(s, seat).last
        assert (last.hand, last.shown) == (own, (aces, (), ()))
    assert played.view(s, SPECTATOR).last.hand == ()


def test_a_session_moves_the_button_and_goes_on_without_those_who_are_out():
    """Seat 2 loses everything in the first hand; the button passes over it from then on."""
    played = game("holdem").with_options(players=3, hands=4, **stacked_options(parse_cards("AS AH KS KH QS QH")))
    for seed in range(60):
        s = played.deal(seed)
        told = act(played, s, "all in", "fold", "all in")
        if of_kind(told, Won)[-1].winners == (1,):
            break
    assert (s.number, s.chips[2] + s.bet[2]) == (1, 0)
    assert s.dealt == 0b011
    assert (s.button, s.player) == (0, 0)
    act(played, s, "fold")
    assert (s.number, s.button, s.player) == (2, 1, 1)
    act(played, s, "fold", "fold")
    assert s.over
    assert sum(played.returns(s)) == 0


def test_a_session_ends_when_one_player_has_everything():
    played = game("holdem").with_options(players=2, hands=100, stack=20)
    s = played.deal(3)
    while not s.over:
        act(played, s, "all in" if played.rules.least_raise(s) else "call")
    assert s.number < 100
    assert sorted(chips(s)) == [0, 40]
    assert played.result(s, frozenset()).reason.endswith("one has it all.")


def test_in_a_draw_hand_the_discards_of_others_come_back_when_the_pack_runs_out():
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
            assert s.back == 0b1111
            assert s.late[p].bit_count() == 3
            assert s.late[p] & ~sum(thrown[:4]) == 0
    assert s.left.bit_count() == 52 - 30 - 10
    assert s.stage == played.rules.BET


def test_a_seat_that_stands_pat_keeps_its_hand():
    played = game("draw").with_options(players=2, hands=1)
    s = played.deal(5)
    act(played, s, "call", "check")
    before = s.held[:2]
    act(played, s, "pat", "pat")
    assert (s.held[:2], s.street) == (before, 1)


def test_discards_are_refused_while_bets_are_made_and_the_other_way_round():
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
        ("holdem:big=0,small=0,ante=1", "Without blinds, bet_size must say what the least bet is."),
        ("holdem:players=3,stack5=9", "There is no seat 5 among 3 players, so stack5 means nothing."),
        ("holdem:stack=10", "At least two players must have more than the 10 chips of ante and blinds."),
        ("holdem:pack0=0101", "pack0 to pack5 must name different cards of the pack"),
        ("holdem:pack0=53", "pack0 to pack5 must name different cards of the pack"),
        ("kuhn:players=4", "kuhn has no option 'players'"),
    ],
)
def test_options_that_do_not_go_together_are_refused_with_the_reason(name, sentence):
    with pytest.raises(NotationError, match=sentence):
        game(name)


def test_a_deal_that_the_pack_cannot_serve_is_refused():
    from kibitz.games.poker.options import objection

    options = dict(game("leduc").options) | {"players": 6}
    assert objection(options) == "6 players need 7 cards, and the pack has 6: let fewer play."


@pytest.mark.parametrize(
    "text", ["raise", "raise -5", "raise 1e3", "bet 9999999999999", "raise 5 6", "allin!", "½ pot"]
)
def test_what_is_no_amount_is_refused(text):
    played, s = hand([1000, 1000])
    with pytest.raises(NotationError):
        played.parse(played.view(s, s.player), text)


def test_amounts_can_be_said_in_many_ways():
    played, s = hand([1000] * 3)
    view = played.view(s, s.player)
    said = {text: played.parse(view, text) for text in ("raise 240", "RAISE TO 240", "240", "r 240", "bet 240")}
    assert set(said.values()) == {RAISE + 240}
    assert played.parse(view, "all in") == played.parse(view, "raise all in") == RAISE + 1000
    assert played.parse(view, "pot") == RAISE + 35
    assert played.parse(view, "half pot") == RAISE + 22
    assert played.parse(view, "min") == RAISE + 20


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["holdem", "draw"]),
    st.integers(2, 6),
    st.lists(st.integers(31, 400), min_size=6, max_size=6),
    st.integers(0, 2),
    st.integers(0, 3),
    st.integers(0, 2**64),
)
def test_no_chip_is_lost_or_made(name, n, stacks, limit, ante, seed):
    each = {f"stack{p}": chips for p, chips in enumerate(stacks[:n])}
    played = game(name).with_options(players=n, hands=3, limit=limit, ante=ante, **each)
    random, s = Random(seed), played.deal(seed)
    while not s.over:
        assert sum(s.chips[:n]) + sum(s.paid[:n]) == sum(stacks[:n])
        assert min(s.chips[:n]) >= 0
        low, high = played.rules.least(s), played.rules.most(s)
        action = random.randint(low, high) if low < high and random.random() < 0.3 else random.choice(played.legal(s))
        for event in of_kind(to_seat(played.play(s, action), SPECTATOR), HandEnded):
            assert sum(event.chips) == sum(stacks[:n])
    assert sum(s.chips[:n]) == sum(stacks[:n])
    assert sum(played.returns(s)) == 0
