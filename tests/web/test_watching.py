"""A runner's matches can be watched move by move, without hidden cards."""

from __future__ import annotations

import threading
import time
from random import Random

import msgspec
import pytest

import kibitz.arena
from kibitz.arena.running.blocks import REPORT_SECONDS, MatchReporter, read_progress
from kibitz.engine.record import parse_any, text
from kibitz.engine.registry import all_games, game
from kibitz.engine.views.events import SPECTATOR
from kibitz.players.rated_game import Memory
from kibitz.sandbox import tier
from kibitz.table import Table
from kibitz.web.replay import OPEN_HANDS, SteppedGame, stepped_game
from tests.tiers import tiered
from tests.web.serving import Somebody, serving

SLOW = b"""import time
def play(view, legal):
    time.sleep(0.7)
    return legal[-1]
"""


def start_table(found, random, most=12):
    """A table after some random choices, before the end."""
    table = Table(found, random.randrange(1 << 32), [f"P{seat}" for seat in range(found.seats)])
    for _ in range(random.randrange(most)):
        before = table.step
        table.act(table.waiting[0], random.choice(table.legal()))
        if table.over:
            return table.at(before)
    return table


def encoded(course, viewer=SPECTATOR):
    return msgspec.json.encode(list(course.steps(viewer, 0, 10_000)))


@pytest.mark.long
@pytest.mark.skipif(not tier().confines, reason="this machine cannot confine player files")
def test_a_match_is_shown_live_without_hidden_cards_then_from_its_record(tmp_path):
    store = tmp_path / "season.sqlite"
    with kibitz.arena.open(store) as arena, serving(tmp_path, arena=str(store)) as server:
        for name in ("Ann", "Ben"):
            made = arena.store.submit(arena.begin("leduc").name if name == "Ann" else "leduc", name, name, "p.py", SLOW)
            arena.store.record_check(made.id, passed=True, reason="", report="{}")
        stop = threading.Event()
        runner = threading.Thread(target=lambda: arena.run("leduc", rounds=1, workers=1, stop=stop.is_set))
        runner.start()
        try:
            somebody = Somebody(server)
            match, steps = running_match(somebody)
            path = f"/api/arena/leduc/matches/{match}"
            seen = somebody.get(f"{path}?from=0").json()
            assert not seen["over"]
            assert seen["last"] >= steps > 0
            assert hands(seen["steps"][-1]) == ["", ""]
            assert all(step["action"] == step["label"] == "" for step in seen["steps"])
            assert all(len(card) == 2 for card in hands(somebody.get(f"{path}?view=open").json()["steps"][0]))
            assert f"/arena/leduc/watch#{match}" in somebody.get("/api/arena/leduc/live").text
            over = finished_match(somebody, path)
            assert over["last"] >= seen["last"]
            assert over["result"]
        finally:
            stop.set()
            runner.join(60)
        assert somebody.get("/api/arena/leduc/live").json()["going"] == []
        assert somebody.get("/api/arena/leduc/matches/999").status_code == 404
        assert somebody.get(f"{path}?view=0").status_code == 400


def running_match(somebody):
    """A running match, and the number of its steps."""
    for _ in range(300):
        live = somebody.get("/api/arena/leduc/live").json()
        if live["going"]:
            return live["going"][0]["match"], live["going"][0]["steps"]
        time.sleep(0.1)
    raise AssertionError(live)


def finished_match(somebody, path):
    """The match, once it is over."""
    for _ in range(600):
        answer = somebody.get(path)
        if answer.status_code == 200 and answer.json()["over"]:
            return answer.json()
        time.sleep(0.1)
    raise AssertionError(answer.text)


def hands(step):
    """The cards of all hands, "" for a hidden one."""
    zones = [zone for zone in step["scene"]["zones"] if zone["key"].startswith("hand")]
    return [zone["spots"][0]["card"] if zone["spots"] else "" for zone in zones]


@pytest.mark.parametrize("found", tiered(all_games()))
def test_a_running_game_reveals_only_public_events(found):
    random = Random(found.name)
    table = start_table(found, random)
    course = stepped_game(text(table.record))
    assert course.table.actions == table.actions
    told = list(course.steps(SPECTATOR, 0, 1000))
    assert [step.step for step in told] == list(range(table.step + 1))
    assert all(not step.action and not step.label for step in told)
    assert all(step.scene == found.scene(table.at(step.step).view(SPECTATOR), table.names) for step in told[-2:])
    opened = list(course.steps(OPEN_HANDS, 0, 1000))
    assert all(step.label for step in opened[1:])


def test_deals_that_look_alike_to_spectators_are_sent_alike():
    """Every seed is a real game of Leduc poker; a planted leak, open hands, is noticed."""
    found = game("leduc")

    def differences(viewer):
        shown, equal = {}, [0, 0]
        for seed in range(60):
            table = Table(found, seed, ["P0", "P1"])
            for _ in range(2):
                table.act(table.waiting[0], table.legal()[0])
            key = msgspec.json.encode([table.at(step).view(SPECTATOR) for step in range(table.step + 1)])
            told = encoded(SteppedGame(table), viewer)
            equal[shown.setdefault(key, told) == told] += 1
        return equal

    assert differences(SPECTATOR)[False] == 0
    assert differences(OPEN_HANDS)[False] > 10


def test_workers_report_only_long_matches():
    now, signs = [0.0], []
    table = Table(game("leduc"), 1, ["A", "B"])
    told = MatchReporter(signs.append, lambda: now[0])
    told.on_step(0, table)
    table.act(0, table.legal()[0])
    told.on_step(0, table)
    assert signs == []
    now[0] += REPORT_SECONDS
    told.on_step(0, table)
    told.on_step(0, table)
    (sign,) = map(read_progress, signs)
    assert (sign.rotation, sign.memory) == (0, None)
    assert parse_any(sign.record).actions == tuple(table.actions)
    told.remember(0, Memory((1.0, 0.0)))
    assert read_progress(signs[-1]).record == sign.record
    told.remember(1, Memory((1.0, 0.0)))
    assert read_progress(signs[-1]).record == ""
