"""Cribbage at the table: deals, the crib, the play, the show, 121 wherever it is reached, skunks, matches, refusals."""

from collections import Counter
from random import Random

import pytest

from kibitz.cards import as_set, cards_of, parse_cards
from kibitz.engine.contract import knowledge
from kibitz.engine.contract.walks import walk
from kibitz.engine.events import to_seat
from kibitz.engine.registry import game
from kibitz.errors import NotationError, RuleError
from kibitz.games.cribbage import rules
from kibitz.games.cribbage.dealing import NONE, PLAYING
from kibitz.games.cribbage.rules import GO, LAY
from kibitz.games.cribbage.told import CountEnded, GameEnded, Laid, Played, Shown, TurnedUp, Went
from kibitz.table.match import play_match
from tests.oracles.cribbage_by_hand import HandPlayed
from tests.strategies.seats import Strategist
from tests.table.test_match import Answering

CRIBBAGE = game("cribbage")
NAMES = ["Ann", "Ben"]


def in_play(ann, ben, starter="KS", dealer=1, pegs=(0, 0), crib="2D 4D 6D 8D", name="cribbage", trail=""):
    """A position of the play: Ann is seat 0; ``trail`` are cards played already in this count, by turns, Ann's last."""
    played = game(name)
    s = played.deal(1)
    laid = parse_cards(crib)
    s.hand[0], s.hand[1] = as_set(parse_cards(ann)), as_set(parse_cards(ben))
    s.away[0], s.away[1] = as_set(laid[:2]), as_set(laid[2:])
    s.starter, s.phase, s.dealer, s.player = parse_cards(starter)[0], PLAYING, dealer, 1 - dealer
    s.pegs[:] = pegs
    for card in parse_cards(trail):
        s.trail[s.plays], s.by[s.plays] = card, (len(parse_cards(trail)) - 1 - s.plays) % 2
        s.plays += 1
        s.count += min(card // 4 + 1, 10)
    return played, s


def act(played, s, text):
    """Carry out an action given as text; the events that everybody is told."""
    return to_seat(played.play(s, played.parse(played.view(s, s.player), text)), -1)


def sentences(played, events, seat=-1):
    return [played.describe(event, seat, NAMES) for event in events]


def test_the_lower_card_of_the_cut_deals_and_ranks_differ():
    dealers = Counter()
    for seed in range(300):
        s = CRIBBAGE.deal(seed)
        one, other = s.cut[0] >> 2, s.cut[1] >> 2
        assert one != other
        assert s.dealer == (0 if one < other else 1)
        assert s.player == 1 - s.dealer
        dealers[s.dealer] += 1
    assert min(dealers.values()) > 110


def test_six_different_cards_each_are_dealt_and_the_other_seat_lays_away_first():
    for seed in range(50):
        s = CRIBBAGE.deal(seed)
        assert [hand.bit_count() for hand in s.hand] == [6, 6]
        assert s.hand[0] & s.hand[1] == 0
        assert len(CRIBBAGE.legal(s)) == 15


def test_every_hand_is_dealt_equally_often():
    counts = Counter()
    mini = game("cribbage-mini")
    for seed in range(7000):
        counts[mini.deal(seed << 64).hand[1]] += 1
    assert len(counts) == 35
    assert sum((n - 200) ** 2 / 200 for n in counts.values()) < 65, "chi squared, 34 degrees of freedom"


def test_what_is_laid_away_stays_hidden_until_the_crib_is_shown():
    for seed in range(10):
        shown = set()
        state = CRIBBAGE.deal(seed)
        random = Random(seed)
        while state.deals == 1 and not state.over:
            mover, dealt = state.player, state.dealer
            laid = state.away[0] | state.away[1]
            notices = CRIBBAGE.play(state, random.choice(CRIBBAGE.legal(state)))
            for seat in (-1, 0, 1):
                for event in to_seat(notices, seat):
                    if isinstance(event, Laid):
                        assert (event.cards is not None) == (seat == event.seat == mover)
                    if isinstance(event, Shown) and event.crib:
                        assert as_set(event.cards) == laid
                        assert event.seat == dealt
                        shown.add(seat)
        assert shown == {-1, 0, 1}


def test_the_deal_alternates():
    for seed in range(20):
        dealers = {}
        for state, _, _ in walk(CRIBBAGE, seed):
            dealers[state.deals] = state.dealer
        assert all(dealers[n] != dealers[n + 1] for n in range(1, max(dealers)))


def test_the_loser_of_a_game_deals_first_in_the_next():
    match = game("cribbage:games=4,target=40")
    for seed in range(10):
        state, random = match.deal(seed), Random(seed)
        played = 0
        while not state.over:
            events = to_seat(match.play(state, random.choice(match.legal(state))), -1)
            for event in events:
                if isinstance(event, GameEnded):
                    played += 1
                    if not state.over:
                        assert state.dealer == event.pegs.index(min(event.pegs))
                        assert (state.deals, state.pegs) == (1, [0, 0])
        assert played == 4
        assert match.result(state, frozenset()).reason == "All 4 games have been played."


def test_random_deals_score_as_they_do_by_hand():
    for name in ("cribbage", "cribbage:games=3,target=50"):
        played = game(name)
        for seed in range(25):
            compare_with_hand_play(played, seed)


def compare_with_hand_play(played, seed):
    """Every deal of a random game again, by hand."""
    state, random = played.deal(seed), Random(seed)
    while not state.over:
        for _ in range(2):
            number = (state.game, state.deals)
            pegs, hands, dealer = list(state.pegs), list(state.hand), state.dealer
            away = [*state.away]
            played.play(state, random.choice(played.legal(state)))
        new = (state.game, state.deals) != number
        starter = state.past_starter if new else state.starter
        if new or state.over:  # his heels have ended the game
            assert starter >> 2 == 10
            continue
        hands, away = [list(cards_of(hand)) for hand in state.hand], state.away[0] | state.away[1]
        slow = HandPlayed(dealer, hands, cards_of(away), starter, pegs, state.target)

        def next_act(seat, slow=slow):
            assert state.player == seat
            action = random.choice(played.legal(state))
            played.play(state, action)
            return "go" if action == GO else action

        slow.play(next_act)
        finished = state.over or (state.game, state.deals) != number
        assert finished, "by hand the deal was over"
        assert (state.pegs if state.over else state.past_pegs) == slow.pegs


def test_a_worked_example_of_play_and_show():
    """Ben deals, so Ann leads and shows first, and the crib is Ben's."""
    played, s = in_play("7D 8C 9H JS", "8H 8S 7C QD", starter="9D", crib="2D 4D 6D 8D")
    texts = ("8C", "7C", "9H", "go", "7D", "8H", "JS", "8S", "QD")
    told = [sentence for text in texts for sentence in sentences(played, act(played, s, text))]
    assert told[:-1] == [
        "Ann plays 8♣, which makes 8.",
        "Ben plays 7♣, which makes 15: fifteen for two, now 2.",
        "Ann plays 9♥, which makes 24: a run of three for three, now 3.",
        "Ben says go.",
        "Ann plays 7♦, which makes 31: thirty-one for two, now 5.",
        "The count starts again, and Ben leads.",
        "Ben plays 8♥, which makes 8.",
        "Ann plays J♠, which makes 18.",
        "Ben plays 8♠, which makes 26.",
        "One for the last card, Ben has 3; the count starts again, and Ben leads.",
        "Ben plays Q♦, which makes 10.",
        "One for the last card, Ben has 4.",
        "Ann shows 7♦ 8♣ 9♥ J♠ with 9♦: fifteen two, a pair is four, a run of three is seven, "
        "and a run of three is ten, now 15.",
        "Ben shows 7♣ 8♥ 8♠ Q♦ with 9♦: fifteen two, fifteen four, a pair is six, a run of three is nine, "
        "and a run of three is twelve, now 16.",
        "Ben's crib is 2♦ 4♦ 6♦ 8♦ with 9♦: fifteen two, fifteen four, and a flush is nine, now 25.",
    ]
    assert told[-1] == "Deal 2: Ann deals and has the crib."


def test_go_and_the_last_card():
    played, s = in_play("0D 0C 0H 4S", "JD QC KH 2S", crib="5D 5C 5H 5S", starter="7D")
    told = []
    for text in ("0D", "JD", "0C"):
        told += act(played, s, text)
    assert s.player == 1
    assert s.count == 30
    assert played.legal(s) == [GO], "a two does not fit"
    told += act(played, s, "go")
    assert sentences(played, told)[3:] == [
        "Ben says go.",
        "One for the last card, Ann has 1; the count starts again, and Ben leads.",
    ]
    assert s.player == 1
    assert (s.pegs, s.count, s.first) == ([1, 0], 0, 3)
    assert s.floor == [2, 2], "neither has an Ace, and all know"


def test_after_a_go_the_other_plays_on_and_scores():
    played, s = in_play("AD AC 2H 3S", "9D KC KH 0S", trail="KD 8S", crib="5D 5C 6H 7S", starter="7D")
    s.player = 1
    act(played, s, "9D")
    assert s.count == 27
    act(played, s, "AD")
    assert [type(event) for event in act(played, s, "go")] == [Went]
    assert s.player == 0, "Ben is out of this count"
    told = act(played, s, "AC")
    assert told[0].points == 2, "a pair, though Ben has said go in between"
    assert s.player == 0
    told = act(played, s, "2H")
    assert (told[0].count, told[0].points) == (31, 2)
    assert isinstance(told[1], CountEnded)
    assert (told[1].points, told[1].leader) == (0, 1), "two for 31 is all"


def test_thirty_one_scores_two_without_a_point_for_the_last_card():
    played, s = in_play("0D 6C", "JD 5C", trail="", crib="2D 4D 6D 8D")
    told = [event for text in ("0D", "JD", "6C", "5C") for event in act(played, s, text)]
    plays = [event for event in told if isinstance(event, Played)]
    assert [event.points for event in plays] == [0, 0, 0, 2]
    (ended,) = [event for event in told if isinstance(event, CountEnded)]
    assert (ended.last, ended.count, ended.points, ended.leader) == (1, 31, 0, NONE)


def test_who_has_no_cards_is_not_asked_to_say_go():
    played, s = in_play("KD", "4C 5C 9H", crib="2D 4D 6D 8D")
    act(played, s, "KD")
    assert s.player == 1
    act(played, s, "4C")
    assert s.player == 1
    act(played, s, "5C")
    assert s.player == 1
    told = act(played, s, "9H")
    assert isinstance(told[0], Played)
    assert [type(event) for event in told[1:3]] == [CountEnded, Shown]


def test_pairs_go_by_rank_and_not_by_value():
    played, s = in_play("KD 2C", "QC QH")
    assert act(played, s, "KD")[0].points == 0
    assert act(played, s, "QC")[0].points == 0


def test_a_new_count_forgets_the_cards_before():
    played, s = in_play("7D 3C", "7C 7H KD KC", trail="KH 4C")
    s.player = 1
    act(played, s, "KD")
    act(played, s, "7D")
    assert (s.count, s.first) == (0, 4)
    assert s.player == 1
    assert act(played, s, "7C")[0].points == 0, "31 lies between the sevens"


# 121, wherever it is reached


def last_event(told, kind):
    return [event for event in told if isinstance(event, kind)][-1]


def test_heels_can_win():
    s = CRIBBAGE.deal(3)
    s.pack = s.hand[0] | s.hand[1] | as_set(parse_cards("JD JC JH JS"))
    s.pegs[s.dealer], dealer = 119, s.dealer
    CRIBBAGE.play(s, CRIBBAGE.legal(s)[0])
    told = to_seat(CRIBBAGE.play(s, CRIBBAGE.legal(s)[0]), -1)
    assert [type(event).__name__ for event in told] == ["Laid", "TurnedUp", "GameEnded", "Finished"]
    assert last_event(told, TurnedUp).points == 2
    assert s.over
    assert s.pegs[dealer] == 121
    assert s.points[dealer] == 3


@pytest.mark.parametrize(
    ("place", "pegs", "ended"),
    [
        ("a card played", (100, 119), ["Played", "GameEnded"]),
        ("the last card", (100, 118), ["Played", "CountEnded", "GameEnded"]),
        ("the other hand", (113, 100), ["Played", "CountEnded", "Shown", "GameEnded"]),
        ("the dealer's hand", (100, 116), ["Played", "CountEnded", *["Shown"] * 2, "GameEnded"]),
        ("the crib", (100, 108), ["Played", "CountEnded", *["Shown"] * 3, "GameEnded"]),
    ],
)
def test_the_game_ends_wherever_somebody_has_121(place, pegs, ended):
    """Ben deals.  In the play he scores 2 and 1, in the show Ann 8, he 2 and his crib 8."""
    played, s = in_play("5D 5C", "0D 9C", starter="5H", dealer=1, pegs=pegs, crib="2D 2C 2H 5S")
    told = []
    for text in ("5D", "0D", "5C", "9C"):
        told = told if s.over else act(played, s, text)
    assert [type(event).__name__ for event in told] == [*ended, "Finished"], place
    assert s.over
    assert max(s.pegs) == 121


def test_the_other_hand_is_shown_before_the_dealers():
    """Both have enough in their hands; Ann, who did not deal, counts first and wins."""
    played, s = in_play("5D 5C", "0D 9C", starter="5H", dealer=1, pegs=(113, 116), crib="2D 2C 2H 5S")
    for text in ("5D", "0D", "5C", "9C"):
        act(played, s, text)
    assert s.pegs == [121, 119]
    assert played.result(s, frozenset()).winners == (0,)


@pytest.mark.parametrize(
    ("loser", "skunks", "worth", "reason"),
    [
        (120, 1, 1, "The game ended 121 to 120."),
        (91, 1, 1, "The game ended 121 to 91."),
        (90, 1, 2, "The game ended 121 to 90, a skunk."),
        (61, 1, 2, "The game ended 121 to 61, a skunk."),
        (60, 1, 3, "The game ended 121 to 60, a double skunk."),
        (0, 1, 3, "The game ended 121 to 0, a double skunk."),
        (0, 0, 1, "The game ended 121 to 0."),
    ],
)
def test_a_skunk_counts_double_and_a_double_skunk_three_times(loser, skunks, worth, reason):
    played, s = in_play("5D", "KC", pegs=(loser, 119), name=f"cribbage:skunks={skunks}")
    act(played, s, "5D")
    told = act(played, s, "KC")
    assert s.over
    assert played.returns(s) == (0.0, float(worth))
    assert last_event(told, GameEnded).worth == worth
    outcome = played.result(s, frozenset())
    assert (outcome.reason, outcome.winners) == (reason, (1,))
    assert ("skunk" in sentences(played, told)[-2]) == (worth > 1)
    assert played.result(s, frozenset({1})).winners == (0,), "who forfeits cannot win"


def test_points_of_a_match_are_added_up_and_can_be_shared():
    match = game("cribbage:games=2,target=30")
    seen = set()
    for seed in range(60):
        state, random = match.deal(seed), Random(seed)
        while not state.over:
            match.play(state, random.choice(match.legal(state)))
        outcome = match.result(state, frozenset())
        assert sum(outcome.scores) == 2
        seen.add(outcome.winners)
    assert seen == {(0,), (1,), (0, 1)}


# What cannot be done


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("2D", "Lay away exactly 2 cards, not 1"),
        ("2D 3D 4D", "Lay away exactly 2 cards, not 3"),
        ("", "Lay away exactly 2 cards, not 0"),
        ("2D 2D", "2D is there 2 times"),
        ("2D KS", "You do not hold K♠"),
        ("2D XX", "without jokers"),
        ("2D 1S", "'1S' is no card"),
        ("go", "Go belongs to the play"),
    ],
)
def test_what_cannot_be_laid_away_is_refused_and_changes_nothing(text, why):
    s = CRIBBAGE.deal(1)
    s.hand[s.player] = as_set(parse_cards("2D 3D 4D 5D 6D 7D"))
    before = s.copy()
    with pytest.raises((RuleError, NotationError), match=why) as caught:
        act(CRIBBAGE, s, text)
    assert "\n" not in str(caught.value)
    assert s == before


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("KD", "may not go above 31"),
        ("go", "only say go when no card of yours fits"),
        ("9D", "from your own hand"),
        ("3D 4D", "exactly one card"),
        ("", "exactly one card"),
        ("XX", "without jokers"),
        ("KD KD", "KD is there 2 times"),
    ],
)
def test_what_cannot_be_played_is_refused_and_changes_nothing(text, why):
    played, s = in_play("KD 3D 4D", "2C", trail="9S QD 8S")
    before = s.copy()
    assert s.count == 27
    with pytest.raises((RuleError, NotationError), match=why):
        act(played, s, text)
    assert s == before


