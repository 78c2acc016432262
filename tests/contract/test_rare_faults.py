"""The contract fails on faults that show in rare positions, to one seat, by one action, or only in the odds.

Each fault can be planted in any game; the tests choose the games from the registry, a few in the fast tier, all in the
long tier.
"""

import dataclasses
import types
import zlib
from random import Random

import pytest

from kibitz.cards.chance import randbelow
from kibitz.engine.contract import (
    CHECKS,
    Violation,
    completeness,
    imagination,
    kernel_checks,
    knowledge,
    positions,
    wording,
)
from kibitz.engine.contract.checking import observers
from kibitz.engine.game import Game
from kibitz.engine.registry import all_games, packages, variants
from kibitz.engine.validation import unchecked
from kibitz.engine.views.events import View
from kibitz.games.bo import rules as bo_rules
from kibitz.games.poker import rules as poker_rules
from kibitz.kernel import kernel
from tests.contract.groups import marked, smallest
from tests.contract.planting import LeakyView, bit, planted, with_rules, with_words
from tests.parts import share

MINIS = [game for game in all_games() if game.variant == "mini"]


def few(fault, games, n=1):
    """``n`` of some games, chosen by the fault; the others are tested in the long tier.

    In the fast tier they are small games, whose covering positions were already found in the same process.
    """
    small = [game for game in games if game == smallest(game) and game.name != "holdem"] or games
    start = zlib.crc32(fault.encode()) % len(small)
    chosen = {small[(start + 5 * i) % len(small)].name for i in range(n)}
    rest = share([game.name for game in games if game.name not in chosen], 5, fault)
    taken = [game for game in games if game.name in {*chosen, *rest}]
    return [marked(game, *[pytest.mark.long] * (game.name in rest)) for game in taken]


def on(fault, games=None, n=1):
    """Parametrise a test of a fault over games."""
    return pytest.mark.parametrize("played", few(fault, games or list(all_games()), n))


class Pocket(View, frozen=True, dict=True):
    """A true view with an instance dictionary, whose content is not serialised."""

    true: View


def rare_value(played):
    """A rare value in the views of a game in play: a path of fields, and the value there."""
    found = positions.search(played)
    name = type(played.view(played.deal(0), 0)).__name__
    seen = {}
    for position in found.positions:
        if not position.state.over and position.game is played:
            for seat in observers(played):
                for atom in positions.view_values(played.view(position.state, seat), name):
                    seen[atom] = seen.get(atom, 0) + 1
    least = min(seen.values())
    return min((atom for atom, times in seen.items() if times <= least + 4), key=repr), name


@on("a rare view")
def test_a_view_that_leaks_beside_one_rare_value_is_caught(played):
    value, name = rare_value(played)

    def leaky(state, seat):
        view = unchecked(played.view)(state, seat)
        shows = value in set(positions.view_values(view, name))
        return LeakyView(seat, state.player, bool(state.over), view, bit(played, state) if shows else 0)

    with pytest.raises(Violation, match=r"by its view|no event told it") as caught:
        knowledge.nothing_hidden_leaks(planted(played, view=leaky))
    broken = caught.value
    assert broken.place.game.name.startswith(played.name)
    assert None not in (broken.place.seed, broken.place.seat, broken.place.step)
    assert (broken.field, set(broken.values)) == ("secret", {0, 1})
    assert str(broken).endswith(
        f"to repeat: kibitz check-game {broken.place.game.name} --check nothing_hidden_leaks --seed {broken.place.seed}"
    )


@on("a pocket")
def test_a_view_with_unserialised_attributes_is_caught(played):
    def leaky(state, seat):
        view = Pocket(seat, state.player, bool(state.over), unchecked(played.view)(state, seat))
        view.__dict__["secret"] = bit(played, state)
        return view

    with pytest.raises(Violation, match="that isn't plain"):
        knowledge.nothing_hidden_leaks(planted(played, view=leaky))


