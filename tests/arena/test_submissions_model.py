"""Submitting against a small model: any order of files, clocks, custom games and freezes, in two tournaments.

The model knows of each player the versions with their state and the moment of their acceptance, and says of every
submission whether it must be accepted, refused after a trial, or turned away.
"""

import hashlib
import tempfile
from pathlib import Path
from shutil import rmtree

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

import kibitz
from kibitz.arena.customs import begin_custom
from kibitz.arena.store import open_store
from kibitz.arena.submissions import submit
from kibitz.errors import StoreError
from tests.arena.trials import Clock, verdict

GAMES = {name: kibitz.game(name) for name in ("huxxy", "huxxy-bonus")}
KINDS = {"huxxy": "standard", "huxxy-bonus": "bonus"}
PLAYERS = ("Ann", "Ben")
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

    def submit(self, game, player, content, now):
        """What must become of a file."""
        versions = self.versions[game, player]
        accepted = [version for version in versions if version[1] == "accepted"]
        self.begun.add(game)
        if game in self.frozen:
            return "turned away"
        if accepted and accepted[-1][0] == content:
            return "turned away"
        if any(now - when < TEN_MINUTES for _, _, when in accepted):
            return "turned away"
        state = "accepted" if content.startswith("good") else "refused"
        versions.append((content, state, now))
        return state

    def playing(self, game):
        """Who plays with which file."""
        latest = {}
        for player in PLAYERS:
            for content, state, _ in self.versions[game, player]:
                if state == "accepted":
                    latest[player] = content
        return latest


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

    @rule(game=st.sampled_from(sorted(GAMES)), player=st.sampled_from(PLAYERS), content=st.sampled_from(FILES))
    def submit(self, game, player, content):
        expected = self.model.submit(game, player, content, self.clock.now)
        assert self.submitted(game, player, content) == expected

    def submitted(self, game, player, content):
        try:
            done = submit(self.store, GAMES[game], "x.py", player, content=content.encode(), tried_by=verdict)
        except StoreError as error:
            return "turned away" if error.kind == "refused" else error.kind
        return done.submission.state

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
        mine = sorted(self.model.playing(game))
        tournament = begin_custom(self.store, GAMES[game], [*words, *mine], 1)
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
                for content, state, _ in self.model.versions[game, player]
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
TestSubmitting.settings = settings(max_examples=15, stateful_step_count=25)
