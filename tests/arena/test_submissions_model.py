"""Submitting against a small model: any order of files, clocks, custom games, freezes, rosters and withdrawals.

There are three tournaments, two of them of one game.  The model knows of each player the versions with their state,
their owner and the moment when they were judged, and says of every submission whether it must be accepted, refused
after a trial, or turned away.
"""

import hashlib
import tempfile
from contextlib import nullcontext
from pathlib import Path
from shutil import rmtree

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

import kibitz
from kibitz.arena.entry.custom_games import begin_custom
from kibitz.arena.entry.submissions import submit, tournament_of
from kibitz.arena.model import Listed
from kibitz.arena.store import open_store
from kibitz.errors import StoreError
from tests.arena.trials import Clock, verdict

GAMES = {
    "huxxy": kibitz.game("huxxy"),
    "huxxy-bonus": kibitz.game("huxxy-bonus"),
    "extra": kibitz.game("huxxy:hand_size=5"),
}
KINDS = {"huxxy": "standard", "huxxy-bonus": "bonus", "extra": "bonus"}
PLAYERS = ("Ann", "Ben", "Cem")
OWNERS = (None, None, "lee", "Ben")
ROSTERS = ({}, {"Ann": "lee", "Ben": "lee"}, {"Ann": "Ann"}, {"Cem": "oz", "Ben": "ben"})
FILES = ("good 1", "good 2", "good 3", "bad 1", "bad 2")
BUILT_IN = st.sampled_from(["first", "random"])
TEN_MINUTES = 600
"""Written out: the model must not believe the program in this."""


class Model:
    """What ought to be."""

    def __init__(self):
        self.versions = {(game, player): [] for game in GAMES for player in PLAYERS}
        self.frozen = set()
        self.begun = set()
        self.left = {}
        self.roster = {}

    def submit(self, game, player, content, asked, now):
        """What must become of a file."""
        versions = self.versions[game, player]
        accepted = [version for version in versions if version[1] == "accepted"]
        self.begun.add(game)
        listed = self.roster.get(player)
        if asked is not None and listed not in (None, asked):
            return "turned away"
        before = versions[0][3] if versions else None
        owner = asked or before or listed or player
        if game in self.frozen or before not in (None, owner):
            return "turned away"
        if (
            accepted
            and accepted[-1][0] == content
            and len(versions) - versions[::-1].index(accepted[-1]) > self.gone(game, player)
        ):
            return "turned away"
        if any(now - when < TEN_MINUTES for _, _, when, _ in [*accepted, *self.attempts(game, player, owner)]):
            return "turned away"
        state = "accepted" if content.startswith("good") else "refused"
        versions.append((content, state, now, owner))
        return state

    def attempts(self, game, player, owner):
        """All versions of an owner, where owners are given."""
        mine = self.roster.get(player, owner)
        theirs = [
            (other, version)
            for other in PLAYERS
            for version in self.versions[game, other]
            if self.roster.get(other, version[3]) == mine
        ]
        given = player in self.roster or mine != player or any(other != player for other, _ in theirs)
        return [version for _, version in theirs] if given else []

    def gone(self, game, player):
        """How many versions a player had when it left."""
        return self.left.get((game, player), 0)

    def withdraw(self, game, player):
        """Whether a player can leave."""
        versions = self.versions[game, player]
        if not versions or self.gone(game, player) == len(versions):
            return False
        self.left[game, player] = len(versions)
        return True

    def accepted_last(self, game):
        """Of every player the number of its last accepted version, from 1, and its file."""
        latest = {}
        for player in PLAYERS:
            for number, (content, state, _, _) in enumerate(self.versions[game, player], 1):
                if state == "accepted":
                    latest[player] = number, content
        return latest

    def playing(self, game):
        """Who plays with which file."""
        found = self.accepted_last(game)
        return {player: content for player, (number, content) in found.items() if number > self.gone(game, player)}