def test_actions_of_the_other_phase_are_refused():
    s = CRIBBAGE.deal(1)
    low = min(cards_of(s.hand[s.player]))
    assert "first lay cards away" in CRIBBAGE.why_not(s, low)
    assert "as many cards as the crib needs" in CRIBBAGE.why_not(s, LAY + 0b111)
    assert "as many cards as the crib needs" in CRIBBAGE.why_not(s, LAY)
    played, s = in_play("KD 3D 4D", "2C")
    assert "laid away your cards already" in played.why_not(s, LAY + 0b11)
    s.over = 1
    assert played.why_not(s, 0) == "The game is over."


def test_a_seat_that_makes_an_invalid_move_forfeits_and_the_game_is_finished():
    good = Strategist(CRIBBAGE.strategies["greedy"])
    record = play_match(CRIBBAGE, [Answering(GO), good], 3).record
    assert [forfeit.seat for forfeit in record.forfeits] == [0]
    assert "Go belongs to the play" in record.forfeits[0].sentence
    assert record.outcome.winners == (1,)


def test_matches_and_short_games_keep_the_promises_of_knowledge():
    for name in ("cribbage:games=2,target=31", "cribbage:cut_first=0,skunks=0,target=15"):
        played = game(name)
        knowledge.views_are_folds_of_events(played)
        knowledge.nothing_hidden_leaks(played)
        knowledge.imagination_fits_the_view(played)
        knowledge.records_round_trip(played)


