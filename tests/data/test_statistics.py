"""Statistics match an independent computation, from every file format."""

import io
import tracemalloc
from collections import defaultdict
from itertools import permutations
from random import Random

import msgspec
import numpy as np
import pytest
import scipy  # loads its parts on first use
from hypothesis import given, settings
from hypothesis import strategies as st

import kibitz
from kibitz.arena.ladder import match_results
from kibitz.arena.rating.export import write_csv
from kibitz.arena.rating.standings import Result, SeatForfeit, standings
from kibitz.arena.running.tournament import run
from kibitz.data.rows import RESULT_ENDINGS, FinishedGame, rows_of, write_table
from kibitz.data.statistics import ResultSet, as_batches, make_filter
from kibitz.errors import NotationError
from kibitz.players.specs import find_player

NAMES = ["Ann", "=1+1", "Bo, Jr", "'tis", "\x1b[31mRed\n", "ちか"]


def games(random, count, seats, players):
    """Finished games, by deals that are played in some of their rotations."""
    found = []
    for deal in range(count):
        lineup = [players[random.randrange(len(players))] for _ in range(seats)]
        for rotation in range(random.randint(1, seats)):
            scores = tuple(float(random.randint(-3, 3)) + random.choice([0, 0.1]) for _ in range(seats))
            top = tuple(seat for seat, score in enumerate(scores) if score == max(scores))
            forfeits = ((random.randrange(seats), "time", "Too slow, \x07."),) if random.random() < 0.1 else ()
            turned = tuple(lineup[rotation:] + lineup[:rotation])
            found.append(
                FinishedGame(
                    len(found), deal, rotation, str(2**100 + deal), turned, scores, top, random.randint(0, 99), forfeits
                )
            )
    return found


def written(path, played, game="go-mini"):
    """Write games as a table; returns its path."""
    write_table(path, path.suffix, (row for one in played for row in rows_of(game, 1, one)), force=True)
    return path


PLAYED = games(Random(5), 40, 3, NAMES)


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    return written(tmp_path_factory.mktemp("tables") / "games.parquet", PLAYED, "go:players=3")


def test_the_statistics_are_the_same_from_every_format(table, tmp_path):
    whole = kibitz.stats(table)
    assert whole.problems == ()
    assert whole.games[0].games == len(PLAYED)
    for kind in RESULT_ENDINGS:
        again = kibitz.stats(written(tmp_path / f"games{kind}", PLAYED, "go:players=3"))
        assert again == whole
    assert {line.player for line in whole.games[0].players} == set(NAMES)


def test_players_agree_with_a_tournaments_table(table):
    """``arena.rating.standings`` computes the same from the same games."""
    results = [
        Result(
            one.deal, one.rotation, one.deal, tuple(map(NAMES.index, one.players)), one.scores, one.winners,
            tuple(SeatForfeit(*forfeit) for forfeit in one.forfeits),
        )
        for one in PLAYED
    ]  # fmt: skip
    (found,) = kibitz.stats(table).games
    lines = {line.player: line for line in found.players}
    for line in standings(NAMES, results):
        mine = lines[line.name]
        assert mine.share.results == line.games
        assert mine.forfeits == line.forfeits
        for value, margin, other in [
            (line.win_share, line.win_margin, mine.share),
            (line.mean_score, line.score_margin, mine.score),
        ]:
            assert (other.value, other.margin) == (pytest.approx(value, abs=1e-12), pytest.approx(margin, abs=1e-12))


def by_deal(chosen):
    """Sums and counts of values, by deal."""
    sums, counts = defaultdict(float), defaultdict(int)
    for deal, value in chosen:
        sums[deal] += value
        counts[deal] += 1
    return np.array(list(sums.values())), np.array(list(counts.values()))


def textbook_mean(chosen):
    """The mean and margin of values by deal: the textbook ratio estimator with Student's t."""
    chosen = list(chosen)
    sums, counts = by_deal(chosen)
    mean = sums.sum() / counts.sum()
    if len(sums) < 3:
        return mean, None
    residuals = sums - mean * counts
    error = np.sqrt(len(sums) / (len(sums) - 1) * (residuals**2).sum()) / counts.sum()
    return mean, scipy.stats.t.ppf(0.975, len(sums) - 1) * error


def matches_textbook(found, chosen, share=False):
    """Whether a mean equals the independent one."""
    mean, margin = textbook_mean(chosen)
    assert found.value == pytest.approx(mean, abs=1e-9)
    if share and margin is not None and margin < 1e-6:  # all deals alike
        margin = max(mean, 1 - mean) * (1 - scipy.stats.beta.ppf(0.025, found.deals, 1))
    if margin is None:
        assert found.margin is None
    else:
        assert found.margin == pytest.approx(min(margin, 1) if share else margin, rel=1e-6, abs=1e-9)


def wins(one, seat):
    return (seat in one.winners) / len(one.winners)


