"""The contract fails on every planted fault: leaks, wrong imagination, disagreeing kernels."""

import dataclasses
import types

import pytest

from kibitz.engine.contract import Violation, imagination, kernel_checks, knowledge
from kibitz.engine.registry import all_games, game
from kibitz.engine.views.events import EVERYONE, Notice
from kibitz.games.bo import hands
from kibitz.games.go import rules as go_rules
from kibitz.games.go import view as go_view
from kibitz.games.poker import view as poker_view
from kibitz.kernel import kernel
from tests.contract.groups import few
from tests.contract.planting import LeakyView, bit, planted, with_kernels, with_rules
from tests.tiers import first_fast

GAMES = pytest.mark.parametrize("played", few(all_games()))
redrawn = go_rules.resample


@GAMES
def test_private_events_sent_to_all_are_caught(played):
    def loud(notices):
        return [Notice(EVERYONE, notice.event) for notice in notices]

    leaky = planted(
        played,
        opening=lambda state: loud(played.opening(state)),
        advance=lambda state, action: loud(played.advance(state, action)),
    )
    with pytest.raises(Violation, match="an event that tells more"):
        knowledge.nothing_hidden_leaks(leaky)


@GAMES
def test_an_order_of_legal_actions_that_leaks_is_caught(played):
    def legal(state, out):
        n = played.rules.legal(state, out)
        if bit(played, state):
            out[:n] = out[:n][::-1]
        return n

    with pytest.raises(Violation, match="by its legal actions"):
        knowledge.nothing_hidden_leaks(with_rules(played, legal=legal))


@pytest.mark.long
def test_bo_leaking_the_pack_of_a_hidden_card_is_caught():
    bo = game("bo")

    def leaky(state, seat):
        packs = str([card >> 6 for card in state.hand])
        return LeakyView(seat, state.player, bool(state.over), bo.view(state, seat), packs)

    with pytest.raises(Violation, match=r"by its view|no event told it"):
        knowledge.nothing_hidden_leaks(planted(bo, view=leaky))


def test_go_showing_a_face_down_choice_is_caught():
    go = game("go-mini")

    def leaky(state, action):
        notices = go.advance(state, action)
        return [
            Notice(EVERYONE, n.event) if isinstance(n.event, go_view.Chose) and n.event.card is not None else n
            for n in notices
        ]

    with pytest.raises(Violation, match="an event that tells more"):
        knowledge.nothing_hidden_leaks(planted(go, advance=leaky))


@pytest.mark.parametrize("name", first_fast(["go-mini", "bo-mini", "kuhn", "leduc", "draw-mini"]))
def test_imagining_only_the_true_state_is_caught(name):
    """A ``resample`` that changes nothing keeps what ``restore`` wrote, so its support is too small."""
    with pytest.raises(Violation, match="never imagines"):
        imagination.imagination_is_exact(with_kernels(game(name), resample=lambda s, seat: True))


@pytest.mark.long
def test_imagining_returned_cards_in_impossible_hands_is_caught(monkeypatch):
    everything = kernel(lambda s, n, epoch: n)
    everything.__module__ = hands.__name__
    monkeypatch.setattr(hands, "entered_by", everything)
    with pytest.raises(Violation, match="impossible positions"):
        imagination.imagination_is_exact(game("bo-mini"), 3)


@pytest.mark.long
def test_go_choices_that_are_not_redrawn_are_caught():
    def resample(s, seat):
        chosen = s.chosen[:]
        redrawn(s, seat)
        for p, card in enumerate(chosen):
            if card != -1 and s.stack[(p - s.turn) % s.players] >> card & 1:
                s.chosen[p] = card
        return True

    with pytest.raises(Violation, match="imagines"):
        imagination.imagination_is_exact(with_kernels(game("go-mini"), resample=resample, redrawn=go_rules.resample))


@GAMES
def test_a_missing_legal_action_is_caught(played):
    def legal(state, out):
        n = played.rules.legal(state, out)
        return n - 1 if n > 1 else n

    with pytest.raises(Violation, match="disagree"):
        kernel_checks.legal_and_refusal_agree(with_kernels(played, legal=legal))


FAULTS = ("one more", "one less", "another order", "one twice", "a number drawn")


