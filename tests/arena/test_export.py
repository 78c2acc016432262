"""An export can be read back unchanged, gives the same ratings to the byte, and nothing else can be read."""

from __future__ import annotations

import io
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.ratings import STYLES, season, strengths
from kibitz.arena.model import Entrant, Threshold
from kibitz.arena.rating.export import COLUMNS, read_csv, write_csv
from kibitz.arena.rating.ratings import (
    RankingRow,
    Ratings,
    disqualification_reason,
    disqualified_submissions,
    ratings_and_ranking,
    ratings_text,
)
from kibitz.cli.arena.results import rate
from kibitz.errors import KibitzError, RecordError
from tests.arena.results import match, seat, won

RESULTS = season(STYLES[4], strengths(7, 1), 12, 1)


def exported(results, hashes=None) -> str:
    out = io.StringIO(newline="")
    assert write_csv(out, results, hashes) == len(results)
    return out.getvalue()


def read(text: str):
    return read_csv(io.StringIO(text, newline=""), "season.csv")


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.name)
def test_csv_results_give_the_same_ratings_byte_for_byte(style):
    results = season(style, strengths(7, 1), 15, 2)
    back = read(exported(Random(1).sample(results, len(results))))
    assert back == results
    ours, theirs = (ratings_and_ranking(some, disqualified_submissions(some)) for some in (results, back))
    assert msgspec.json.encode(ours) == msgspec.json.encode(theirs)
    assert ratings_text(ours[1]) == ratings_text(theirs[1])


words = st.text(st.characters(exclude_categories=("Cs", "Cc")) | st.sampled_from(',"\n\r;'), min_size=1, max_size=9)
seats = st.builds(
    seat,
    st.integers(0, 10**9),
    st.integers(1, 10),
    st.floats(0, 1),
    st.none() | words,
    words,
    st.integers(1, 99),
    st.none() | words,
    st.floats(allow_nan=False, allow_infinity=False),
)


@given(st.lists(seats, min_size=2, max_size=4), words, st.integers(0, 2**128 - 1))
def test_results_survive_a_csv_round_trip(some, word, seed):
    block = [
        match(r + 1, some, 1, rotation=r, tournament=word, tier=word, engine=word, deal_seed=seed, phase="final")
        for r in range(len(some))
    ]
    assert read(exported(block)) == block


def test_the_columns_match_the_documentation():
    header, first = exported(RESULTS, {RESULTS[0].seats[0].submission: "ab12"}).splitlines()[:2]
    assert header == (
        "tournament,phase,round,block,deal,rotation,match,seat,player,version,submission,sha256,score,place,win_share,"
        "forfeit,rule,tier,engine"
    )
    assert dict(zip(COLUMNS, first.split(","), strict=True))["sha256"] == "ab12"


def changed(column: str, value: str, line: int = 1) -> str:
    """The export with one field of one line changed."""
    lines = [text.split(",") for text in exported(RESULTS).splitlines()]
    lines[line][COLUMNS.index(column)] = value
    return "\n".join(map(",".join, lines)) + "\n"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "season.csv:1: the first line must name the columns tournament,phase,"),
        ("a,b\n", "season.csv:1: the first line must name the columns"),
        (changed("engine", "0,1"), "season.csv:2: expected 19 fields, found 20."),
        (changed("place", "0"), r"season.csv:2: the place '0' isn't valid \(Expected `int` >= 1\)."),
        (changed("place", "first"), r"season.csv:2: the place 'first' isn't valid \(Expected `int`"),
        (changed("match", "01"), r"season.csv:2: the match '01' isn't valid \(Expected `int`"),
        (
            changed("submission", "1" * 30),
            r"season.csv:2: the submission '1{30}' isn't valid \(Expected `int` <= 10{15}\).",
        ),
        (
            changed("version", "1" * 6000),
            r"season.csv:2: the version '1{40}' isn't valid \(Integer value out of range\).",
        ),
        (changed("score", "nan"), "season.csv:2: the score 'nan' isn't valid"),
        (changed("win_share", "1.5"), "season.csv:2: the win_share '1.5' isn't valid"),
        (changed("match", "1e0"), "season.csv:2: the match '1e0' isn't written as Kibitz writes it."),
        (
            exported(RESULTS).replace(",open,", ",summer,"),
            r"season.csv:2: the phase 'summer' isn't valid \(Invalid enum value",
        ),
        (changed("seat", "3"), "season.csv:2: expected seat 0 of match 1."),
        (changed("tier", "x", 3), "season.csv:4: the seats of match 1 differ in their tier."),
        (exported(RESULTS[:-1]), "season.csv: block 12 of simulated must have each of its 4 rotations once"),
        (
            exported(RESULTS) + exported(RESULTS).partition("\n")[2],
            "season.csv:?[0-9]*: match 1 of simulated appears twice",
        ),
        (exported(RESULTS) + '"', "season.csv:[0-9]+: this isn't valid CSV: unexpected end of data."),
    ],
)
def test_an_invalid_export_is_refused_with_its_line(text, sentence):
    with pytest.raises(RecordError, match=f"^{sentence}"):
        read(text)


