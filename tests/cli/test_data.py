"""``kibitz simulate``, ``kibitz stats``, ``kibitz tabulate`` and the plot of a review."""

import csv
import json
from xml.etree import ElementTree

import pytest

import kibitz as package

WORDS = ["simulate", "go-mini", "greedy", "random", "--games", "8", "--seed", "1", "--workers", "1"]


@pytest.fixture
def table(kibitz, tmp_path):
    """A table of results."""
    path = tmp_path / "games.csv"
    assert kibitz(*WORDS, "-o", path).status == 0
    return path


def test_simulation_prints_its_file_and_seed(kibitz, tmp_path):
    answer = kibitz(*WORDS, "-o", tmp_path / "games.jsonl")
    assert answer.lines == [f"8 games of go-mini are in {tmp_path / 'games.jsonl'}.", "Seed 1."]
    assert answer.err == "played 8 of 8 games\n"
    secret = kibitz("simulate", "kuhn", "random", "--games", "2", "--workers", "1", "-o", tmp_path / "secret.csv")
    seed = secret.lines[1].removeprefix("Seed ").removesuffix(".")
    again = kibitz(
        "simulate", "kuhn", "random", "--games", "2", "--workers", "1", "--seed", seed, "-o", tmp_path / "again.csv"
    )
    assert again.status == 0
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "secret.csv").read_bytes()


