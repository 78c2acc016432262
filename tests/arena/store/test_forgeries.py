"""For each check a forgery by somebody who knows the source, which only that check can find.

The forger rewrites the logs, so that only a check that derives the value again can notice; the log's own checks get
forgeries of the log. A check without a forgery fails here, and so does one that could be removed unnoticed.
"""

import zlib

import msgspec
import pytest
from sqlalchemy import insert, select, update

from kibitz.arena.entry.qualification import Report
from kibitz.arena.proof.checks import CHECKS
from kibitz.arena.running.blocks import match_result
from kibitz.arena.schedule import deal_seed
from kibitz.arena.store import log, open_store
from kibitz.database.schema import (
    blocks,
    disqualifications,
    matches,
    qualifications,
    roster,
    rounds,
    seats,
    seeds,
    submissions,
    tournaments,
    voids,
)
from kibitz.database.schema import (
    log as logs,
)
from kibitz.engine import record
from kibitz.engine.registry import game
from kibitz.table import Match
from tests.arena.store import season
from tests.arena.store.season import CUSTOM, NAME, rows_of, tampered, wrong
from tests.tiers import first_fast

LOG = set(CHECKS["log"])
VARIED = (
    "check_commitments",
    "check_deals",
    "check_disqualifications",
    "check_order",
    "check_scores",
    "check_seat_lineups",
)
DIFFERENT = "0" * 64


FORGERIES = {
    "check_game": lambda c: change(c, tournaments, tournaments.c.name == NAME, rules=2),
    "check_commitments": lambda c: change(
        c, seeds, (seeds.c.tournament_id == id_of(c, NAME)) & (seeds.c.stage == "season"), commitment=DIFFERENT
    ),
    "check_versions": lambda c: change(c, submissions, version_condition(c, "fay"), version=2),
    "check_owners": lambda c: change(c, submissions, version_condition(c, "ann", 2), owner="zed"),
    "check_settled_times": lambda c: change(c, submissions, version_condition(c, "cy"), settled_at=None),
    "check_reasons": lambda c: change(c, submissions, version_condition(c, "eve"), reason="We do not like the name."),
    "check_closings": lambda c: change(c, rounds, rounds.c.id == open_round(c).id, closed_at=5.0),
    "check_deals": lambda c: change(c, blocks, queued_block(c)[1], deal_seed=f"{12:032x}"),
    "check_block_tournaments": lambda c: change(c, blocks, queued_block(c)[1], tournament_id=id_of(c, CUSTOM)),
    "check_match_counts": lambda c: change(c, blocks, queued_block(c)[1], state="played"),
    "check_given_up": lambda c: change(c, blocks, queued_block(c)[1], state="given-up"),
    "check_record_game": lambda c: replace(c, lambda found, seed: other_record(found, "kuhn", seed)),
    "check_record_deal": lambda c: replace(c, lambda found, seed: other_record(found, NAME, seed + 1)),
    "check_record_players": lambda c: replace(
        c, lambda found, seed: msgspec.structs.replace(found, seats=found.seats[::-1])
    ),
    "check_record_notes": lambda c: replace(
        c, lambda found, seed: msgspec.structs.replace(found, notes=("after move 1: seat 0 was given a hint",))
    ),
    "check_endings": lambda c: change(c, matches, custom_match(c)[2], reason="The lights went out."),
    "check_roster": lambda c: change(c, roster, roster.c.player == "ann", owner="zed@uni"),
    "check_heads": lambda c: change(c, logs, entry(c, last_entry(c).number), head=DIFFERENT),
    "check_scores": lambda c: change_seat(c, score=123.0),
    "check_places": lambda c: change_seat(c, place=7),
    "check_win_shares": lambda c: change_seat(c, win_share=0.25),
    "check_failures": lambda c: change_seat(c, rule="It is not your card."),
}


def forgery(function):
    FORGERIES[function.__name__] = function
    return function


