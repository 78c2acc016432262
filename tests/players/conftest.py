"""Matches with a hostile file, and a check that no match leaks processes or descriptors."""

import gc
import os
from dataclasses import replace

import pytest

import kibitz
from kibitz.players.file_player import FilePlayer
from kibitz.players.isolation import fork_server_client
from kibitz.players.isolation.fork_server import child_pids
from kibitz.players.limits import Limits
from kibitz.table.match import play_match

HONEST = """
def comp10001go_play(discard_history, player_no, hand):
    return hand[0]

def comp10001go_group(discard_history, player_no):
    return [[turn[player_no]] for turn in discard_history]
"""
SOUND_BO = """
VALUES = 'A234567890JQK'
STARTS, TURNS = 'K2', 11

def is_red(card):
    return card[1] in 'DH'

def builds_on(card, pile):
    if not pile:
        return card[0] in STARTS
    gap = abs(VALUES.index(card[0]) - VALUES.index(pile[-1][0]))
    return is_red(card) == is_red(pile[-1]) and (card[0] == 'A' or gap == 1)

def follows(card, top):
    gap = abs(VALUES.index(card[0]) - VALUES.index(top[0]))
    return card[0] != 'A' and top[0] != 'A' and is_red(card) != is_red(top) and gap in (1, TURNS)

def comp10001bo_play(player_no, hand, stockpiles, discard_piles, build_piles, play_history):
    for card in hand:
        if card[0] != 'A':
            return 0, card, (1, (player_no, len(play_history) % 4 if discard_piles[player_no][0] else 0))
    top = stockpiles[player_no][0]
    sources = [(0, card, card, None) for card in hand] + [(2, top, top, None)]
    shown = [(owner, k, pile) for owner, piles in enumerate(discard_piles) for k, pile in enumerate(piles) if pile]
    sources += [(1, (pile[-1], (owner, k)), pile[-1], (owner, k)) for owner, k, pile in shown]
    for play_type, source, card, here in sources:
        for k, pile in enumerate(build_piles):
            if builds_on(card, pile):
                return play_type, source, (0, k)
        for owner, k, pile in shown:
            if (owner, k) != here and follows(card, pile[-1]):
                return play_type, source, (1, (owner, k))
    return 3, None, (None, None)
"""


def honest_bo(top):
    """A file that plays Bo without failing if the highest card has the value ``top``."""
    return SOUND_BO.replace("'K2', 11", f"'{'A234567890JQK'[top - 1]}2', {top - 2}")


HONEST_BO = honest_bo(13)
BAD_SEAT = 1
QUICK = Limits(load=0.4, call=0.3, bank=1.0, wall_factor=1.0, wall_floor=0.4, memory=128 << 20)
AT_WORK = replace(QUICK, wall_floor=5.0)
"""For files that work without pause: a machine that stalls for a moment does not make them idle."""
ROOMY = Limits(memory=128 << 20)
GO, BO = kibitz.game("go"), kibitz.game("bo")


def match_with(source, limits=ROOMY, game=GO, seed=1):
    """A match with one file in seat 1 and honest ones in all others."""
    honest = HONEST if game is GO else HONEST_BO
    players = [FilePlayer(f"player {seat}", "honest.py", honest) for seat in range(game.seats)]
    players[BAD_SEAT] = FilePlayer("bad", "bad.py", source, limits)
    return play_match(game, players, seed)


def go_with(body, top=""):
    """A Go file whose play function has this body."""
    lines = "\n".join("    " + line for line in body.splitlines())
    head = f"{top}\n{HONEST}\nhonest = comp10001go_play\n"
    return f"{head}\ndef comp10001go_play(discard_history, player_no, hand):\n{lines}\n"


def own_fds():
    return {fd: os.readlink(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd") if is_open(fd)}


def is_open(fd):
    try:
        os.readlink(f"/proc/self/fd/{fd}")
    except OSError:
        return False
    return True


@pytest.fixture(scope="module", autouse=True)
def freeze_old_objects():
    """Exclude the objects of earlier tests from garbage collection, which would be slow before and after each test."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def no_leaks(freeze_old_objects):
    """No process or descriptor outlives a game."""
    server = fork_server_client.client()
    gc.collect()
    fds, others = own_fds(), child_pids(os.getpid())
    yield
    gc.collect()
    assert child_pids(fork_server_client.client().pid) == set()
    if fork_server_client.client() is server:
        assert own_fds() == fds
        assert child_pids(os.getpid()) == others