# The check asks for every sixteenth refusal: among thousands of actions, one is met only in many more positions.
@on("one refusal", [game for game in all_games() if game.first_amount < 2000])
def test_one_refusal_to_one_seat_that_leaks_is_caught(played):
    one = [p for p in positions.search(played).positions if not p.state.over and p.game is played]
    seat = max(p.state.player for p in one)
    action = min(range(played.first_amount // 3, played.first_amount), key=lambda a: sum(a in p.legal for p in one))

    def refusal(state, a):
        reason = played.rules.refusal(state, a)
        tells = a == action and state.player == seat and reason
        return 1 + (reason + bit(played, state)) % (len(played.rules.Reason) - 1) if tells else reason

    with pytest.raises(Violation, match="by a refusal") as caught:
        knowledge.nothing_hidden_leaks(with_rules(played, refusal=refusal))
    assert (caught.value.place.seat, caught.value.place.action) == (seat, action)


@on("a substitute")
def test_a_substitute_that_depends_on_hidden_cards_is_caught(played):
    def substitute(state):
        legal = played.legal(state)
        return legal[bit(played, state) * (len(legal) - 1)]

    with pytest.raises(Violation, match="played for it after a forfeit"):
        knowledge.nothing_hidden_leaks(with_rules(played, substitute=substitute))


@on("the order")
def test_an_order_of_notices_that_leaks_is_caught(played):
    def advance(state, action):
        turned = bit(played, state)
        notices = played.advance(state, action)
        private = [notice for notice in notices if notice.audience.bit_count() == 1]
        return [*reversed(private), *(n for n in notices if n not in private)] if turned else notices

    def opening(state):
        notices = played.opening(state)
        return notices[::-1] if bit(played, state) and len({n.audience for n in notices}) == len(notices) else notices

    with pytest.raises(Violation, match=r"order in which seats get their events|an event that tells more"):
        knowledge.nothing_hidden_leaks(planted(played, advance=advance, opening=opening))


@on("a result", [game for game in all_games() if game.name.startswith(("cribbage", "bo"))])
def test_a_result_that_leaks_is_caught(played):
    def returns(state, out):
        played.rules.returns(state, out)
        out[0] += bit(played, state)

    with pytest.raises(Violation, match="by the result"):
        knowledge.nothing_hidden_leaks(with_rules(played, returns=returns))


@on("an event that is not told")
def test_an_action_without_events_is_caught(played):
    def advance(state, action):
        last = action == played.legal(state)[-1]
        notices = played.advance(state, action)
        return [] if last else notices

    with pytest.raises(Violation, match="equal events lead to unequal views"):
        knowledge.events_suffice(planted(played, advance=advance))


@pytest.mark.long
@on("an unmet branch", [variants(package)[0] for package in packages()], 1)
def test_an_uncovered_branch_of_a_view_is_named(played):
    def view(state, seat):
        if state.draws == -5:
            return None
        return unchecked(played.view)(state, seat)

    with pytest.raises(Violation, match=r"view: state.draws == -5, true"):
        completeness.everything_occurs(dataclasses.replace(played, view=view))


@pytest.mark.parametrize("word", ["prompt", "label", "text", "describe"])
@on("words", n=1)
def test_words_that_raise_in_one_position_are_caught(played, word):
    whole = getattr(played.words, word)
    seat = played.seats - 1

    def raises(first, *rest):
        reader = rest[0] if word == "describe" else first.player
        if reader == seat:
            raise KeyError("this is the fault")
        return whole(first, *rest)

    faulty = with_words(played, **{word: raises})
    reading = word in ("text", "label")
    check = wording.actions_read_as_they_are_written if reading else wording.every_position_has_words
    with pytest.raises(Violation, match="raised KeyError"):
        check(faulty)


@on("nonsense")
def test_nonsense_read_as_an_action_is_caught(played):
    faulty = with_words(played, parse_action=lambda view, words: 0 if words == "xyzzy" else played.parse(view, words))
    with pytest.raises(Violation, match="'xyzzy' is read as an action"):
        wording.actions_read_as_they_are_written(faulty)


@on("three")
def test_a_strategy_with_a_constant_answer_is_caught(played):
    three = 3 if played.name != "go" else 60
    with pytest.raises(Violation, match="always answers with an illegal action"):
        wording.strategies_are_legal_and_blind(planted(played, strategies={"always": lambda v, legal, r: three}))


@on("a peek")
def test_a_strategy_that_knows_more_than_its_view_is_caught(played):
    shown = []

    def view(state, seat):
        shown[:] = [state]
        return unchecked(played.view)(state, seat)

    def peeks(view, legal, random):
        return legal[bit(played, shown[0]) * (len(legal) - 1)]

    with pytest.raises(Violation, match="it knows something hidden"):
        wording.strategies_are_legal_and_blind(planted(played, view=view, strategies={"peeks": peeks}))


@on("an end")
def test_a_finished_game_with_legal_actions_is_caught(played):
    def legal(state, out):
        return 1 if state.over else played.rules.legal(state, out)

    with pytest.raises(Violation, match="a finished game lists actions"):
        kernel_checks.finished_games_and_unknown_actions_are_refused(with_rules(played, legal=legal))


@pytest.mark.parametrize("over", [True, False])
@on("a reason")
def test_a_wrong_reason_after_the_end_or_for_an_unknown_action_is_caught(played, over):
    def refusal(state, action):
        reason = played.rules.refusal(state, action)
        wrong = state.over if over else action > played.actions and not state.over
        return reason + 1 if wrong else reason

    with pytest.raises(Violation, match="wrong reason"):
        kernel_checks.finished_games_and_unknown_actions_are_refused(with_rules(played, refusal=refusal))


@on("nothing done")
def test_advance_that_differs_from_apply_is_caught(played):
    def advance(state, action):
        notices = played.advance(state, action)
        state.key[0] += state.over == 0
        return notices

    with pytest.raises(Violation, match="advance and apply lead to different") as caught:
        kernel_checks.advance_agrees_with_apply(planted(played, advance=advance))
    assert caught.value.field == "key"


class Twice(Game):
    """Imagines twice and takes the greater position: correct support, wrong odds."""

    def imagine(self, view, seed):
        one, other = super().imagine(view, seed), super().imagine(view, seed ^ 1)
        return max((one, other), key=lambda state: repr(self.infoset_states.key(state)))


class BySeed(Game):
    """Imagines another position for some seeds, while the chance script of one seed is correct."""

    def imagine(self, view, seed):
        return super().imagine(view, seed if not seed or Random(seed).random() < 0.3 else 7 << 64 | seed & 1)


def as_kind(kind, played):
    """The same game as another class of games."""
    return kind(**{field.name: getattr(played, field.name) for field in dataclasses.fields(played)})


@pytest.mark.parametrize("kind", [Twice, BySeed])
@on("odds", [game for game in MINIS if game.name in ("kuhn", "leduc")])
def test_imagining_correct_positions_with_wrong_odds_is_caught(played, kind):
    with pytest.raises(Violation, match="wrong frequency"):
        imagination.imagination_is_exact(as_kind(kind, played))


@on("a rejection", [game for game in MINIS if game.name in ("kuhn", "leduc")])
def test_a_rejection_that_changes_the_odds_of_the_next_attempt_is_caught(played):
    """The first attempt is correct, but a rejected one leaves a trace."""

    def resample(s, seat):
        if s.block[0] == 77:
            s.block[0] = 0
            return True
        done = whole(s, seat)  # noqa: F821
        if s.held[0] == min(s.held[:2]) and randbelow(s, 2):
            s.block[0] = 77
            return False
        return done

    space = {**vars(played.rules), "randbelow": randbelow, "whole": played.rules.resample}
    faulty = types.FunctionType(resample.__code__, space, "resample")
    faulty.__module__ = played.rules.__name__
    space["resample"] = kernel(faulty)
    with pytest.raises(Violation, match=r"wrong frequency|never imagines"):
        imagination.imagination_is_exact(dataclasses.replace(played, rules=types.SimpleNamespace(**space)))


@on("no mini", [game for game in all_games() if game.variant != "mini"])
def test_a_missing_or_misnamed_mini_variant_is_caught(played, monkeypatch):
    others = [
        dataclasses.replace(game, variant=game.variant.title())
        for game in variants(played.rules.__name__.split(".")[-2])
    ]
    monkeypatch.setattr(completeness, "variants", lambda package: tuple(others))
    with pytest.raises(Violation, match="without a mini variant"):
        imagination.imagination_is_exact(played)


def test_a_mini_variant_too_large_to_enumerate_is_caught(monkeypatch):
    monkeypatch.setattr(imagination, "MAX_PATHS", 500)
    big = next(game for game in all_games() if game.name == "go")
    with pytest.raises(Violation, match="too many for a mini variant"):
        imagination.imagination_is_exact(dataclasses.replace(big, variant="mini"))


def sorts(s):
    return sorted((s.player, s.over))[0]


def counts(s):
    return (s.player).bit_count()


def divides(s):
    return s.player / 2


def texts(s):
    return len("abc")


def loops(s):
    for card in s.hand:
        return card
    return 0


def defaults(s, a=1):
    return a


def knows(s):
    return MINIS


def picks(s):
    return (s.player, s.over)[s.player]


@pytest.mark.parametrize(
    "function",
    [divides, sorts, counts, texts, loops, defaults, knows, picks],
    ids=lambda function: function.__name__,
)
def test_a_kernel_with_forbidden_code_is_caught(function):
    with pytest.raises(Violation, match=r"uses|takes"):
        kernel_checks.check_source(function)


@kernel
def counts_itself(n):
    return counts_itself(n - 1) if n else 0


@kernel
def counts_evens(n):
    return counts_odds(n - 1) if n else 0


@kernel
def counts_odds(n):
    return counts_evens(n - 1) if n else 1


@pytest.mark.parametrize(
    ("functions", "circle"),
    [
        ([counts_itself], "counts_itself calls counts_itself:"),
        ([counts_evens, counts_odds], "counts_odds calls counts_evens calls counts_odds|evens calls .* calls .*evens:"),
    ],
    ids=["directly", "in a circle"],
)
def test_recursive_kernels_are_caught(functions, circle):
    with pytest.raises(Violation, match=circle):
        kernel_checks.check_sources(functions)


def test_a_kernel_without_source_is_caught():
    with pytest.raises(Violation, match="no readable source"):
        kernel_checks.check_source(eval("lambda s: 1"))


def test_a_kernel_with_allowed_code_passes():
    kernel_checks.check_sources([bo_rules.refusal, poker_rules.start])  # the latter writes a field of its own name


def test_checks_have_unique_names():
    assert len({check.__name__ for check in CHECKS}) == len(CHECKS)
