"""The play interface: every game accepts player files, which get plain values and only what their seat sees."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest

from kibitz.engine.game import Game
from kibitz.engine.registry import all_games, game, packages, variants
from kibitz.engine.views.events import Event, View
from kibitz.engine.views.plain import layout_of, plain
from kibitz.engine.views.value_types import type_mismatch
from kibitz.players.built_in import StrategyPlayer, strategies
from kibitz.players.check import CheckPlan, check_player
from kibitz.players.file_player import FilePlayer, TrustedFilePlayer
from kibitz.table import Match, play_match
from tests.tiers import first_fast, tiered

EXAMPLES = Path(__file__).parents[2] / "examples" / "players"
ALL = tiered(all_games())
PLAIN = {int, str, bool, float, type(None)}
FIRST = "def play(view, legal):\n    return legal[0]\n"


def positions(found: Game, seed: int, most: int = 60) -> Iterator[tuple[object, View, list[int]]]:
    """Positions of a random game with the mover's view and its legal actions."""
    state, random = found.deal(seed), Random(seed)
    while not state.over and most:
        legal = found.legal(state)
        yield state, found.view(state, state.player), legal
        found.advance(state, random.choice(legal))
        most -= 1


def parts(value: object) -> Iterator[object]:
    """Everything inside a plain value."""
    if isinstance(value, dict):
        for name, part in value.items():
            assert type(name) is str
            yield from parts(part)
    elif type(value) in (list, tuple):
        for part in value:
            yield from parts(part)
    else:
        yield value


def match_of(found: Game, source: str, seed: int = 1, kind: type = FilePlayer) -> Match:
    """A match of a file in seat 0 against random players."""
    others = [StrategyPlayer("random", strategies(found)["random"]) for _ in range(found.seats - 1)]
    return play_match(found, [kind("mine", "mine.py", source), *others], seed)


def failure(found: Game, source: str) -> str:
    """The kind and the sentence of a file's failure."""
    (forfeit,) = match_of(found, source).record.forfeits
    return f"{forfeit.kind}: {forfeit.sentence}"


@pytest.mark.parametrize("found", ALL)
def test_views_and_events_are_plain_values_of_the_declared_types(found):
    for state, view, _ in positions(found, 5):
        view_values = plain(view)
        for field in layout_of(type(view)):
            assert not type_mismatch(field.type, view_values[field.name], f"view.{field.name}")
        assert {type(part) for part in parts(view_values)} <= PLAIN
        assert view_values["hand"] is not plain(view)["hand"], "a file may change what it is given"
        for notice in found.opening(state):
            assert {type(part) for part in parts(plain(notice.event))} <= PLAIN


@pytest.mark.parametrize("found", ALL)
def test_every_view_field_has_a_meaning_and_every_event_a_docstring(found):
    view = found.view(found.deal(0), 0)
    nameless = [field.name for field in layout_of(type(view)) if not field.meaning]
    assert not nameless, f"{type(view).__name__} says nothing of {nameless} in its docstring"
    package = found.rules.__name__.rpartition(".")[0]
    for kind in Event.__subclasses__():
        if kind.__module__.startswith(f"{package}."):
            assert not {"kind", "text"} & {field.name for field in layout_of(kind)}
            assert kind.__doc__


@pytest.mark.parametrize("found", ALL)
def test_cards_are_texts_as_people_type_them(found):
    """A card declared as a number would show here, since every view holds the seat's own hand."""
    for _, view, _ in positions(found, 3, 40):
        hand = plain(view)["hand"]
        assert all(card is None or (type(card) is str and card[0] in "A234567890JQKX") for card in hand)
        if view.seat == view.player and not getattr(view, "grouping", False):
            assert hand


def numbers_that_are_cards(kind: type) -> list[str]:
    """Fields that hold unmarked numbers although their names denote cards elsewhere."""
    words = {"card", "cards", "hand", "starter", "board", "crib", "lowest", "pack", "tops", "top", "stock_tops"}
    return [
        field.name
        for field in layout_of(kind)
        if field.name in words and "card" not in str(field.type) and str(field.type) != "bool"
    ]


@pytest.mark.parametrize("found", ALL)
def test_no_card_field_holds_a_number(found):
    package = found.rules.__name__.rpartition(".")[0]
    kinds = [kind for kind in Event.__subclasses__() if kind.__module__.startswith(f"{package}.")]
    for kind in [*kinds, type(found.view(found.deal(0), 0))]:
        assert not numbers_that_are_cards(kind), kind


def test_unsupported_type_is_rejected_by_name():
    class Strange(msgspec.Struct):
        when: complex

    with pytest.raises(TypeError, match=r"Strange\.when"):
        layout_of(Strange)


@pytest.mark.parametrize("found", ALL)
def test_file_plays_every_game_and_sees_only_its_seats_events(found):
    source = (
        "import random\nheard = []\n"
        "def start(game, seat, players):\n    print('start', game, seat, players)\n"
        "def observe(event):\n    assert event.kind and event.text\n    heard.append(event)\n"
        "def play(view, legal):\n    assert heard and view.seat == view.player\n    return random.choice(legal)\n"
        "def end(result):\n    print('end', result.reason, len(heard) > 0)\n"
    )
    small = found.with_options(
        **{name: low for name, (low, _) in found.option_ranges.items() if name in ("hands", "rounds")}
    )
    played = match_of(small, source)
    assert not played.record.forfeits
    first, last = played.prints[0].splitlines()
    assert first == f"start {small.name} 0 {small.seats}"
    assert last == f"end {played.record.outcome.reason} True"
    trusted = match_of(small, source, kind=TrustedFilePlayer)
    assert trusted.record.actions == played.record.actions


