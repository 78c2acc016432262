"""The play of cribbage in worked examples, and whole deals against scoring by hand."""

from random import Random

from kibitz.cards import cards_of, symbol
from kibitz.engine.registry import game
from kibitz.games.cribbage.rules import GO
from kibitz.games.cribbage.stages import NONE
from kibitz.games.cribbage.view import CountEnded, Played, SaidGo, Shown
from kibitz.games.cribbage.words import play_text
from tests.games.cribbage_table import act, in_play, sentences
from tests.oracles.cribbage_by_hand import HandPlayed


def test_random_deals_score_as_counted_by_hand():
    for name in ("cribbage", "cribbage:games=3,target=50"):
        played = game(name)
        for seed in range(25):
            compare_with_hand_play(played, seed)


def compare_with_hand_play(played, seed):
    """Play a random game, and score every deal again by hand."""
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


def test_last_card_scores_one_after_go():
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


def test_other_seat_plays_on_and_scores_after_go():
    played, s = in_play("AD AC 2H 3S", "9D KC KH 0S", trail="KD 8S", crib="5D 5C 6H 7S", starter="7D")
    s.player = 1
    act(played, s, "9D")
    assert s.count == 27
    act(played, s, "AD")
    assert [type(event) for event in act(played, s, "go")] == [SaidGo]
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


def test_a_seat_without_cards_is_not_asked_to_say_go():
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


def test_pairs_need_equal_ranks_not_equal_values():
    played, s = in_play("KD 2C", "QC QH")
    assert act(played, s, "KD")[0].points == 0
    assert act(played, s, "QC")[0].points == 0


def test_a_new_count_ignores_earlier_cards():
    played, s = in_play("7D 3C", "7C 7H KD KC", trail="KH 4C")
    s.player = 1
    act(played, s, "KD")
    act(played, s, "7D")
    assert (s.count, s.first) == (0, 4)
    assert s.player == 1
    assert act(played, s, "7C")[0].points == 0, "31 lies between the sevens"


def test_go_raises_the_lower_bound_of_a_seats_cards():
    played, s = in_play("AD AC 2H", "9D KC 0S", trail="KD 8S", crib="5D 5C 6H 7S", starter="7D")
    s.player = 1
    for text in ("9D", "AD", "go"):
        act(played, s, text)
    view = played.view(s, 0)
    assert view.floors[1] == 4, "at 28 a three would have fitted"
    for seed in range(40):
        world = played.imagine(view, seed)
        assert all(min(card // 4 + 1, 10) >= view.floors[1] for card in cards_of(world.hand[1]))


def test_a_choices_label_agrees_with_its_event():
    played, random, scored = game("cribbage"), Random(7), 0
    for seed in range(12):
        state = played.deal(seed)
        while not state.over:
            view, action = played.view(state, state.player), random.choice(played.legal(state))
            label = played.words.label(view, action)
            for event in {notice.event for notice in played.advance(state, action)}:
                if isinstance(event, Played):
                    said = play_text(event.count, event.equal, event.run)
                    assert label == f"{symbol(event.card)}  (makes {event.count}{said and f': {said}'})"
                    scored += bool(said)
    assert scored > 100