@pytest.mark.parametrize("fault", FAULTS)
@GAMES
def test_legal_count_or_legal_at_differing_from_legal_is_caught(played, fault):
    """The fault shows in half of the positions with several legal actions."""

    def listed(state):
        out = [0] * played.max_legal
        return out[: played.rules.legal(state, out)]

    def wrong(state, n):
        return n > 1 and bit(played, state)

    def legal_count(state, scratch):
        n = len(listed(state))
        state.draws += fault == "a number drawn"
        return n + {"one more": 1, "one less": -1}.get(fault, 0) * wrong(state, n)

    def legal_at(state, i, scratch):
        actions = listed(state)
        if fault == "another order" and wrong(state, len(actions)):
            actions.reverse()
        if fault == "one twice" and wrong(state, len(actions)):
            actions[-1] = actions[0]
        return actions[i]

    with pytest.raises(Violation, match="count"):
        kernel_checks.legal_count_and_legal_at_agree(with_kernels(played, legal_count=legal_count, legal_at=legal_at))


@pytest.mark.parametrize("wrong", first_fast([-1, 0, 1, 2]))
def test_a_wrong_verdict_on_an_amount_is_caught(wrong):
    """The wrong amount is just below the range, at its start, in its middle or just above it."""
    played = game("holdem:players=3,hands=2")

    def refusal(s, a):
        low, high = played.rules.min_amount(s), played.rules.max_amount(s)
        places = {-1: low - 1, 0: low, 1: (low + high) // 2, 2: high + 1}
        reason = played.rules.refusal(s, a)
        return int(reason == 0) if low <= high and a == places[wrong] else reason

    with pytest.raises(Violation, match="disagree"):
        kernel_checks.legal_and_refusal_agree(with_kernels(played, refusal=refusal))


@pytest.mark.long
@pytest.mark.parametrize("fault", ["least", "most", "twice", "descending"])
def test_a_wrong_list_of_amounts_is_caught(fault):
    played = game("holdem:players=3,hands=2")

    def legal(s, out):
        n = played.rules.legal(s, out)
        first = next((i for i in range(n) if out[i] >= played.first_amount), n)
        if n - first < 2:
            return n
        if fault == "least":
            out[first] = out[first + 1]
        elif fault == "twice":
            out[first + 1] = out[first]
        elif fault == "descending":
            out[first:n] = out[first:n][::-1]
        return n - 1 if fault == "most" else n

    with pytest.raises(Violation, match="disagree"):
        kernel_checks.legal_and_refusal_agree(with_kernels(played, legal=legal))


@pytest.mark.long
def test_poker_showing_a_mucked_hand_is_caught():
    played = game("holdem:players=3,hands=2")

    def leaky(state, action):
        held = state.held[:]
        notices = played.advance(state, action)
        return [
            Notice(n.audience, poker_view.Showed(n.event.seat, poker_view.cards(held[n.event.seat]), ()))
            if isinstance(n.event, poker_view.Mucked)
            else n
            for n in notices
        ]

    with pytest.raises(Violation, match="an event that tells more"):
        knowledge.nothing_hidden_leaks(planted(played, advance=leaky))


def imagining(played, changed):
    """A game whose imagined states are changed by a function, in plain Python."""

    def resample(state, seat):
        found = played.rules.resample(state, seat)
        if found and not state.over:
            changed(state, seat)
        return found

    return dataclasses.replace(played, rules=types.SimpleNamespace(**{**vars(played.rules), "resample": resample}))


def aces_to_the_stock(state, seat):
    """The last of four seats never holds an Ace: each is swapped with another card of the stock."""
    for ace in range(4 if seat != 3 else 0):
        others = state.stock & ~15
        if state.hand[3] >> ace & 1 and others:
            both = 1 << ace | others & -others
            state.hand[3] ^= both
            state.stock ^= both


def less_first(state, seat):
    """Of two other seats with equally many cards, the first always gets the smaller hand."""
    first, last = [p for p in range(3) if p != seat][:2]
    one, other = state.hand[first], state.hand[last]
    if one > other and one.bit_count() == other.bit_count():
        state.hand[first], state.hand[last] = other, one


@pytest.mark.parametrize(
    ("name", "changed"), [("eights", aces_to_the_stock), ("eights:players=3,hand_size=2", less_first)]
)
def test_wrong_odds_of_a_larger_game_are_caught(name, changed):
    with pytest.raises(Violation, match="with a wrong frequency"):
        imagination.imagination_has_true_frequencies(imagining(game(name), changed))


@pytest.mark.parametrize("name", first_fast(["kuhn", "go-mini", "eights:players=3,hand_size=2"]))
def test_correct_odds_pass_with_more_samples(name):
    """With four times as many samples."""
    imagination.imagination_has_true_frequencies(game(name), 4)