def test_who_says_go_shows_how_high_its_cards_are():
    played, s = in_play("AD AC 2H", "9D KC 0S", trail="KD 8S", crib="5D 5C 6H 7S", starter="7D")
    s.player = 1
    for text in ("9D", "AD", "go"):
        act(played, s, text)
    view = played.view(s, 0)
    assert view.floors[1] == 4, "at 28 a three would have fitted"
    for seed in range(40):
        world = played.imagine(view, seed)
        assert all(min(card // 4 + 1, 10) >= view.floors[1] for card in cards_of(world.hand[1]))


@pytest.mark.parametrize("option", ["games=0", "games=101", "target=0", "target=122", "skunks=2", "hand_size=5"])
def test_options_out_of_range_are_refused(option):
    with pytest.raises(NotationError):
        game(f"cribbage:{option}")


def test_every_state_fits_the_rules():
    for seed in range(15):
        for state, legal, _ in walk(CRIBBAGE, seed):
            assert 0 <= state.count <= 31
            assert max(state.pegs) < 121
            if GO in legal:
                assert legal == [GO]
                assert rules.fitting(state, state.player) == 0
            known = state.hand[0].bit_count() + state.hand[1].bit_count() + state.plays
            assert known + state.away[0].bit_count() + state.away[1].bit_count() == 12
