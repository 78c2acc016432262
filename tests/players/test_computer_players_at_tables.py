"""Computer players at a table with people: the events they hear, their seats, and resumed games."""

from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from kibitz.engine import record
from kibitz.engine.registry import game
from kibitz.errors import ConfinementError, KibitzError, MachineError, PlayerError
from kibitz.players import opponents, rated_game
from kibitz.players.opponents import Opponent, OpponentsReferee, seat_players
from kibitz.players.setup import resume_saved
from kibitz.table import Table
from tests.table.test_match import Lowest

BO = game("bo-mini")


class Listener(Lowest):
    """Notes every call."""

    def __init__(self):
        super().__init__()
        self.noted = []

    def start(self, game, seat, seed):
        super().start(game, seat, seed)
        self.noted.append("start")

    def observe(self, event):
        self.noted.append(event)

    def act(self, view, legal):
        self.noted.append("act")
        return legal[0]


class Messages:
    """Notes the messages about slow steps."""

    def __init__(self):
        self.lines = []

    @contextmanager
    def __call__(self, sentence):
        self.lines.append(sentence)
        yield


def table_after(steps, seed=1):
    table = Table.deal(BO, seed)
    while table.step < steps and not table.over:
        table.act(table.player, table.legal()[0])
    return table


def test_opponent_hears_every_event_once_before_it_chooses():
    table, inner, said = Table.deal(BO, 1), Listener(), Messages()
    one = Opponent(inner, table, 0, said)
    one.start(BO, 0, 5)
    assert (inner.noted, said.lines) == (["start"], []), "a new game needs no replay"
    one.observe("something")
    assert inner.noted == ["start"]
    while not table.over:
        seat = table.player
        action = one.act(table.view(0), table.legal(0)) if seat == 0 else table.legal()[0]
        assert [each for each in inner.noted if each not in ("start", "act")] == table.events(0)[: one.events_seen]
        table.act(seat, action)
    one.end(table.outcome)
    assert [each for each in inner.noted if each not in ("start", "act")] == table.events(0)
    assert set(said.lines) == {f"{table.names[0]} is thinking ..."}
    assert inner.outcome == table.outcome


def test_resumed_opponent_replays_its_decisions_and_ignores_failures():
    table, inner, said = table_after(9), Listener(), Messages()
    one = Opponent(inner, table, 1, said)
    one.start(BO, 1, 5)
    mine = sum(past.player == 1 for past in table.replay() if past.step < table.step)
    assert inner.noted.count("act") == mine > 0
    assert said.lines == [f"{table.names[1]} is thinking about its earlier moves again ..."]

    class Failing(Listener):
        error = ValueError("no")

        def act(self, view, legal):
            raise self.error

    failing = Failing()
    Opponent(failing, table, 1, said).start(BO, 1, 5)
    failing.error = MachineError("No process.")
    with pytest.raises(MachineError):
        Opponent(failing, table, 1, said).start(BO, 1, 5)


def test_player_that_is_out_or_in_an_unfinished_game_hears_no_end():
    table = table_after(3)
    table.forfeit(table.waiting[0], "time", "It was slow.")
    (out,) = table.forfeited
    for seat, outcome in ((out, "an outcome"), (1 - out, None)):
        inner = Listener()
        inner.seat = seat
        assert Opponent(inner, table, seat, Messages()).end(outcome) == f"printed by {seat}"
        assert inner.noted == []


def spec(words, *, built_in="", is_file=False):
    return SimpleNamespace(name_or_path=words, built_in=built_in, is_file=is_file, make=f"make {words}")


def found(words):
    return [spec(word, built_in="" if word.endswith(".py") else word, is_file=word.endswith(".py")) for word in words]