@settings(max_examples=8)
@given(st.integers(0, 10**6), st.integers(1, 12), st.integers(2, 4), st.integers(1, 6))
def test_all_figures_agree_with_a_plain_computation(seed, count, seats, players):
    played = games(Random(seed), count, seats, NAMES[:players])
    study = ResultSet([], make_filter())
    rows = (row for one in played for row in rows_of("", 1, one))
    study.collector.add(as_batches(rows), "games")
    (found,) = study.statistics().games
    seen = [(one, seat) for one in played for seat in range(seats)]
    for line in found.players:
        mine = [(one, seat) for one, seat in seen if one.players[seat] == line.player]
        matches_textbook(line.share, ((one.deal, wins(one, seat)) for one, seat in mine), share=True)
        matches_textbook(line.score, ((one.deal, one.scores[seat]) for one, seat in mine))
        scores = [one.scores[seat] for one, seat in mine]
        assert (line.scores.least, line.scores.most) == (min(scores), max(scores))
        assert line.scores.median == pytest.approx(np.median(scores))
        assert sum(line.scores.counts) == len(scores)
        if len(scores) > 1:
            assert line.scores.deviation == pytest.approx(np.std(scores, ddof=1))
    for line in found.by_seat:
        matches_textbook(line.share, ((one.deal, wins(one, line.seat)) for one in played), share=True)
        matches_textbook(line.score, ((one.deal, one.scores[line.seat]) for one in played))
        assert line.advantage == pytest.approx(line.share.value - 1 / seats)
    matches_textbook(found.length, ((one.deal, one.length) for one in played))
    met = defaultdict(list)
    for one in played:
        for a, b in permutations(range(seats), 2):
            if one.players[a] != one.players[b]:
                met[one.players[a], one.players[b]].append((one.deal, ahead(one, a, b)))
    assert 2 * len(found.meetings) == len(met)
    for line in found.meetings:
        assert line.ahead.value >= 0.5
        matches_textbook(line.ahead, met[line.player, line.other], share=True)


def ahead(one, a, b):
    """1 if seat ``a`` was ahead of seat ``b``, 1/2 if they were level."""
    out = {seat for seat, *_ in one.forfeits}
    ranks = [(seat not in out, wins(one, seat), one.scores[seat]) for seat in (a, b)]
    return 0.5 if ranks[0] == ranks[1] else float(ranks[0] > ranks[1])


def test_games_that_rank_by_score_count_a_forfeit_as_the_lowest():
    game = FinishedGame(0, 0, 0, "1", ("Ann", "Ben"), (7.0, -7.0), (0,), 4, ((0, "time", "Late."),))
    study = ResultSet([], make_filter())
    study.collector.add(as_batches(iter(list(rows_of("kuhn", 1, game)))), "x")
    (found,) = study.statistics().games
    assert found.by_score == kibitz.game("kuhn").by_score is True
    assert {line.player: line.score.value for line in found.players} == {"Ann": -7.0, "Ben": -7.0}
    assert found.meetings[0].player == "Ben"


def test_games_of_one_deal_are_one_cluster_across_files(tmp_path):
    half = len(PLAYED) // 2
    parts = [written(tmp_path / "a.csv", PLAYED[:half]), written(tmp_path / "b.jsonl", PLAYED[half:])]
    whole = written(tmp_path / "whole.parquet", PLAYED)
    assert kibitz.stats(parts).games == kibitz.stats(whole).games
    twice = kibitz.stats([whole, whole]).games[0]
    once = kibitz.stats(whole).games[0]
    assert twice.deals == once.deals
    for one, other in zip(once.players, twice.players, strict=True):
        assert other.share.results == 2 * one.share.results
        assert other.share.margin == pytest.approx(one.share.margin)


def test_options_and_numbers_of_seats_are_separate_games(tmp_path):
    small = written(tmp_path / "a.csv", games(Random(1), 3, 2, NAMES), "go:players=2")
    large = written(tmp_path / "b.csv", games(Random(1), 3, 3, NAMES), "go:players=3")
    nameless = [written(tmp_path / f"{seats}.csv", games(Random(1), 3, seats, NAMES), "") for seats in (2, 3)]
    found = kibitz.stats([small, large, *nameless]).games
    assert [(one.game, one.seats) for one in found] == [("", 2), ("", 3), ("go:players=2", 2), ("go:players=3", 3)]
    assert [one.title for one in found][:2] == ["a game for 2", "a game for 3"]


FILTERS = [
    {"player": "Ann"},
    {"player": ["Ann", "ちか"]},
    {"seat": 1},
    {"player": "Ann", "seat": 0},
    {"player": "Ann", "outcome": "won"},
    {"player": "=1+1", "seat": 2, "outcome": "lost"},
    {"outcome": "forfeit"},
    {"player": "nobody"},
    {"seat": 7},
]