def test_a_file_in_another_encoding_is_refused(tmp_path):
    path = tmp_path / "season.csv"
    path.write_bytes(exported(RESULTS).encode() + b"\xff\xfe\n")
    with path.open(encoding="utf-8", newline="") as lines, pytest.raises(RecordError, match="isn't UTF-8 text"):
        read_csv(lines, str(path))


@given(st.binary(max_size=200))
def test_any_csv_content_is_results_or_one_sentence(junk):
    text = ",".join(COLUMNS) + "\n" + junk.decode("latin-1")
    try:
        told = exported(read(text))
    except RecordError as error:
        told = str(error)
    assert told.startswith(("season.csv", "tournament,"))
    assert "\n" not in told or told.startswith("tournament,")


# ---------------------------------------------------------------- the table


def test_disqualified_players_are_unranked_with_the_reason():
    played = [won(n, (1, 2, 3), 1 + n % 3) for n in range(1, 115)]
    played += [
        match(n, [seat(1, 3, 0.0, "illegal", rule="Not so."), seat(2, 1, 1.0), seat(3, 2)]) for n in range(115, 121)
    ]
    out = disqualified_submissions(played)
    assert out == {
        1: "p1 (version 1) is out of the tournament: it forfeited 6 of 120 games "
        "(allowed: 4, or 2 % of the games if that is more)."
    }
    text = ratings_text(ratings_and_ranking(played, out, [Entrant(1, "p1"), Entrant(9, "newcomer")])[1])
    assert "newcomer has no games yet." in text
    assert out[1] in text
    lines = text.splitlines()
    assert [line.split()[0] for line in lines[1:5]] == ["1", "2", "-", "-"]
    assert lines[4].split()[1] == "p1"
    assert "p1 forfeited 6 games: Not so." in lines


def test_the_previous_version_is_listed_until_the_new_one_has_played():
    played = [won(n, (1, 2), 1 + n % 2) for n in range(1, 9)]
    rows = ratings_and_ranking(played, {}, [Entrant(5, "p1"), Entrant(2, "p2")])[1]
    assert sorted((row.player, row.games) for row in rows) == [("p1", 8), ("p2", 8)]


def test_five_failures_in_few_games_disqualify_but_four_do_not():
    four = [match(n, [seat(1, 2, 0.0, "time"), seat(2, 1, 1.0)]) for n in range(1, 5)]
    assert disqualified_submissions(four) == {}
    assert list(disqualified_submissions([*four, match(5, four[0].seats)])) == [1]
    assert disqualified_submissions([*four, match(5, four[0].seats)], Threshold(6)) == {}
    many = [won(n, (1, 2), 1) for n in range(6, 251)]
    assert disqualified_submissions([*four, match(5, four[0].seats), *many]) == {}
    assert disqualification_reason("ann", 1, 5, 9, Threshold(5, 0.025)).endswith("2.5 % of the games if that is more).")