def test_any_text_that_a_person_could_type_is_accepted():
    kuhn = game("holdem:players=2,hands=1")
    raises = "def play(view, legal):\n    return f'raise {view.min_raise_to + 7}' if view.min_raise_to else legal[0]\n"
    assert not match_of(kuhn, raises).record.forfeits
    spoken = "def play(view, legal):\n    return ' CALL ' if 'call' in legal else 'k'\n"
    assert not match_of(kuhn, spoken).record.forfeits


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (
            "def play(view, legal):\n    return 7\n",
            "invalid: play must return one of the legal actions as a text, such",
        ),
        ("def play(view, legal):\n    return None\n", "invalid: play must return one of the legal actions as a text"),
        ("def play(view, legal):\n    return 'x' * 400\n", "invalid: play returned a text of 400 characters"),
        ("def play(view, legal):\n    return 'fly'\n", "invalid: play returned 'fly', which isn't an action"),
        ("def play(view, legal):\n    return 'raise 1'\n", "illegal: "),
        ("def play(view, legal):\n    return view.nothing\n", "exception: play raised AttributeError"),
        (FIRST + "def observe(event):\n    1 / 0\n", "exception: observe raised ZeroDivisionError"),
        (FIRST + "def start(game, seat, players):\n    1 / 0\n", "exception: start raised ZeroDivisionError"),
        ("x = 1\n", "load: The file does not define play(view, legal)."),
    ],
)
def test_failure_is_reported_with_kind_and_reason(source, message):
    assert message in failure(game("holdem:players=2,hands=4"), source)


def test_failure_after_the_game_is_a_warning_and_no_forfeit(tmp_path):
    file = tmp_path / "sore.py"
    file.write_text(FIRST + "def end(result):\n    raise ValueError('I should have won')\n")
    assert not match_of(game("kuhn"), file.read_text()).record.forfeits
    report = check_player(game("kuhn"), file, CheckPlan(2))
    assert report.ok
    assert any(finding.warning and "I should have won" in finding.sentence for finding in report.findings)
    sleepy = FIRST + "import time\ndef end(result):\n    time.sleep(60)\n"
    assert not match_of(game("kuhn"), sleepy).record.forfeits


def test_form_of_a_file_is_found_by_its_functions(tmp_path):
    go = game("go-mini")
    both, neither = tmp_path / "both.py", tmp_path / "neither.py"
    both.write_text((EXAMPLES / "go" / "first.py").read_text() + "\n\n" + FIRST)
    neither.write_text("x = 1\n")
    found = check_player(go, both, CheckPlan(2)).findings
    assert "The file defines play as well as" in found[0].sentence
    assert "games call" in found[0].sentence
    assert "or play(view, legal)" in check_player(go, neither, CheckPlan(2)).findings[0].sentence
    own = tmp_path / "own.py"
    own.write_text(FIRST)
    assert check_player(go, own, CheckPlan(2)).ok


def test_failure_shows_the_call_and_a_command_to_repeat_it(tmp_path):
    file = tmp_path / "bold.py"
    file.write_text("def play(view, legal):\n    return 'raise 100000'\n")
    (failed,) = [one for one in check_player(game("holdem:players=2"), file, CheckPlan(1)).findings if not one.ok]
    assert "play(View(seat=" in failed.detail
    assert "returned 'raise 100000'" in failed.detail
    assert failed.alone.startswith("kibitz call holdem")


def examples_of(package: str) -> list[Path]:
    """The example players of a game that aren't broken on purpose."""
    return sorted(path for path in (EXAMPLES / package).glob("*.py") if not path.name.startswith("broken_"))


@pytest.mark.parametrize("package", packages())
def test_every_game_has_at_least_two_example_players(package):
    assert len(examples_of(package)) >= 2, f"examples/players/{package} needs a simple player and a better one"


OWN_EXAMPLES = [path for package in packages() for path in examples_of(package) if "def play(" in path.read_text()]


@pytest.mark.parametrize(
    "path", first_fast([pytest.param(path, id=f"{path.parent.name}/{path.stem}") for path in OWN_EXAMPLES], 2)
)
def test_example_players_pass_the_check_for_every_variant(path):
    for found in variants(path.parent.name):
        report = check_player(found, path, CheckPlan(4))
        assert report.ok, [finding.sentence for finding in report.findings]


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "simple", "better"), [("cribbage", "pairs", "counter"), ("holdem:players=2,hands=20", "caller", "tight")]
)
def test_the_better_example_wins_more_often(name, simple, better):
    found = game(name)
    folder = EXAMPLES / found.rules.__name__.split(".")[-2]
    sources = [(folder / f"{one}.py").read_text() for one in (simple, better)]
    score = 0.0
    for seed in range(40):
        seats = [TrustedFilePlayer(str(i), f"{i}.py", sources[i]) for i in (0, 1)]
        for order in (seats, seats[::-1]):
            played = play_match(found, order, seed).record
            assert not played.forfeits
            winners = played.outcome.winners
            score += sum((order[seat].name == "1") / len(winners) for seat in winners)
    assert score > 40
