"""Poker on the command line: typed bets, PHH files, tournaments and records."""

import pytest

PLAY = ("play", "holdem:players=2,hands=1", "--seed", 4, "--opponents", "caller")


def test_prompt_shows_turn_pot_price_stacks_and_own_hand(kibitz):
    answer = kibitz(*PLAY, typed="q\ny\n")
    assert "Your turn, with 990 chips: check, or raise to any amount from 20 to 1000." in answer.out
    assert "Hand 1 of 1  Street preflop  Pot 20" in answer.out
    assert "caller     chips 990  bet 10  button  2 cards" in answer.out
    assert "your hand  2♥ 10♣ (ten-two offsuit)" in answer.out
    assert "3) raise to 30  (the pot)" in answer.out


def test_bets_are_typed_as_words_and_the_hand_is_played_to_the_end(kibitz, tmp_path):
    record = tmp_path / "hand.game"
    answer = kibitz(*PLAY, "-o", record, typed="raise 37\nbet 123\npot\nall in\n")
    assert "You raise to 37." in answer.out
    assert "You bet 123." in answer.out
    assert "You bet 320." in answer.out
    assert "all in." in answer.out
    assert kibitz("verify", record).status == 0
    assert "all in" in kibitz("show", record, "--seat", 1).out


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("raise 19", "A bet must be at least the big blind, and a raise at least as large as the last bet"),
        ("raise 1001", "You can't bet more chips than you have."),
        ("1500", "There is no choice 1500; an amount needs its verb, such as 'raise 20'."),
        ("fold", "There is no bet to call, so don't fold: check."),
        ("raise lots", "Say 'fold', 'check', 'call', 'raise 240', 'bet 40' or 'all in'."),
        ("2D 3D", "Say 'fold', 'check', 'call'"),
        (f"raise {'9' * 30}", "an amount can be at most 1000000000 chips"),
    ],
)
def test_illegal_bet_is_refused_with_the_rule(kibitz, typed, sentence):
    answer = kibitz(*PLAY, typed=f"{typed}\nq\ny\n")
    assert sentence in answer.out
    assert "You raise" not in answer.out
    assert answer.status == 0


def test_bare_number_is_a_choice_and_never_an_amount(kibitz):
    """Also if the choices themselves contain numbers."""
    answer = kibitz("play", "kuhn", "--seed", 1, "--opponents", "caller", typed="1\nq\ny\n")
    assert "1) check" in answer.out
    assert "You check." in answer.out
    words = ("play", "holdem:players=2,hands=1,small=1,big=2", "--seed", 4, "--opponents", "caller")
    answer = kibitz(*words, typed="2\nq\ny\n")
    assert "2) raise to 4" in answer.out
    assert "You raise to 4." in answer.out


def test_cards_are_discarded_by_name(kibitz):
    words = ("play", "draw:players=2,hands=1", "--seed", 9, "--opponents", "caller")
    answer = kibitz(*words, typed="check\n2C\nzz\n6D 10H\nq\ny\n")
    assert "2♣ is not in your hand." in answer.out
    assert "'zz' is not a card" in answer.out
    assert "You discard 6♦ 10♥ and draw " in answer.out
    assert "caller stands pat." in answer.out


def test_hands_round_trip_through_phh(kibitz, refused, tmp_path):
    game, phh, again = tmp_path / "a.game", tmp_path / "a.phhs", tmp_path / "b.game"
    assert kibitz("match", "holdem:players=2,hands=2", "caller", "caller", "--seed", 7, "-q", "-o", game).status == 0
    assert kibitz("phh", "export", game, "-o", phh).status == 0
    assert phh.read_text().startswith('[1]\nvariant = "NT"\n')
    assert "choose one, --hand 1 to --hand 2" in refused("phh", "import", phh)
    assert kibitz("phh", "import", phh, "--hand", 2, "-o", again).status == 0
    assert kibitz("verify", again).status == 0
    assert "there is no hand 3" in refused("phh", "import", phh, "--hand", 3)
    assert "cannot be read" in refused("phh", "import", tmp_path / "none.phh")
    assert "not a PHH file" in refused("phh", "import", game)
    assert "must be export or import, not 'expor'" in refused("phh", "expor", game)
    phh.write_bytes(b"\xff\xfe")
    assert "it isn't UTF-8 text" in refused("phh", "import", phh)


def test_list_of_games_merges_numbered_options(kibitz):
    answer = kibitz("games")
    assert "stack0-9 (1 to 100000000)" in answer.out
    assert "stack3" not in answer.out


def test_hands_are_imported_into_a_folder_and_bad_ones_skipped(kibitz, refused, tmp_path):
    game, phh, folder = tmp_path / "a.game", tmp_path / "many.phhs", tmp_path / "hands"
    assert kibitz("match", "holdem:players=2,hands=12", "caller", "caller", "--seed", 7, "-q", "-o", game).status == 0
    assert kibitz("phh", "export", game, "-o", phh).status == 0
    assert kibitz("phh", "import", phh, "-o", folder).lines[-1] == f"12 of 12 hands are saved in {folder}."
    assert sorted(path.name for path in folder.iterdir())[:2] == ["many-01.game", "many-02.game"]
    assert kibitz("verify", folder / "many-12.game").status == 0
    assert "many-01.game already exists: name another file" in refused("phh", "import", phh, "-o", folder)
    first, second = phh.read_text().split("[2]")
    phh.write_text(first.replace("finishing_stacks = [", "finishing_stacks = [1") + "[2]" + second)
    answer = kibitz("phh", "import", phh, "-o", folder, "--force")
    assert answer.status == 2
    assert answer.lines[-1] == f"11 of 12 hands are saved in {folder}."
    assert any(line.startswith("Hand 1 (1): the file ends with the stacks [") for line in answer.lines)
    assert "can't be created" in refused("phh", "import", phh, "-o", game / "under")


def test_every_game_accepts_player_files_as_opponents(kibitz):
    for name in ("bo", "president"):
        assert "Player files work too." in kibitz("play", typed=f"{name}\nq\ny\n").out