def test_disqualification_reasons_ignore_the_order_of_results():
    rules = ("b.", "a.", "a.", "b.")
    played = [match(n, [seat(1, 2, 0.0, "time", rule=rule), seat(2, 1, 1.0)]) for n, rule in enumerate(rules, 1)]
    texts = {
        ratings_text(ratings_and_ranking(order, disqualified_submissions(order))[1])
        for order in (played, played[::-1], played[2:] + played[:2])
    }
    assert len(texts) == 1
    assert "4 games, most often: a." in texts.pop()


ADA = RankingRow(1, 1, 2, "Ada", 3, 1815.4, 30.2, 468, 0.591, 0, (), "")
BO = RankingRow(2, 3, 3, "Bo", 1, 1500.0, None, 8, 0.25, 2, ("2 games: It was slow.",), "", fills=True)
HUGO = RankingRow(0, 0, 0, "Hugo", None, None, None, 0, 0.0, 0, (), "Hugo has no games yet.")


def test_the_table_is_aligned_with_notes_below():
    assert ratings_text([ADA, BO, HUGO]) == (
        "#  ranks  player     rating  games    wins  forfeits\n"
        "1    1-2  Ada     1815 ± 30    468  59.1 %         0\n"
        "2      3  Bo       1500 ± ?      8  25.0 %         2\n"
        "-         Hugo                   0                 0\n"
        "\n"
        "Bo is a built-in player that fills the empty seats.\n"
        "Hugo has no games yet.\n"
        "Bo forfeited 2 games: It was slow.\n"
    )
    assert ratings_text([ADA]).splitlines()[1:] == ["1    1-2  Ada     1815 ± 30    468  59.1 %         0"]


def test_players_without_games_have_empty_columns_and_fillers_a_mark():
    games = [
        match(n, [seat(1, 1, 0.5), seat(2, 1, 0.25), seat(3, 1, 0.25)][: 3 - n % 2], 1 + n // 2) for n in range(2, 10)
    ]
    new = [Entrant(8, "zoe"), Entrant(9, "planner", fills=True)]
    rows = {row.player: row for row in ratings_and_ranking(games, entrants=new)[1]}
    assert rows["zoe"] == RankingRow(0, 0, 0, "zoe", None, None, None, 0, 0.0, 0, (), "zoe has no games yet.")
    assert [player for player, row in rows.items() if row.fills] == ["planner"]
    assert (rows["p3"].games, rows["p3"].win_share) == (4, 0.25)


# ---------------------------------------------------------------- the command


def test_rate_prints_the_table_of_a_file(tmp_path, capsys):
    path = tmp_path / "season.csv"
    path.write_text(exported(RESULTS), newline="")
    assert rate(path) == 0
    assert capsys.readouterr().out == ratings_text(ratings_and_ranking(RESULTS, disqualified_submissions(RESULTS))[1])
    assert rate(path, json=True) == 0
    printed = msgspec.json.decode(capsys.readouterr().out)
    assert msgspec.convert(printed, Ratings) == ratings_and_ranking(RESULTS, disqualified_submissions(RESULTS))[0]


def test_rate_takes_the_final_if_there_is_one(tmp_path, capsys):
    both = [
        match(n, [seat(winner, 1, 1.0), seat(3 - winner, 2)], (n + 1) // 2, rotation=(n + 1) % 2, phase=phase)
        for phase, winner, numbers in (("open", 1, range(1, 5)), ("final", 2, range(5, 9)))
        for n in numbers
    ]
    path = tmp_path / "both.csv"
    path.write_text(exported(both), newline="")
    rate(path)
    assert capsys.readouterr().out.splitlines()[1].split()[2] == "p2"


def test_rate_refuses_missing_and_empty_files(tmp_path):
    with pytest.raises(KibitzError, match="cannot be read: no such file"):
        rate(tmp_path / "none.csv")
    (tmp_path / "empty.csv").write_text(",".join(COLUMNS) + "\n")
    with pytest.raises(KibitzError, match="has no results to rate"):
        rate(tmp_path / "empty.csv")
