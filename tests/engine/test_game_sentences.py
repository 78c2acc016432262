"""The sentences of games change only on purpose: one example of each form of sentence is kept.

The files in ``said`` are a catalogue: what the acting seat, another seat and a spectator read, the prompts, and
the labels and texts of choices, as first met in games of random actions and in some
of a player.  Forms differ in more than cards, numbers and
names.  ``python -m tests.engine.test_game_sentences`` rewrites the files; read the difference before you commit it.
"""

import re
from pathlib import Path
from random import Random

import pytest

from kibitz.engine.registry import all_games
from kibitz.engine.sentences import names_for
from kibitz.engine.views.events import SPECTATOR, to_seat
from kibitz.players.built_in import reproducible_players, uniform
from tests.tiers import tiered

SAID = Path(__file__).parent / "said"
GAMES = {game.name: game for game in all_games()}
PEOPLE = ("Ann", "Ben", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon")
SEEDS = range(2**80, 2**80 + 4)
STEPS = 150
"""Number of actions per game that are recorded, besides its end."""
SPELT = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen"
    " nineteen twenty"
)
FORM = (
    (re.compile("(?:10|[A2-9JQK])[♠♥♦♣]|XX"), "□"),
    (re.compile("□(?: □)+"), "□"),
    (re.compile(r"\b(?:[A02-9TJQK][SHDC]|XX)\b"), "□"),
    (re.compile(rf"\b(?:{'|'.join(PEOPLE)})\b"), "N"),
    (re.compile(r"[+-]?\d+"), "#"),
    (re.compile(rf"\b(?:twenty-)?(?:one|{SPELT.replace(' ', '|')}|jack|queen|king|ace)(?:e?s)?\b", re.IGNORECASE), "#"),
    (re.compile(r"[□N#](?:,? (?:and )?[□N#])+"), "□"),
)


def form(sentence: str) -> str:
    """A sentence with placeholders for its cards, numbers and names."""
    for pattern, place in FORM:
        sentence = pattern.sub(place, sentence)
    return sentence


class Catalogue:
    """The first example of each form, by heading."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, str], str] = {}

    def add(self, heading: str, sentence: str) -> None:
        self.found.setdefault((heading, form(sentence)), sentence)

    def text(self) -> str:
        headings = sorted({heading for heading, _ in self.found})
        parts = [[each for (about, _), each in self.found.items() if about == heading] for heading in headings]
        blocks = zip(headings, parts, strict=True)
        return "\n".join(f"{heading}\n" + "".join(f"  {line}\n" for line in lines) for heading, lines in blocks)


def catalogue(game) -> str:
    """The catalogue of some games, every other one of random actions."""
    names, found = PEOPLE[: game.seats], Catalogue()
    for seed in SEEDS:
        choose = uniform if seed % 2 else reproducible_players(game).get("quick", uniform)
        state, random, step = game.deal(seed), Random(seed), 0
        add_events(game, found, game.opening(state), 0, names)
        while not state.over:
            seat, legal = state.player, game.legal(state)
            view = game.view(state, seat)
            action = choose(view, legal, random)
            if step < STEPS:
                add_prompt(game, found, view, random.sample(legal, min(12, len(legal))))
            notices = game.play(state, action)
            if step < STEPS or state.over:
                add_events(game, found, notices, seat, names)
            step += 1
    return found.text()


def add_prompt(game, found: Catalogue, view, legal: list[int]) -> None:
    """Add the prompt and the choices of the seat to move."""
    found.add("asked", game.words.prompt(view))
    for action in legal:
        found.add("a choice", f"{game.text(view, action)} = {game.words.label(view, action)}")


def add_events(game, found: Catalogue, notices, seat: int, names) -> None:
    """Add the sentences of a step for the acting seat, the next one and a spectator."""
    listeners = {"who acts is told": seat, "another is told": (seat + 1) % game.seats, "all are told": SPECTATOR}
    for heading, who in listeners.items():
        for event in to_seat(notices, who):
            found.add(heading, game.describe(event, who, names_for(who, list(names))))


@pytest.mark.parametrize("name", tiered(GAMES))
def test_sentences_match_the_catalogue(name):
    assert catalogue(GAMES[name]) == (SAID / f"{name}.txt").read_text(encoding="utf-8")


def test_no_catalogue_is_left_of_a_removed_game():
    assert {path.stem for path in SAID.iterdir()} == set(GAMES)


if __name__ == "__main__":
    SAID.mkdir(exist_ok=True)
    for name, one in GAMES.items():
        (SAID / f"{name}.txt").write_text(catalogue(one), encoding="utf-8")
