"""Players of several files, and folders of players, in every command that accepts players."""

import pytest

import kibitz.arena
from kibitz.arena.entry.qualification import Report
from kibitz.cli import player_lookup
from kibitz.engine.registry import game
from tests.players.class_of import COMMON, ONE, SEVERAL, archive, in_folder, write_files
from tests.players.conftest import HONEST
from tests.tiers import first_fast

LOUD = HONEST.replace("    return hand[0]", "    print('my hand is', hand)\n    return hand[0]")


@pytest.fixture(params=first_fast(["folder", "archive", "file"]))
def ann(request, tmp_path):
    """A player of several files, as a folder, an archive, or a file beside its helpers."""
    if request.param == "archive":
        (tmp_path / "ann.zip").write_bytes(archive(in_folder("work", SEVERAL)))
        return tmp_path / "ann.zip"
    folder = write_files(tmp_path / "ann", SEVERAL)
    return folder / "player.py" if request.param == "file" else folder


def test_every_command_accepts_a_player_of_several_files(kibitz, tmp_path, ann):
    checked = kibitz("check-player", "go", ann, "--games", "2")
    assert checked.status == 0, checked
    assert "(player.py, with common.py and tools/deep.py) loads" in checked.out
    match = kibitz("match", "go", ann, "first", "first", ann, "--seed", "1", "-q")
    assert match.status == 0
    assert "Forfeit" not in match.out
    table = kibitz("tournament", "go", ann, "first", "--deals", "1", "--workers", "1", "--seed", "1")
    assert f"{'player' if ann.suffix == '.py' else 'ann'} " in table.out
    assert "load" not in table.out
    played = kibitz("play", "go-mini", "--opponents", ann, "--seed", "1", typed="1\n" * 30)
    assert played.status == 0
    assert "out of the game" not in played.out


def accept(store, submission):
    """Accept a submission without checking it."""
    report = Report(submission.tournament, submission.file, submission.sha256, 0, ())
    store.record_check(submission.id, passed=True, reason="", report=report.to_json())


def test_submission_keeps_all_its_files_in_rounds_replays_and_verification(kibitz, tmp_path, ann):
    store = tmp_path / "season.sqlite"
    words = ["--store", store]
    done = kibitz("arena", "submit", "go", ann, "--name", "Ann", "--games", "2", *words)
    assert done.status == 0, done
    failing = {**SEVERAL, "common.py": "def lowest(hand):\n    return hand[0 if len(hand) > 7 else 99]\n"}
    with kibitz_arena(store) as arena:
        (entered,) = arena.store.submissions("go")
        assert entered.file == "Ann.zip"
        again = arena.store.submit("go", "Bad", "Bad", "Bad.zip", packed(tmp_path / "bad", failing))
        accept(arena.store, again)
        for name in ("Cem", "Dot"):
            old = arena.store.submit("go", name, name, "old.py", f"{HONEST}# {name}\n".encode())
            accept(arena.store, old)
        arena.run("go", rounds=1, workers=1)
        played = {seat.player: seat.forfeit for result in arena.store.results("go") for seat in result.seats}
    assert played == {"Ann": None, "Bad": "exception", "Cem": None, "Dot": None}
    assert "is identical" in kibitz("arena", "replay", "go/1", "-q", *words).out
    assert kibitz("arena", "verify", "go", *words).status == 0
    failures = kibitz("arena", "failures", "Bad", *words).out
    assert 'common.py", line 2, in lowest' in failures
    assert 'kibitz call go Bad.zip "comp10001go_play(' in failures


def kibitz_arena(store):
    return kibitz.arena.open(store)


def packed(folder, files):
    from kibitz.players.files.entries import player_at

    return player_at(write_files(folder, files), ("comp10001go_play", "comp10001go_group")).sources.packed


def test_same_files_in_another_form_are_the_same_submission(kibitz, refused, tmp_path):
    write_files(tmp_path / "ann", SEVERAL)
    (tmp_path / "ann.zip").write_bytes(archive(SEVERAL))
    words = ["--name", "Ann", "--games", "2", "--store", tmp_path / "season.sqlite"]
    assert kibitz("arena", "submit", "go", tmp_path / "ann", *words).status == 0
    assert "already version 1" in refused("arena", "submit", "go", tmp_path / "ann.zip", *words)
    write_files(tmp_path / "two", {**ONE, "b.py": HONEST})
    assert "both define" in refused("arena", "submit", "go", tmp_path / "two", *words)
    (tmp_path / "bad.zip").write_bytes(archive({"../player.py": HONEST}))
    assert "points outside the archive" in refused("arena", "submit", "go", tmp_path / "bad.zip", *words)
    with kibitz_arena(tmp_path / "season.sqlite") as arena:
        assert len(arena.store.submissions("go")) == 1