def first_row(connection, table, *where):
    return connection.execute(select(table).where(*where)).first()


def id_of(connection, name):
    return first_row(connection, tournaments, tournaments.c.name == name).id


def version_condition(connection, player, which=1):
    found = first_row(connection, submissions, submissions.c.player == player, submissions.c.version == which,
                submissions.c.tournament_id == id_of(connection, NAME))  # fmt: skip
    return submissions.c.id == found.id


def open_round(connection):
    return first_row(connection, rounds, rounds.c.closed_at.is_(None))


def queued_block(connection):
    found = first_row(connection, blocks, blocks.c.round_id == open_round(connection).id, blocks.c.voids == 0,
                blocks.c.state.in_(("queued", "leased")))  # fmt: skip
    return found, blocks.c.id == found.id


def custom_match(connection):
    """The first match of the custom game, and conditions that select its row and its seats."""
    block = first_row(connection, blocks, blocks.c.tournament_id == id_of(connection, CUSTOM), blocks.c.number == 1)
    row = first_row(connection, matches, matches.c.block_id == block.id, matches.c.rotation == 0)
    mine = [(table.c.block_id == block.id) & (table.c.rotation == 0) for table in (matches, seats)]
    return block, row, *mine


def change(connection, table, where, **values):
    assert connection.execute(update(table).where(where).values(values)).rowcount == 1


def change_seat(c, **values):
    """Change the first seat of the custom match."""
    change(c, seats, custom_match(c)[3] & (seats.c.seat == 0), **values)


@forgery
def check_fillers(c):
    filler = submissions.c.owner == "Kibitz"
    assert first_row(c, submissions, filler).player == "greedy"
    change(c, submissions, filler, file="random")


@forgery
def check_verdicts(c):
    bob = first_row(c, submissions, version_condition(c, "bob"))
    change(c, qualifications, qualifications.c.submission_id == bob.id, passed=0)


@forgery
def check_reports(c):
    dot = first_row(c, submissions, version_condition(c, "dot"))
    other = Report(NAME, "dot.py", DIFFERENT, 0, ())
    change(c, qualifications, qualifications.c.submission_id == dot.id, report=other.to_json())


@forgery
def check_block_numbers(c):
    block, _ = queued_block(c)
    row = {column: value for column, value in block._mapping.items() if column != "id"}
    last = open_round(c).first_block + open_round(c).blocks
    c.execute(insert(blocks).values(row | {"number": last, "deal_seed": f"{deal_seed(9, last):032x}"}))


@forgery
def check_lineups(c):
    block, this = queued_block(c)
    change(c, blocks, this, lineup=msgspec.json.encode(msgspec.json.decode(block.lineup)[::-1]).decode())


@forgery
def check_seat_counts(c):
    *_, mine = custom_match(c)
    c.execute(seats.delete().where(mine, seats.c.seat == 1))


@forgery
def check_voids(c):
    once = first_row(c, blocks, blocks.c.voids == 1)
    c.execute(voids.delete().where(voids.c.block_id == once.id))


@forgery
def check_records(c):
    _, row, mine, _ = custom_match(c)
    told = zlib.decompress(row.record).decode().replace("\n1. 0 ", "\n1. 1 ")
    change(c, matches, mine, record=zlib.compress(told.encode()))


def replace(c, told):
    """Replace the custom match's record by another valid one, and everything that follows from it."""
    block, row, mine, taken = custom_match(c)
    found = record.parse(zlib.decompress(row.record).decode())
    changed = told(found, int(block.deal_seed, 16))
    lineup = [seat.submission_id for seat in c.execute(select(seats).where(taken).order_by(seats.c.seat))]
    kept = match_result(0, tuple(lineup), Match(changed, ("", ""), ("", "")), record.text(changed), row.tier, 0.1)
    change(c, matches, mine, record=zlib.compress(kept.record.encode()), reason=kept.reason)
    for seat, values in enumerate(kept.seats):
        derived = {name: getattr(values, name) for name in ("score", "place", "win_share", "forfeit", "rule", "moves")}
        change(c, seats, taken & (seats.c.seat == seat), **derived)


