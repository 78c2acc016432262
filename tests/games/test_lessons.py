"""Guided first hands: following the captions shows them all, and ignoring them stops nothing."""

import pytest

import kibitz
from kibitz.engine.lesson import Caption, captions_to_show, read_lesson
from kibitz.engine.registry import families
from kibitz.errors import NotationError
from kibitz.players.built_in import levels
from tests.web.serving import SOON, Somebody, serving

LESSONS = {game.lesson.game: game for game in kibitz.all_games() if game.lesson}
LONGEST, MAX_CHOICES = 125, 40


@pytest.fixture(scope="module")
def ann(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("web")) as server:
        yield Somebody(server)


def test_every_family_has_a_lesson():
    assert all(family.games[0].lesson for family in families())
    assert {"kuhn:hands=3", "leduc:hands=2", "draw:players=3,hands=1"} < set(LESSONS)


@pytest.mark.parametrize("spec", sorted(LESSONS))
def test_following_the_captions_shows_them_all_in_order(ann, spec):
    lesson, met = LESSONS[spec].lesson, []
    assert all(len(caption.says) <= LONGEST for caption in lesson.captions)
    suggested = [caption.do for caption in lesson.captions if caption.do]
    with ann.at(ann.table(spec, **lesson_table(spec))) as line:
        assert line.read()["captions"] == [as_message(caption) for caption in lesson.captions]
        for _ in range(MAX_CHOICES):
            state = line.state()
            heard = [each["text"] for m in line.seen if m["type"] == "events" for each in m["events"]]
            texts = [choice["text"] for choice in state["legal"]]
            waiting = [caption for caption in lesson.captions if caption not in met]
            met += captions_to_show(waiting, texts, heard, over=state["over"])
            if state["over"] or len(met) == len(lesson.captions):
                break
            follow = next((text for text in suggested if text in texts), None)
            suggested = [text for text in suggested if text != follow]
            chosen = texts.index(follow) if follow else first_active_choice(texts)
            line.ask("act", turn=state["turn"], action=state["legal"][chosen]["action"])
    assert not suggested
    assert met == list(lesson.captions)


def first_active_choice(texts):
    """The first choice that is not to fold, pass or draw."""
    return next((i for i, text in enumerate(texts) if text not in ("fold", "pass", "draw")), 0)


def lesson_table(spec):
    """The settings of a table for a lesson."""
    game = kibitz.game(spec)
    computer = {"kind": "computer", "player": levels(game)["Easy"].name}
    return {
        "chairs": [{"kind": "me"}, *[{**computer, "name": "Easy"}] * (game.seats - 1)],
        "settings": {**SOON, "lesson": True},
    }


def as_message(caption):
    return {"says": caption.says, "do": caption.do, "may": caption.may, "hear": caption.hear, "over": caption.over}


def test_a_lesson_is_unrated_and_its_rematch_is_an_ordinary_game(ann):
    with ann.at(ann.table("kuhn:hands=3", **lesson_table("kuhn:hands=3"))) as line:
        state = line.state()
        while not state["over"]:
            line.ask("act", turn=state["turn"], action=state["legal"][-1]["action"])
            state = line.state()
        assert (state["outcome"]["rated"], state["outcome"]["seed"]) == (False, "1")
        line.ask("rematch")
        rematch = next(m for m in line.seen if m["type"] == "rematch")["path"]
    with ann.at(rematch.rpartition("/")[2]) as line:
        hello = line.read()
    assert (hello["captions"], hello["settings"]["lesson"]) == ([], False)


@pytest.mark.parametrize("kind", ["open", "computer"])
def test_a_lesson_needs_one_person_against_computers(ann, kind):
    asks = lesson_table("kuhn:hands=3") | {"chairs": [{"kind": "me" if kind == "open" else "computer"}, {"kind": kind}]}
    answer = ann.post("/api/tables", {"game": "kuhn:hands=3", **asks})
    assert answer.status_code == 409
    assert "computer players" in answer.json()["error"]["sentence"]


def test_a_caption_is_shown_when_its_condition_holds():
    legal, heard, end = ["5H", "draw"], ["You play 5♥."], Caption("x", over=True)
    for fields in ({}, {"do": "5H"}, {"may": "dr"}, {"hear": "play 5"}):
        assert captions_to_show([Caption("x", **fields)], legal, heard)
    for fields in ({"do": "5"}, {"may": "pass"}, {"hear": "Play"}, {"over": True}, {"do": "5H", "hear": "pass"}):
        assert not captions_to_show([Caption("x", **fields)], legal, heard)
    assert captions_to_show([Caption("x"), end], [], heard, over=True) == [end]


def test_at_most_one_caption_about_choices_is_shown_per_turn():
    first, heard, second = Caption("a", do="5H"), Caption("b", hear="play"), Caption("c", may="draw")
    assert captions_to_show([first, heard, second], ["5H", "draw"], ["You play 5♥."]) == [first, heard]


@pytest.mark.parametrize(
    "text", ["game = 1", 'game = "go"\nseed = 1', "nothing", 'captions = []\ngame = ""\nseed = 1\nx = 2']
)
def test_an_invalid_lesson_file_is_refused(text):
    with pytest.raises(NotationError, match="not a lesson"):
        read_lesson(text)
