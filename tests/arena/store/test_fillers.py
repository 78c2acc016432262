"""While there are too few players, a built-in player fills the free seats and is rated as itself."""

import csv
import io

import msgspec
import pytest

import kibitz
import kibitz.arena
from kibitz.arena.model import Entrant
from kibitz.arena.rating.export import read_csv, write_csv
from kibitz.arena.rating.ratings import disqualified_submissions, ratings_and_ranking, ratings_text
from kibitz.arena.schedule import FILLER_OWNER, choose_filler, is_filler
from kibitz.engine.registry import all_games
from kibitz.errors import StoreError
from kibitz.players.built_in import reproducible_players, strategies
from tests.arena.store.field import entered, run_here
from tests.arena.store.season import true
from tests.tiers import first_fast, tiered

GAME = "go-mini"
BEST = list(reproducible_players(kibitz.game(GAME)))[-1]


def enter(store, player, words="first", content=b"", name="go"):
    made = store.submit(name, player, player, words, content)
    return store.record_check(made.id, passed=True, reason="", report="{}")


def names(store, name="go"):
    return [one.player for one in store.entrants(name)]


def fillers(store, name="go"):
    return [one for one in store.submissions(name) if is_filler(one.owner, one.sha256)]


def play(store, rounds, name="go"):
    ended = run_here(store, name, rounds)
    assert ended.why == "done", ended
    return store.rounds(name)[-1]


def test_a_filler_joins_and_leaves_with_the_number_of_players(store):
    entered(store, players=1)
    assert names(store) == ["p0"]
    first = play(store, 1)
    assert [(one.player, one.fills) for one in first.entrants] == sorted([("p0", False), (BEST, True)])
    enter(store, "zoe")
    assert names(store) == ["p0", "zoe"]
    assert [one.player for one in play(store, 2).entrants] == ["p0", "zoe"]
    store.withdraw("go", "zoe")
    assert BEST in names(store)
    assert BEST in [one.player for one in play(store, 3).entrants]
    assert [(one.player, one.owner, one.version) for one in fillers(store)] == [(BEST, FILLER_OWNER, 1)]
    assert true(store, ("go",))


@pytest.mark.parametrize("phase", first_fast(["frozen", "final"]))
def test_a_filler_joins_after_submissions_have_closed(store, phase):
    entered(store, players=2)
    play(store, 1)
    store.enter_phase("go", "frozen")
    if phase == "final":
        store.enter_phase("go", "final", seed=3)
    store.withdraw("go", "p1")
    assert fillers(store) == []
    assert BEST in [one.player for one in play(store, 1 if phase == "final" else 2).entrants]
    assert true(store, ("go",))
    with pytest.raises(StoreError, match="takes no more submissions"):
        store.submit("go", "late", FILLER_OWNER, "first", b"")


@pytest.mark.long
def test_a_filler_takes_all_free_seats_with_one_rating(store):
    entered(store, players=1, game="go:players=3")
    play(store, 1)
    results = store.results("go", closed=True)
    assert all(sum(seat.fills for seat in one.seats) == 2 for one in results)
    ratings, rows = ratings_and_ranking(results, {}, store.entrants("go"))
    filler = list(reproducible_players(kibitz.game("go:players=3")))[-1]
    assert {(one.player, one.fills) for one in rows} == {("p0", False), (filler, True)}
    by_player = {one.player: one for one in ratings.current}
    assert by_player[filler].games == 2 * by_player["p0"].games
    assert by_player[filler].wins + by_player["p0"].wins == pytest.approx(ratings.matches)
    assert true(store, ("go",))


def test_the_table_and_the_csv_mark_the_filler_alike(store):
    entered(store, players=1)
    play(store, 1)
    results = store.results("go", closed=True)
    out = io.StringIO(newline="")
    write_csv(out, results, {one.id: one.sha256 for one in store.submissions("go")})
    rows = list(csv.DictReader(out.getvalue().splitlines()))
    assert {(row["player"], row["sha256"]) for row in rows} == {("p0", ""), (BEST, "built-in")}
    read = read_csv(out.getvalue().splitlines(keepends=True))
    assert read == list(results)
    told = ratings_text(ratings_and_ranking(read, disqualified_submissions(read))[1])
    assert told == ratings_text(ratings_and_ranking(results, {}, store.entrants("go"))[1])
    assert f"{BEST} is a built-in player" in told


def test_the_table_marks_a_filler_before_its_first_game(store):
    entered(store, players=1)
    store.fill_seats("go")
    rows = ratings_and_ranking((), {}, store.entrants("go"))[1]
    assert f"{BEST} has no games yet." in ratings_text(rows)
    assert f"{BEST} is a built-in player" in ratings_text(rows)


def test_one_filler_is_entered_once_there_is_a_player(store):
    entered(store, players=0)
    assert store.fill_seats("go") == ()
    enter(store, "ann")
    assert store.fill_seats("go") == store.fill_seats("go") == store.entrants("go")
    assert len(fillers(store)) == 1
    store.enter_phase("go", "closed")
    assert store.fill_seats("go") == store.entrants("go")


def test_no_filler_joins_a_full_tournament_or_a_custom_game(store):
    entered(store, players=2)
    assert store.fill_seats("go") == store.entrants("go")
    entered(store, "custom-1", players=1, kind="custom")
    assert [one.player for one in store.fill_seats("custom-1")] == ["p0"]
    assert fillers(store) == fillers(store, "custom-1") == []


def test_a_filler_cannot_be_withdrawn(store):
    entered(store, players=1)
    store.fill_seats("go")
    with pytest.raises(StoreError, match="is built in, and leaves once"):
        store.withdraw("go", BEST)


def test_the_next_best_filler_joins_if_the_name_is_taken(store):
    entered(store, players=0)
    enter(store, BEST)
    assert [one.player for one in store.fill_seats("go") if one.fills] == [choose_filler(kibitz.game(GAME), [BEST])]
    assert choose_filler(kibitz.game(GAME), strategies(kibitz.game(GAME))) is None


@pytest.mark.parametrize("game", tiered(all_games()))
def test_every_game_has_a_filler(game):
    assert choose_filler(game) == list(reproducible_players(game))[-1]


def test_rounds_without_fillers_keep_their_encoding():
    assert msgspec.json.encode([Entrant(1, "ann")]) == b'[{"submission":1,"player":"ann"}]'
