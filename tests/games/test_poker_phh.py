"""PHH: what is exported PokerKit's own reader plays to the same end, and what PokerKit writes is imported."""

import warnings
from random import Random

import pokerkit
import pytest
from pokerkit import Automation, HandHistory

from kibitz.engine import record as records
from kibitz.engine.contract.walks import walk
from kibitz.engine.events import SPECTATOR, to_seat
from kibitz.engine.record import Record
from kibitz.engine.registry import game
from kibitz.errors import RecordError
from kibitz.games.poker.phh import exported, imported
from kibitz.games.poker.told import Dealt

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.CARD_BURNING,
    Automation.RUNOUT_COUNT_SELECTION,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


def random_record(name, seed):
    played = game(name)
    actions = [action for _, _, action in walk(played, seed)]
    state = played.deal(seed)
    for action in actions:
        played.play(state, action)
    names = tuple(f"Ann's {p}" for p in range(played.seats))
    outcome = played.result(state, frozenset())
    return Record(played.name, played.rules.VERSION, names, seed, tuple(actions), (), outcome)


def has_a_short_blind(record):
    """Whether in some hand a blind or straddle is all-in for less."""
    played = game(record.game)
    s = played.deal(record.seed)
    for action in record.actions:
        for event in to_seat(played.play(s, action), SPECTATOR):
            if isinstance(event, Dealt):
                forced = [s.small, s.big] + [2 * s.big] * (s.straddle and len(event.dealt) > 2)
                posted = sorted(bet for bet in event.bets if bet)
                if posted != forced:
                    return True
    return False


def last_states(text):
    """The hands of a text as PokerKit plays them to their ends."""
    hands = HandHistory.loads_all(text, automations=AUTOMATIONS) if text.startswith("[") else [HandHistory.loads(text)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return [(hand, list(hand)[-1]) for hand in hands]


@pytest.mark.parametrize(
    "name",
    [
        *("holdem:hands=1,players=2", "holdem:hands=3,players=4", "holdem:hands=2,players=9,ante=3"),
        *("holdem:hands=2,players=5,straddle=1", "holdem:hands=2,players=3,limit=2", "holdem:hands=1,stack2=77"),
    ],
)
def test_pokerkit_reads_what_is_exported_and_comes_to_the_same_stacks(name):
    compared = 0
    for seed in range(25):
        record = random_record(name, seed)
        if has_a_short_blind(record):
            with pytest.raises(RecordError, match="all-in for less"):
                exported(record)
            continue
        text = exported(record)
        for hand, state in last_states(text):
            assert not state.status
            assert state.stacks == hand.finishing_stacks
            compared += 1
    assert compared > 20


@pytest.mark.parametrize(
    "name", ["holdem:hands=1,players=2", "holdem:hands=1,players=6,ante=2", "holdem:hands=1,limit=2"]
)
def test_what_is_exported_is_imported_as_the_same_hand(name):
    for seed in range(20):
        true = random_record(name, seed)
        again, unknown = imported(exported(true))
        assert not unknown
        assert (again.actions, again.seats, again.outcome.scores) == (true.actions, true.seats, true.outcome.scores)
        assert records.parse(records.text(again)) == again
        assert exported(again) == exported(true)


HAND = """
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [200, 200, 300]
players = ["Ivey", "Dwan", "Durr"]
actions = [
  "d dh p1 Ac2d",
  "d dh p2 ????",
  "d dh p3 7h6h",
  "p3 cbr 7 # raises",
  "p1 cbr 23",
  "p2 f",
  "p3 cc",
  "d db Jc3d5c",
  "p1 cbr 35",
  "p3 cc",
  "d db 4h",
  "p1 cbr 52",
  "p3 cbr 142",
  "p1 cc",
  "p1 sm Ac2d",
  "p3 sm 7h6h",
  "d db Jh",
]
"""


def test_a_published_hand_is_imported_card_by_card():
    record, unknown = imported(HAND)
    assert unknown == ["p2"]
    assert record.outcome.scores == (-200, -2, 202)
    told = records.text(record)
    assert "The flop: J♣ 3♦ 5♣." in told
    assert "Durr shows 6♥ 7♥: a straight to the seven." in told


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('"NT"', '"PO"', "only hold'em can be read, NT and FT"),
        ("p3 cbr 7 #", "p3 cbr 3 #", "action 4, 'p3 cbr 3': a bet must be at least the big blind"),
        ('"p1 cbr 23"', '"p2 cbr 23"', "it is p1's turn"),
        ("p3 cbr 142", "p3 jump", "this is no action of hold'em"),
        ("[1, 2, 0]", "[1, 2, 3]", "only equal antes, two blinds and one straddle"),
        ("antes = [0, 0, 0]", "antes = [0, 5, 0]", "only equal antes"),
        ("[200, 200, 300]", "[110.5, 200, 300]", "'110.5' is no whole number of chips"),
        ("7h6h", "Ac6h", "a card is dealt twice"),
        ("d db 4h", "d db ??", "a card of the board is unknown"),
        ('"p3 cc",\n  "d db J', '"p3 f",\n  "d db J', "the hand is over"),
        ("min_bet = 2\n", "", "the field 'min_bet' is missing"),
        ("variant", "variant =", "this is no PHH, which is TOML"),
        ("7h6h", "7x6h", "this PHH cannot be read"),
        ('players = ["Ivey"', 'finishing_stacks = [1, 2, 3]\nplayers = ["Ivey"', "the file ends with the stacks"),
    ],
)
def test_what_cannot_be_imported_is_refused_in_a_sentence(old, new, sentence):
    text = HAND.replace(old, new)
    assert text != HAND
    if sentence is None:
        imported(text)
        return
    with pytest.raises(RecordError, match=sentence):
        imported(text)


