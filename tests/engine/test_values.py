"""Every struct and dataclass of Kibitz is frozen, or listed here with the reason why not."""

import dataclasses
import importlib
import pkgutil

import msgspec
import pytest

import kibitz

MUTABLE = {
    "kibitz.arena.proof.checks.TournamentData": "read from the store, table by table, for a proof",
    "kibitz.arena.proof.checks.RoundData": "read from the store, table by table, for a proof",
    "kibitz.arena.proof.tournament_checks.PlayedMatch": "read from the store for a proof",
    "kibitz.cli.line_mode.local_table.CommandExit": "what a person who leaves the table has done by then",
    "kibitz.engine.contract.completeness.Coverage": "counted game by game",
    "kibitz.engine.contract.positions.SearchResult": "found line by line",
    "kibitz.games.poker.phh.exporter.HandDraft": "written action by action",
    "kibitz.marking.class_marking.FolderState": "counted student by student",
    "kibitz.players.files.archives.ByteBudget": "what is left for the next archive within",
    "kibitz.players.files.archives.SourceTree": "unpacked file by file",
    "kibitz.search.tree_search.Search": "simulated game by game",
    "kibitz.web.live_tables.bots.PlayerFiles": "holds the files that are seated, while they play",
    "kibitz.web.live_tables.lobby.Lobby": "tables come and go",
    "kibitz.web.app_state.AppState": "opened and closed as a whole",
    "kibitz.web.jobs.Job": "long work: its state, and what is known of it so far",
    "kibitz.web.live_tables.connection.Connection": "a connection: what it has been told so far",
    "kibitz.web.live_tables.seat_view.TableFacts": "who is there, whose clock runs",
    "kibitz.web.live_tables.seat_view.TableNote": "moves back with a choice that is taken back",
    "kibitz.web.jobs.SubmissionCheck": "a submission on its way",
}


def modules():
    """Every module of Kibitz except those that run something on import."""
    for found in pkgutil.walk_packages(kibitz.__path__, "kibitz."):
        if not found.name.endswith(".__main__"):
            yield found.name


def values():
    """Every struct and dataclass by its name, and whether it is frozen."""
    for name in modules():
        for kind in vars(importlib.import_module(name)).values():
            if isinstance(kind, type) and kind.__module__ == name:
                if issubclass(kind, msgspec.Struct):
                    yield f"{name}.{kind.__qualname__}", kind.__struct_config__.frozen
                elif dataclasses.is_dataclass(kind):
                    yield f"{name}.{kind.__qualname__}", kind.__dataclass_params__.frozen


@pytest.mark.long  # it imports everything
def test_every_struct_is_frozen_unless_listed():
    found = dict(values())
    assert len(found) > 150
    assert {name for name, frozen in found.items() if not frozen} == MUTABLE.keys()


def test_frozen_values_cannot_be_changed():
    view = kibitz.game("go").view(kibitz.game("go").deal(1), 0)
    with pytest.raises(AttributeError):
        view.player = 1