class Submitting(RuleBasedStateMachine):
    """The arena and its model, step by step."""

    def __init__(self):
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.clock = Clock(1_000_000)
        self.store = open_store(self.folder / "season.sqlite", clock=self.clock)
        self.model = Model()
        self.customs = 0

    def teardown(self):
        self.store.close()
        rmtree(self.folder)

    @rule(
        game=st.sampled_from(sorted(GAMES)),
        player=st.sampled_from(PLAYERS),
        content=st.sampled_from(FILES),
        owner=st.sampled_from(OWNERS),
    )
    def submit(self, game, player, content, owner):
        expected = self.model.submit(game, player, content, owner, self.clock.now)
        assert self.submitted(game, player, content, owner) == expected

    def submitted(self, game, player, content, owner):
        within = tournament_of(self.store, GAMES[game], name=game) if game == "extra" else None
        about = {"content": content.encode(), "owner": owner, "within": within, "tried_by": verdict}
        try:
            done = submit(self.store, GAMES[game], "x.py", player, **about)
        except StoreError as error:
            return "turned away" if error.kind == "refused" else error.kind
        return done.submission.state

    @rule(roster=st.sampled_from(ROSTERS))
    def take_over_a_roster(self, roster):
        self.model.roster = roster
        self.store.replace_roster([Listed(player, owner) for player, owner in roster.items()])

    @rule(game=st.sampled_from(sorted(GAMES)), player=st.sampled_from(PLAYERS))
    def withdraw(self, game, player):
        expected = self.model.withdraw(game, player)
        with nullcontext() if expected else pytest.raises(StoreError):
            self.store.withdraw(game, player)

    @rule(seconds=st.sampled_from([0.001, 1, 299, 300, 599.999, 600, 3600, -1, -300, -600, -86400]))
    def set_the_clock(self, seconds):
        self.clock.now += seconds

    @rule(game=st.sampled_from(sorted(GAMES)))
    def freeze(self, game):
        if game in self.model.begun:
            self.store.enter_phase(game, "frozen")
            self.model.frozen.add(game)

    @rule(game=st.sampled_from(sorted(GAMES)))
    def thaw(self, game):
        if game in self.model.frozen:
            self.store.enter_phase(game, "open")
            self.model.frozen.discard(game)

    @rule(game=st.sampled_from(sorted(GAMES)), words=st.lists(BUILT_IN, min_size=1, max_size=3))
    def play_a_custom_game(self, game, words):
        mine = sorted(self.model.accepted_last(game))
        tournament = begin_custom(self.store, GAMES[game], [*words, *mine], 1, within=game)
        self.customs += 1
        assert tournament.kind == "custom"

    @invariant()
    def who_plays_is_who_was_accepted_last(self):
        for game in self.model.begun:
            playing = {one.player: one.submission for one in self.store.entrants(game)}
            found = {player: self.store.content(number).decode() for player, number in playing.items()}
            assert found == self.model.playing(game)

    @invariant()
    def every_version_is_kept_in_its_own_tournament(self):
        for game in self.model.begun:
            found = [(one.player, one.sha256, one.state) for one in self.store.submissions(game)]
            wanted = [
                (player, hashlib.sha256(content.encode()).hexdigest(), state)
                for player in PLAYERS
                for content, state, _, _ in self.model.versions[game, player]
            ]
            assert sorted(found) == sorted(wanted)

    @invariant()
    def tournaments_are_kept_apart(self):
        found = self.store.tournaments()
        assert {one.name: one.kind for one in found if one.kind != "custom"} == {
            game: KINDS[game] for game in self.model.begun
        }
        assert sum(one.kind == "custom" for one in found) == self.customs
        for game in self.model.begun:
            assert self.store.rounds(game) == (), "a custom game is no game of a season"


TestSubmitting = Submitting.TestCase
TestSubmitting.settings = settings(max_examples=5, stateful_step_count=25)