@pytest.mark.parametrize("wanted", FILTERS)
def test_a_filter_keeps_whole_games(table, wanted):
    def fits(one, seat):
        outcome = wanted.get("outcome")
        return (
            wanted.get("seat", seat) == seat
            and (outcome != "won" or seat in one.winners)
            and (outcome != "lost" or seat not in one.winners)
            and (outcome != "forfeit" or seat in {each[0] for each in one.forfeits})
        )

    names = wanted.get("player", [])
    names = [names] if isinstance(names, str) else names
    meant = 0
    for one in PLAYED:
        seats = [seat for seat in range(3) if fits(one, seat)]
        meant += bool(seats) and all(any(one.players[seat] == name for seat in seats) for name in names)
    found = kibitz.stats(table, **wanted).games
    assert sum(one.games for one in found) == meant


def test_games_are_chosen_by_name_and_by_options(table):
    for name, count in {"go": 1, "go:players=3": 1, "go:players=2": 0, "bo": 0, "go-mini": 0}.items():
        assert len(kibitz.stats(table, game=name).games) == count
    assert len(kibitz.stats(table, game=kibitz.game("go")).games) == 1


def test_files_are_chosen_by_the_day_of_their_last_change(table):
    assert len(kibitz.stats(table, since="2020-01-01", until="2990-01-01").games) == 1
    assert kibitz.stats(table, until="2020-01-01").games == ()
    assert kibitz.stats(table, since="2990-01-01").games == ()


WRONG = {
    "no game": ({"game": "chess"}, "Unknown game 'chess'"),
    "no options": ({"game": "bo:three"}, "write options as in bo:players=3"),
    "no outcome": ({"outcome": "drawn"}, "outcome must be won, lost, forfeit or unfinished, not 'drawn'"),
    "no seat": ({"seat": -1}, "seat must be from 0"),
    "no day": ({"since": "yesterday"}, "since must be a day such as 2026-03-01"),
    "no name": ({"player": [7]}, "player must be a name"),
}


@pytest.mark.parametrize("what", WRONG)
def test_an_invalid_filter_is_refused(table, what):
    given_, sentence = WRONG[what]
    for function in (kibitz.stats, kibitz.records):
        with pytest.raises(NotationError, match=sentence):
            function(table, **given_)


def test_a_missing_path_is_refused(tmp_path):
    for function in (kibitz.stats, kibitz.records):
        with pytest.raises(NotationError, match="doesn't exist"):
            function(tmp_path / "none")
        with pytest.raises(NotationError, match="path must be"):
            function(7)
        with pytest.raises(NotationError, match="path must be"):
            function("a\0b")


def test_an_empty_file_gives_empty_statistics(tmp_path):
    empty = written(tmp_path / "empty.csv", [])
    (tmp_path / "empty.jsonl").write_text("")
    (tmp_path / "folder").mkdir()
    for path in (empty, written(tmp_path / "empty.parquet", []), tmp_path / "empty.jsonl", tmp_path / "folder"):
        assert kibitz.stats(path) == msgspec.structs.replace(kibitz.stats(path), games=(), problems=(), unfinished=0)


def tournament_csv():
    """The standings and the CSV of a tournament."""
    game = kibitz.game("go-mini")
    ended = run(game, [find_player(game, name) for name in ("greedy", "random")], 3, 1, in_process=True)
    return ended.standings, ended.to_csv()


def season_csv():
    """The standings and the export of a season."""
    played, out = kibitz.play_games("go-mini", ["greedy", "random"], 6, seed=1, workers=1), io.StringIO(newline="")
    write_csv(out, match_results(played))
    return played.standings, out.getvalue()


@pytest.mark.parametrize("make", [tournament_csv, season_csv])
def test_results_of_a_tournament_or_season_can_be_read(make, tmp_path):
    expected, text = make()
    (tmp_path / "results.csv").write_text(text, newline="", encoding="utf-8")
    (found,) = kibitz.stats(tmp_path / "results.csv").games
    assert found.seats == 2
    lines = {line.player: line for line in found.players}
    for line in expected:
        assert lines[line.name].share.value == pytest.approx(line.win_share)
        assert lines[line.name].share.margin == pytest.approx(line.win_margin)


@pytest.mark.long
def test_memory_per_game_is_as_documented(tmp_path):
    """Games for four, each deal in all four rotations, as ``kibitz simulate`` writes them."""
    head = "game,options,rules,match,deal,rotation,seed,seat,player,score,win_share,length,forfeit,reason\n"
    peaks = []
    for count in (2_000, 6_000):
        with (tmp_path / "games.csv").open("w") as file:
            file.write(head)
            for m in range(count):
                for seat, player in enumerate("abcd"):
                    file.write(f"bo,,1,{m},{m // 4},{m % 4},{m // 4 << 64},{seat},{player},{seat},{seat // 3},145,,\n")
        tracemalloc.start()
        found = kibitz.stats(tmp_path / "games.csv")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert found.games[0].games == count
    each = (peaks[1] - peaks[0]) / 4_000
    assert 300 < each < 1_300