def other_record(found, of, seed):
    """A valid record of another game or deal among the same players, each playing the first legal action."""
    rules = game(of)
    state, actions = rules.deal(seed), []
    while not state.over:
        actions.append(int(rules.legal(state)[0]))
        rules.play(state, actions[-1])
    return record.Record(
        of, rules.rules.VERSION, found.seats, seed, tuple(actions), (), rules.result(state, frozenset())
    )


@forgery
def check_seat_lineups(c):
    *_, taken = custom_match(c)
    first, second = c.execute(select(seats).where(taken).order_by(seats.c.seat)).all()
    change(c, seats, taken & (seats.c.seat == 0), submission_id=second.submission_id)
    change(c, seats, taken & (seats.c.seat == 1), submission_id=first.submission_id)


@forgery
def check_disqualifications(c):
    assert c.execute(update(disqualifications).values(reason="It was rude.")).rowcount == 1


def last_entry(c):
    return c.execute(select(logs).where(logs.c.tournament_id == id_of(c, NAME)).order_by(logs.c.number.desc())).first()


def entry(c, which):
    return (logs.c.tournament_id == id_of(c, NAME)) & (logs.c.number == which)


@forgery
def check_numbers(c):
    last = last_entry(c).number
    change(c, logs, entry(c, last), number=last + 1)


@forgery
def check_kinds(c):
    found = first_row(c, logs, logs.c.kind == "tried", logs.c.tournament_id == id_of(c, NAME))
    change(c, logs, entry(c, found.number), kind="settled")


@forgery
def check_matches_store(c):
    found = first_row(c, tournaments, tournaments.c.name == NAME).limits
    change(c, tournaments, tournaments.c.name == NAME, limits=found.replace('"call":4.0', '"call":9.0'))


@forgery
def check_order(c):
    first, second = (first_row(c, logs, entry(c, which)) for which in (1, 2))
    change(c, logs, entry(c, 1), entry=second.entry, kind=second.kind)
    change(c, logs, entry(c, 2), entry=first.entry, kind=first.kind)
    before = log.FIRST_HEAD
    for row in c.execute(select(logs).where(logs.c.tournament_id == id_of(c, NAME)).order_by(logs.c.number)).all():
        before = log.next_head(before, row.entry)
        change(c, logs, entry(c, row.number), head=before)


def test_every_check_has_a_forgery():
    checks = [name for found in CHECKS.values() for name in found]
    assert len(checks) == len(set(checks))
    assert set(FORGERIES) == {*checks, "check_records"}


@pytest.fixture(scope="module")
def store(played):
    with open_store(played) as opened:
        yield opened


@pytest.fixture(scope="module")
def before(store):
    assert wrong(store) == set()
    return rows_of(store)


@pytest.mark.parametrize("check", first_fast(sorted(FORGERIES, key=lambda check: check not in VARIED), len(VARIED)))
def test_only_this_check_finds_its_forgery(store, before, check):
    with tampered(store, before, lambda c: FORGERIES[check](c), forge=check not in LOG):
        assert wrong(store) == {check}


def test_a_published_head_exposes_a_complete_forgery(store, before):
    from kibitz.arena.proof import proving

    tournament = store.tournament(NAME)
    head = store.log(NAME)[-1].head

    def asked():
        return [p for p in proving.proofs(store, tournament, season.pair, published=[head]) if not p.ok]

    assert asked() == []
    with tampered(
        store, before, lambda c: change(c, submissions, version_condition(c, "fay"), owner="zed"), forge=True
    ):
        assert wrong(store) == set()
        assert [proof.check for proof in asked()] == ["head"]
