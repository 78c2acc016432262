"""The contract fails on every planted fault: leaks, wrong imagination, disagreeing kernels."""

import dataclasses
import types

import pytest

from kibitz.engine.contract import Violation, imagination, kernel_checks, knowledge, positions
from kibitz.engine.registry import all_games, game
from kibitz.engine.views.events import EVERYONE, Notice, View
from kibitz.games.bo import hands
from kibitz.games.bo import view as bo_view
from kibitz.games.go import rules as go_rules
from kibitz.games.go import view as go_view
from kibitz.games.poker import view as poker_view
from kibitz.kernel import kernel
from tests.contract.groups import few
from tests.tiers import first_fast

GAMES = pytest.mark.parametrize("played", few(all_games()))


def planted(played, **changes):
    """A changed game, checked at the covering positions of the original."""
    return positions.share_positions(dataclasses.replace(played, **changes), played)


redrawn = go_rules.resample


class LeakyView(View, frozen=True):
    """A true view and a secret that it must not hold."""

    true: View
    secret: str


def changed_rules(rules, **kernels):
    """A game's rules with some kernels replaced, in plain Python; marked kernels see the names of the rules."""
    for function in kernels.values():
        function.__module__ = rules.__name__
    return types.SimpleNamespace(**{**vars(rules), **kernels})


def parity(played, state):
    """One bit that depends on the hidden cards."""
    return hash(played.infoset_states.key(state)) & 1


@GAMES
def test_a_view_that_shows_something_hidden_is_caught(played):
    def leaky(state, seat):
        return LeakyView(
            seat, state.player, bool(state.over), played.view(state, seat), str(played.infoset_states.key(state))
        )

    with pytest.raises(Violation, match=r"by its view|no event told it"):
        knowledge.nothing_hidden_leaks(planted(played, view=leaky))


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
        if parity(played, state):
            out[:n] = out[:n][::-1]
        return n

    with pytest.raises(Violation, match="by its legal actions"):
        knowledge.nothing_hidden_leaks(planted(played, rules=changed_rules(played.rules, legal=legal)))


@GAMES
def test_a_refusal_that_depends_on_hidden_cards_is_caught(played):
    def refusal(state, action):
        reason = played.rules.refusal(state, action)
        return reason and 1 + (reason + parity(played, state)) % (len(played.rules.Reason) - 1)

    with pytest.raises(Violation, match="by a refusal"):
        knowledge.nothing_hidden_leaks(planted(played, rules=changed_rules(played.rules, refusal=refusal)))


@pytest.mark.long
def test_bo_showing_drawn_cards_is_caught():
    bo = game("bo-mini")

    def leaky(state, action):
        notices = bo.advance(state, action)
        drawn = [notice.event for notice in notices if isinstance(notice.event, bo_view.Drew)]
        return notices + [Notice(EVERYONE, event) for event in drawn if event.cards]

    with pytest.raises(Violation, match="an event that tells more"):
        knowledge.nothing_hidden_leaks(planted(bo, advance=leaky))


def test_bo_leaking_the_pack_of_a_hidden_card_is_caught():
    bo = game("bo")

    def leaky(state, seat):
        view = bo.view(state, seat)
        packs = tuple(card >> 6 for card in state.hand)
        return LeakyView(seat, state.player, bool(state.over), view, str(packs))

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


def test_a_go_hand_size_that_reveals_a_choice_is_caught():
    go = game("go-mini")

    def leaky(state, seat):
        view = go.view(state, seat)
        sizes = tuple(bin(state.stack[p]).count("1") * 100 + state.chosen[p] % 7 for p in range(4))
        return LeakyView(seat, state.player, bool(state.over), view, str(sizes))

    with pytest.raises(Violation, match=r"by its view|no event told it"):
        knowledge.nothing_hidden_leaks(planted(go, view=leaky))


@pytest.mark.parametrize("name", first_fast(["go-mini", "bo-mini"]))
def test_imagining_only_the_true_state_is_caught(name):
    """A ``resample`` that changes nothing keeps what ``restore`` wrote, so its support is too small."""
    played = game(name)
    lazy = changed_rules(played.rules, resample=kernel(lambda s, seat: True))
    with pytest.raises(Violation, match="never imagines"):
        imagination.imagination_is_exact(dataclasses.replace(played, rules=lazy))


def swap_kernel(monkeypatch, module, name, function):
    """Replace a kernel of ``module``."""
    function.__module__ = module.__name__
    monkeypatch.setattr(module, name, kernel(function))


@pytest.mark.long
def test_imagining_returned_cards_in_impossible_hands_is_caught(monkeypatch):
    swap_kernel(monkeypatch, hands, "entered_by", lambda s, n, epoch: n)
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

    played = game("go-mini")
    stuck = changed_rules(played.rules, resample=kernel(resample), redrawn=go_rules.resample)
    with pytest.raises(Violation, match="imagines"):
        imagination.imagination_is_exact(dataclasses.replace(played, rules=stuck))


@GAMES
def test_a_missing_legal_action_is_caught(played):
    def legal(state, out):
        n = played.rules.legal(state, out)
        return n - 1 if n > 1 else n

    rules = changed_rules(played.rules, legal=kernel(legal))
    with pytest.raises(Violation, match="disagree"):
        kernel_checks.legal_and_refusal_agree(planted(played, rules=rules))


def with_plain_rules(played, **kernels):
    """A game with some kernels replaced, for checks that need no machine code."""
    marked = {name: kernel(function) for name, function in kernels.items()}
    return planted(played, rules=changed_rules(played.rules, **marked))


FAULTS = ("one more", "one less", "another order", "one twice", "a number drawn")


@pytest.mark.parametrize("fault", FAULTS)
@GAMES
def test_legal_count_or_legal_at_differing_from_legal_is_caught(played, fault):
    """The fault shows in half of the positions with several legal actions."""

    def listed(state):
        out = [0] * played.max_legal
        return out[: played.rules.legal(state, out)]

    def wrong(state, n):
        return n > 1 and parity(played, state)

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
        kernel_checks.legal_count_and_legal_at_agree(
            with_plain_rules(played, legal_count=legal_count, legal_at=legal_at)
        )


@pytest.mark.parametrize("wrong", first_fast([-1, 0, 1, 2]))
def test_a_wrong_verdict_on_an_amount_is_caught(wrong):
    """The wrong amount is just below the range, at its start, in its middle or just above it."""
    played = game("holdem:players=3,hands=2")

    def refusal(s, a):
        low, high = played.rules.least(s), played.rules.most(s)
        places = {-1: low - 1, 0: low, 1: (low + high) // 2, 2: high + 1}
        reason = played.rules.refusal(s, a)
        return int(reason == 0) if low <= high and a == places[wrong] else reason

    with pytest.raises(Violation, match="disagree"):
        kernel_checks.legal_and_refusal_agree(with_plain_rules(played, refusal=refusal))


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
        kernel_checks.legal_and_refusal_agree(with_plain_rules(played, legal=legal))


@pytest.mark.long
@pytest.mark.parametrize("name", ["kuhn", "leduc", "draw-mini"])
def test_imagining_only_the_true_state_is_caught_in_poker(name):
    with pytest.raises(Violation, match="never imagines"):
        imagination.imagination_is_exact(with_plain_rules(game(name), resample=lambda s, seat: True))


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