def test_seating_of_people_and_players_with_files_by_full_path(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    there = seat_players([None, "random", "mine.py", None], found)
    assert there.people == (0, 3)
    assert there.factories == {1: "make random", 2: "make mine.py"}
    assert there.chairs == (None, "random", str(tmp_path / "mine.py"), None)


@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize("unconfined", [True, False])
def test_files_named_by_others_run_confined_or_not_at_all(own, unconfined, monkeypatch):
    monkeypatch.setattr(opponents, "why_no_sandbox", lambda: unconfined)
    assert seat_players([None, "random"], found, own_files=own).people == (0,)
    if own or not unconfined:
        assert seat_players([None, "x.py"], found, own_files=own).people == (0,)
    else:
        with pytest.raises(ConfinementError, match="names player files, perhaps somebody else's"):
            seat_players([None, "x.py"], found, own_files=own)


def referee_for(table, makers):
    return OpponentsReferee(table, makers, Messages())


def test_opponents_start_a_new_game_or_replay_a_resumed_one():
    other = Listener()
    referee_for(Table.deal(BO, 1), {1: lambda: other}).begin()
    assert other.noted == ["start"]
    table, other = table_after(5), Listener()
    referee_for(table, {1: lambda: other}).begin()
    assert other.noted.count("act") == sum(past.player == 1 for past in table.replay() if past.step < 5)


def test_failing_player_forfeits_and_play_continues_by_the_rules():
    class Broken(Listener):
        def act(self, view, legal):
            raise ValueError("no")

    table, said = Table.deal(BO, 1), []
    one = OpponentsReferee(table, {table.player: Broken}, Messages(), said.append)
    one.begin()
    one.ask(table.player)
    assert [(forfeit.seat, forfeit.kind) for forfeit in said] == [(0, "exception")]
    assert (table.forfeited, table.waiting) == ({0}, (1,))
    one.end(None)


def test_player_that_cannot_resume_is_named():
    class Broken(Listener):
        def start(self, game, seat, seed):
            raise PlayerError("load", "It does not load.")

    table = table_after(5)
    with pytest.raises(KibitzError, match=f"{table.names[1]} can't continue: It does not load"):
        referee_for(table, {1: Broken}).begin()


def test_resumed_game_is_locked_and_its_first_seat_is_a_person(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    home = tmp_path / "data" / "kibitz" / "games"
    home.mkdir(parents=True)
    for place, own in ((tmp_path, False), (home, True)):
        path = place / "one.game"
        path.write_text(record.text(Table.deal("go", 1).record), encoding="utf-8")
        taken = resume_saved(path)
        assert taken.own_files == own
        assert (taken.chairs[0], len(taken.chairs), len(set(taken.chairs[1:]))) == (None, 4, 1)
        with pytest.raises(KibitzError, match="played by another program"):
            resume_saved(path)
        taken.saved.close()
    path.write_text("nothing")
    with pytest.raises(KibitzError):
        resume_saved(path)
    assert [each.name for each in home.iterdir()] == ["one.game"], "no lock is left"


class Maker:
    """Makes players, the first ``failures`` of which meet a machine error."""

    is_file, limits = False, None

    def __init__(self, failures):
        self.left, self.made = failures, 0

    def make(self, idle_time):
        self.made += 1
        player = Lowest()
        if self.left:
            self.left -= 1
            player.act = self.fail
        return player

    def fail(self, view, legal):
        raise MachineError("No process.")


@pytest.mark.parametrize("failures", [0, 1, 2, 3])
def test_game_is_started_up_to_three_times_if_the_machine_fails(failures):
    maker, signs, tables = Maker(failures), [], []
    makers = [maker, *(Maker(0) for _ in range(BO.seats - 1))]
    if failures < 3:
        match = rated_game.play_rated(BO, makers, 1, report=signs.append, on_step=tables.append)
        assert match.record.forfeits == ()
        assert (len(set(map(id, tables))), signs) == (failures + 1, [])
    else:
        with pytest.raises(MachineError, match="No process"):
            rated_game.play_rated(BO, makers, 1, report=signs.append)
        assert len(signs) == 1, "the memory is reported before the failure"
    assert maker.made == min(failures + 1, 3)