def test_a_stopped_simulation_is_resumed_by_the_printed_command(kibitz, tmp_path, monkeypatch):
    monkeypatch.setattr("kibitz.arena.games.MAX_CHUNK", 1)
    monkeypatch.chdir(tmp_path)
    from kibitz.data.simulation import Journal

    add = Journal.add

    def interrupted(self, played):
        add(self, played)
        if self.done == 3:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "add", interrupted)
        answer = kibitz(*WORDS, "-o", "games.csv")
    assert answer.status == 130
    assert answer.lines[0] == "Stopped after 3 of 8 games; they are kept in games.csv.part."
    assert answer.lines[-1] == "To write only the games played so far, use --games 3."
    assert kibitz(*answer.lines[2].split()[1:], "--workers", "1").status == 0
    assert kibitz(*WORDS, "-o", "whole.csv").status == 0
    assert (tmp_path / "games.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()


WRONG = {
    "simulate": "GAME is missing",
    "simulate go": "--games is missing",
    "simulate go --games 3 -o x.csv": "name at least one player",
    "simulate go first --games 3 -o x.xlsx": "has an unknown ending",
    "simulate go fist --games 3 -o x.csv": "did you mean 'first'?",
    "simulate go first --games 0 -o x.csv": "--games must be 1 or more, not 0",
    "simulate go first --games 3 -o /no/folder/x.csv": "there is no folder",
    "simulate go first --games 3 -o x.csv --records": "CSV can't hold records",
    "stats": "name at least one table",
    "stats no.csv": "no.csv doesn't exist",
    "stats . --game gp": "Unknown game 'gp'",
    "stats . --outcome drawn": "outcome must be won, lost, forfeit or unfinished",
    "stats . --since monday": "since must be a day such as 2026-03-01",
    "stats . --seat -1": "seat must be from 0",
    "stats . --csv /no/folder/x.csv": "cannot be written",
    "stats . --plots /proc/none": "can't be created",
    "tabulate -o x.csv": "name at least one record",
    "tabulate .": "--output is missing",
    "tabulate no.game -o x.csv": "no.game doesn't exist",
    "tabulate . -o x.zip": "end the name of a table in .csv, .jsonl or .parquet",
    "tabulate . -o x": "end the name of a table in .csv, .jsonl or .parquet",
    "tabulate . -o x.xlsx": "has an unknown ending",
    "tabulate . -o /no/folder/x.csv": "there is no folder",
    "tabulate . -o x.csv --game gp": "Unknown game 'gp'",
}


@pytest.mark.parametrize("words", WRONG)
def test_invalid_arguments_are_rejected_and_write_nothing(refused, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert WRONG[words] in refused(*words.split())
    assert list(tmp_path.iterdir()) == []


def test_statistics_fit_the_screen(kibitz, table, monkeypatch):
    answer = kibitz("stats", table)
    assert answer.status == 0
    assert answer.lines[0] == "go-mini: 8 games, 4 deals"
    assert [line for line in answer.lines if line in ("Players", "Seats", "Lengths", "Head to head")] == [
        "Players", "Seats", "Lengths", "Head to head",
    ]  # fmt: skip
    monkeypatch.setenv("COLUMNS", "40")
    assert max(map(len, kibitz("stats", table).lines)) <= 40


def test_every_figure_is_exported_as_csv_and_json(kibitz, table, tmp_path):
    assert kibitz("stats", table, "--csv", tmp_path / "figures.csv").status == 0
    with (tmp_path / "figures.csv").open(newline="", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    figures = json.loads(kibitz("stats", table, "--json").out)["games"][0]
    found = package.stats(table).games[0]
    assert figures["games"] == found.games == 8
    shares = {
        row["name"]: float(row["value"]) for row in rows if (row["table"], row["figure"]) == ("players", "win_share")
    }
    assert shares == {line.player: line.share.value for line in found.players}
    assert {row["table"] for row in rows} == {"players", "seats", "lengths", "meetings"}
    assert "already exists" in kibitz("stats", table, "--csv", tmp_path / "figures.csv").err


def test_every_plot_is_written_with_its_table_and_shown_on_the_page(kibitz, table, tmp_path):
    folder = tmp_path / "plots"
    assert kibitz("stats", table, "--plots", folder).status == 0
    pictures = {path.stem for path in folder.glob("*.svg")}
    assert len(pictures) == 6
    assert {path.stem for path in folder.glob("*.csv")} == pictures
    page = (folder / "index.html").read_text(encoding="utf-8")
    for name in pictures:
        ElementTree.parse(folder / f"{name}.svg")
        assert f'<img src="{name}.svg" alt="' in page
        with (folder / f"{name}.csv").open(newline="", encoding="utf-8") as lines:
            heads, *rows = csv.reader(lines)
        section = page[page.index(f'src="{name}.svg"') :].partition("</section>")[0]
        assert section.count("<tr>") == len(rows) + 1
        assert all(f'<th scope="col">{head}</th>' in section for head in heads)
    assert "already exists" in kibitz("stats", table, "--plots", folder).err
    assert kibitz("stats", table, "--plots", folder, "--force").status == 0


def test_bad_file_is_reported_and_the_others_count(kibitz, table, tmp_path):
    bad = tmp_path / "bad.csv"
    bad.write_text("no table\x1b[31m\n")
    answer = kibitz("stats", bad, table)
    assert answer.status == 2
    assert answer.lines[0] == "go-mini: 8 games, 4 deals"
    assert f"kibitz: {bad}:1: a table of results has at least the columns" in answer.err
    assert "\x1b" not in answer.out + answer.err


def test_bad_records_beyond_the_first_20_are_counted(kibitz, tmp_path):
    for number in range(25):
        (tmp_path / f"{number}.game").write_text("no record")
    answer = kibitz("stats", tmp_path)
    assert answer.status == 2
    assert answer.lines == ["No games found."]
    assert answer.err.splitlines()[-1] == "kibitz: ... and 5 more can't be read."


@pytest.mark.parametrize("words", [("--seat", "99"), ("--game", "bo"), ("--player", "nobody")])
def test_filter_value_that_matches_no_game_is_an_error(kibitz, table, tmp_path, words):
    for outcome in ((), ("--outcome", "won")):
        answer = kibitz("stats", table, *words, *outcome, "--csv", tmp_path / "x.csv")
        assert (answer.status, answer.out) == (2, "")
        assert f"the files have no game with {' '.join(words)}: leave it out" in answer.err
    assert not (tmp_path / "x.csv").exists()


def test_outcome_without_games_is_not_an_error(kibitz, table):
    answer = kibitz("stats", table, "--game", "go-mini", "--outcome", "forfeit")
    assert (answer.status, answer.lines) == (0, ["No games found."])


def test_command_filters_match_the_library(kibitz, table):
    report = json.loads(kibitz("stats", table, "--player", "greedy", "--seat", "0", "--outcome", "lost", "--json").out)
    found = package.stats(table, player="greedy", seat=0, outcome="lost")
    assert [one["games"] for one in report["games"]] == [one.games for one in found.games]


# ---------------------------------------------------------------- records as a table


@pytest.mark.parametrize("ending", [".csv", ".jsonl", ".parquet"])
def test_table_of_records_equals_the_simulations_table(kibitz, tmp_path, ending):
    played, records, table = (tmp_path / name for name in (f"played{ending}", "games.zip", f"table{ending}"))
    assert kibitz(*WORDS, "-o", played).status == kibitz(*WORDS, "-o", records).status == 0
    answer = kibitz("tabulate", records, "-o", table)
    assert answer.status == 0
    assert answer.lines == [f"8 games are in {table}."]
    assert table.read_bytes() == played.read_bytes()


def test_records_are_filtered_and_invalid_ones_reported(kibitz, tmp_path):
    assert kibitz(*WORDS, "-o", tmp_path / "mixed").status == 0
    (tmp_path / "mixed" / "bad.game").write_text("no record\x1b[31m\n")
    words = ["--player", "greedy", "--outcome", "lost"]
    answer = kibitz("tabulate", tmp_path / "mixed", "-o", tmp_path / "lost.csv", *words)
    assert answer.status == 2
    assert "bad.game:1: this is not a record" in answer.err
    assert "\x1b" not in answer.out + answer.err
    (found,) = package.stats(tmp_path / "mixed", player="greedy", outcome="lost").games
    assert answer.lines == [f"{found.games} game{'s' * (found.games != 1)} {'are' if found.games != 1 else 'is'} in"
                            f" {tmp_path / 'lost.csv'}."]  # fmt: skip
    (same,) = package.stats(tmp_path / "lost.csv").games
    assert (same.games, same.deals, same.players) == (found.games, found.deals, found.players)


def test_no_table_is_written_without_games_or_over_an_existing_one(kibitz, table, tmp_path):
    assert kibitz(*WORDS, "-o", tmp_path / "games.zip").status == 0
    answer = kibitz("tabulate", tmp_path / "games.zip", "-o", tmp_path / "none.csv", "--outcome", "forfeit")
    assert answer.lines == [f"No games found; {tmp_path / 'none.csv'} is not written."]
    assert not (tmp_path / "none.csv").exists()
    before = table.read_bytes()
    assert "already exists" in kibitz("tabulate", tmp_path / "games.zip", "-o", table).err
    assert table.read_bytes() == before
    assert kibitz("tabulate", tmp_path / "games.zip", "-o", table, "--force").status == 0
    assert table.read_bytes() == before


# ---------------------------------------------------------------- the plot of a review


@pytest.fixture
def game(kibitz, tmp_path):
    """The record of some hands."""
    path = tmp_path / "game.game"
    assert kibitz("match", "leduc:hands=3", "random", "greedy", "--seed", "5", "-q", "-o", path).status == 0
    return path


@pytest.mark.long
def test_review_plot_shows_the_chance_of_every_decision(kibitz, game, tmp_path):
    answer = kibitz("review", game, "--rollouts", "8", "--plot", tmp_path / "x.svg")
    assert answer.lines[-1].startswith("The plot is in ")
    report = json.loads(kibitz("review", game, "--rollouts", "8", "--json").out)
    with (tmp_path / "x.csv").open(newline="", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    by_step = {int(row["action"]): row for row in rows if row["choice"] != "the end"}
    assert len(rows) == len(report["verdicts"]) + 2
    for verdict in report["verdicts"]:
        row = by_step[verdict["step"]]
        assert float(row["chance"]) == verdict["judgement"]["chosen_chance"]
        assert float(row["error"]) == verdict["judgement"]["chosen_chance_error"]
        assert 0 <= float(row["chance"]) <= 1
    root = ElementTree.parse(tmp_path / "x.svg").getroot()
    assert "Evaluated with: search over 8 simulated games" in "".join(root.itertext())
    ends = [row for row in rows if row["choice"] == "the end"]
    assert sum(float(row["chance"]) for row in ends) == pytest.approx(1, abs=1e-3)


def test_invalid_plot_of_a_review_is_rejected_before_the_review(refused, game, tmp_path):
    (tmp_path / "x.csv").write_text("precious")
    assert "already exists" in refused("review", game, "--plot", tmp_path / "x.svg")
    assert "must end in .svg" in refused("review", game, "--plot", tmp_path / "x.png")
    assert "use one of them" in refused("review", game, "--plot", tmp_path / "y.svg", "--step", "0")
    assert not (tmp_path / "x.svg").exists()
