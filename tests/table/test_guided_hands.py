"""A guided first hand without a server: a player who follows the captions sees each of them once."""

from contextlib import nullcontext

import pytest

import kibitz
from kibitz.players.opponents import OpponentsReferee, seat_players
from kibitz.players.setup import start_choices
from kibitz.players.specs import find_player
from kibitz.table import Table
from kibitz.table.session import AskPerson, AskPlayer, Session

GUIDED = {game.lesson.game: game for game in kibitz.all_games() if game.lesson}


def guided(game):
    """The session of a game's guided first hand, and its computer players."""
    done = next(done for done, _ in start_choices(game) if done and done.guided)
    table = done.deal()
    where = seat_players(
        [player.name_or_path for player in done.players], lambda words: [find_player(done.game, w) for w in words]
    )
    return Session(table, where.people), OpponentsReferee(table, where.factories, lambda sentence: nullcontext())


def playing(session, company):
    """Play on until the person must choose or the game is over."""
    company.begin()
    while not session.table.over:
        match session.next:
            case AskPlayer(seat):
                company.ask(seat)
            case AskPerson():
                yield session.guidance(0)
            case only:
                session.act(only.seat, only.action)
    yield session.guidance(0)


def follow(session, guidance):
    """Do what the captions say, otherwise the first action that gives nothing away."""
    table = session.table
    legal = table.game.words.ordered(table.view(0), table.legal(0))
    texts = [table.game.text(table.view(0), action) for action in legal]
    first = next((i for i, text in enumerate(texts) if text not in ("fold", "pass", "draw")), 0)
    pointed = guidance.action if guidance else None
    session.act(0, legal[first] if pointed is None else pointed)


@pytest.mark.parametrize("spec", sorted(GUIDED), ids=str)
def test_captions_are_shown_once_and_in_order(spec):
    captions = GUIDED[spec].lesson.captions
    session, company = guided(GUIDED[spec])
    read = ""
    for guidance in playing(session, company):
        read += f" {guidance.says}" if guidance else ""
        if read.endswith(captions[-1].says):
            break
        follow(session, guidance)
    missed = [caption for caption in captions if caption.says not in read]
    assert read == "".join(f" {caption.says}" for caption in captions if caption not in missed)
    assert all(caption.hear and not caption.do for caption in missed)  # events that haven't happened
    assert len(missed) < 2


def test_captions_return_after_undo_and_resume():
    session, company = guided(kibitz.game("bo"))
    game = playing(session, company)
    first = next(game)
    follow(session, first)
    second = next(game)
    assert second != first
    assert Session(Table.resume(session.table.record), [0]).guidance(0) == second
    session.undo(0)
    assert session.guidance(0) == first


def test_only_the_lesson_deal_is_guided():
    game = kibitz.game("bo")
    table = Table.deal(game.lesson.game, game.lesson.seed)
    assert Session(table, [0]).guidance(0) is None