def test_unknown_cards_at_a_showdown_are_refused():
    text = HAND.replace("d dh p3 7h6h", "d dh p3 ????").replace('"p3 sm 7h6h",', "")
    with pytest.raises(RecordError, match="the cards of p3 at the showdown are unknown"):
        imported(text)


def test_of_several_hands_one_is_chosen():
    text = exported(random_record("holdem:hands=3", 4))
    with pytest.raises(RecordError, match="choose one"):
        imported(text)
    assert imported(text, 2)[0].outcome.scores
    with pytest.raises(RecordError, match="there is no hand 4"):
        imported(text, 4)


@pytest.mark.parametrize("name", ["draw", "kuhn", "holdem:limit=1", "go"])
def test_games_that_phh_does_not_have_are_refused(name):
    with pytest.raises(RecordError, match="PHH has no-limit and fixed-limit hold'em only"):
        exported(random_record(name, 1))


def test_a_hand_that_pokerkit_has_dealt_is_imported():
    """The other way round: PokerKit plays and writes, and its payouts are ours."""
    for seed in range(40):
        random = Random(seed)
        played = pokerkit.NoLimitTexasHoldem(AUTOMATIONS, True, 0, (1, 2), 2)
        state = played([random.randint(30, 200) for _ in range(4)], 4)
        while state.status:
            if state.can_deal_hole():
                state.deal_hole()
            elif state.can_deal_board():
                state.deal_board()
            elif state.can_show_or_muck_hole_cards():
                state.show_or_muck_hole_cards(True)
            elif state.can_complete_bet_or_raise_to() and random.random() < 0.3:
                state.complete_bet_or_raise_to(state.min_completion_betting_or_raising_to_amount)
            elif state.can_fold() and random.random() < 0.2:
                state.fold()
            else:
                state.check_or_call()
        written = HandHistory.from_game_state(played, state)
        record, _ = imported(written.dumps())
        assert [score + chips for score, chips in zip(record.outcome.scores, state.starting_stacks, strict=True)] == (
            state.stacks
        )