@pytest.mark.long
def test_platform_export_is_a_class_and_files_left_out_are_reported(kibitz, tmp_path):
    export_files = {
        **in_folder("Lee Ann_11_assignsubmission_file", SEVERAL),
        **in_folder("Oz Cem_12_assignsubmission_file", {"latin.py": b"# caf\xe9\n" + HONEST.encode()}),
        **in_folder("Old Dan_13_assignsubmission_file", {"two.py": "print 'hello'\n" + HONEST}),
        **in_folder("Both Eve_14_assignsubmission_file", {"a.py": HONEST, "b.py": HONEST}),
        **in_folder("None Fay_15_assignsubmission_file", {"common.py": COMMON, "tools.py": COMMON}),
        **in_folder("Typo Gil_16_assignsubmission_file", {"x.py": "Def comp10001go_play(a, b, c):\n    pass\n"}),
    }
    (tmp_path / "class.zip").write_bytes(archive(export_files))
    answer = kibitz(
        "tournament", "go", tmp_path / "class.zip", "first", "--deals", "1", "--seed", "1", "--workers", "1"
    )
    assert answer.status == 0
    assert "class.zip: a Moodle export with 6 submissions, 4 of them with exactly one player" in answer.err
    assert "Both Eve_14_assignsubmission_file: a.py and b.py both define comp10001go_group" in answer.err
    assert "None Fay_15_assignsubmission_file: no file in it defines comp10001go_play" in answer.err
    assert " Lee Ann " in answer.out
    assert "Oz Cem forfeited 4 games: The file is not UTF-8 text: look at line 1" in answer.out
    assert "Old Dan forfeited 4 games: The file isn't valid Python: Missing parentheses" in answer.out
    assert "Typo Gil forfeited 4 games: The file isn't valid Python: invalid syntax in line 1." in answer.out


def test_wrong_helper_functions_are_warnings(kibitz, tmp_path):
    wrong = "\ndef comp10001go_score_group(cards):\n    return 7\n\ndef comp10001go_valid_groups(a, b):\n    return 1\n"
    (tmp_path / "ann.py").write_text(HONEST + wrong)
    answer = kibitz("check-player", "go", tmp_path / "ann.py", "--games", "2")
    assert answer.status == 0, answer
    warned = [line for line in answer.lines if line.startswith("warning ")]
    assert "comp10001go_score_group fails: it returned 7; it should return 57." in warned[0]
    assert "7 more calls of published examples of comp10001go_score_group fail" in " ".join(warned)
    assert "comp10001go_valid_groups must take 1 argument: comp10001go_valid_groups(groups)" in " ".join(warned)
    assert "comp10001go_score_group(['AH', 'AS', 'QS', '9H', '7H', 'AC'])" in answer.out
    assert answer.lines[-2].endswith("can play Go.")


def test_output_of_a_file_is_shown_by_call(kibitz, tmp_path):
    (tmp_path / "ann.py").write_text("print('loading')\n" + LOUD)
    answer = kibitz("check-player", "go", tmp_path / "ann.py", "--games", "2")
    assert answer.status == 0
    assert "The file printed something in " in answer.out
    assert max(len(line) for line in answer.lines if "seat 0, comp10001go_play(" in line) < 130
    assert "a published example, comp10001go_play([" in answer.out
    assert "            my hand is ['QC']" in answer.lines
    alone = kibitz("check-player", "go", tmp_path / "ann.py", "--game-number", "2")
    assert "game 2, seat 0, while it was loaded" in alone.out
    assert alone.out.count("my hand is") == 10
    quiet = kibitz("check-player", "go", "examples/players/go/first.py", "--games", "2")
    assert "printed" not in quiet.out


def test_output_of_a_hanging_file_is_shown(kibitz, tmp_path):
    hangs = HONEST.replace("    return hand[0]", "    print('wait')\n    while len(hand) < 9: pass\n    return hand[0]")
    (tmp_path / "ann.py").write_text(hangs)
    answer = kibitz("check-player", "go", tmp_path / "ann.py", "--game-number", "1", "--limits", "call=0.1")
    assert answer.status == 2
    by_call = answer.out.partition("By call:")[2]
    assert "wait" in by_call
    assert "most recent call first" not in by_call


def test_lookalike_names_are_reported_with_their_files(tmp_path, capsys):
    files = {"Anna.py": HONEST, "\u0410nna.py": HONEST, "Zo\u00eb.py": HONEST}
    player_lookup.find_all_players(game("go"), [str(write_files(tmp_path / "class", files))], trusted=False)
    place = tmp_path / "class"
    assert capsys.readouterr().err.splitlines()[-1] == (
        f"names that look the same: 'Anna-1' is {place}/Anna.py; '\u0410nna-2' is {place}/\\u0410nna.py."
    )
