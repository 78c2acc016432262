"""The example calls that the assignment publishes, each with a judge that wants the published result.

    game        the tables of the calls: two packs, four players
    deal        the table of most calls: every stockpile still has its eight cards

The types are those published (``kibitz.games.published``), tuples where the assignment has tuples.
Arguments are written out for each call, so that a function that changes one spoils no other.
"""

from typing import Any

from kibitz.engine.form import Example, exactly

NO_PLAY = (3, None, (None, None))

Pile = list[str]
Piles = tuple[Pile, Pile, Pile, Pile]
Table = tuple[Piles, Piles, Piles, Piles]


def builds(first: Pile | None = None, second: Pile | None = None) -> Piles:
    """The four build piles, the last of them empty."""
    return (first or [], second or [], [], [])


def discards(owner: int | None = None, pile: tuple[str, ...] = ()) -> Table:
    """Everybody's discard piles: empty, but for the first pile of ``owner``."""
    first, second, third, fourth = (builds(list(pile) if p == owner else None) for p in range(4))
    return first, second, third, fourth


def validity(
    expected: int,
    play: Any,
    hand: str,
    top: str,
    on_discards: Table,
    on_builds: Piles,
    second: str = "0D",
) -> Example:
    """A call for player 0, whose stockpile shows ``top``; that of player 1 shows ``second``."""
    stockpiles = ((top, 8), (second, 8), ("3H", 8), ("KD", 8))
    arguments = (play, 0, hand.split(), stockpiles, on_discards, on_builds)
    return Example("comp10001bo_is_valid_play", arguments, exactly(expected))


def play(expected: Any, player: int, top: tuple[str, int], pile: str, history: list[tuple[int, Any]]) -> Example:
    """A call for a player without hand cards, while player 1 shows ``top`` and one build pile has begun."""
    stockpiles = (("7H", 7), top, ("3H", 8), ("KD", 8))
    arguments: tuple[Any, ...] = (player, [], stockpiles, discards(0, ("7H",)), builds(pile.split()), history)
    return Example("comp10001bo_play", arguments, exactly(expected))


def from_stock(card: str) -> Any:
    """A stockpile card to the first build pile."""
    return 2, card, (0, 0)


MATCH_BUILD: tuple[tuple[str, list[str], bool], ...] = (
    ("2S", [], True),
    ("3C", ["2C"], True),
    ("AH", ["2D", "3H"], True),
    ("3H", ["2D", "3H"], False),
    ("4C", ["2D", "3H"], False),
)
"""Card, build pile and whether it matches."""

MATCH_DISCARD: tuple[tuple[tuple[Any, ...], int], ...] = (
    (("4S", [], 2, 2), 2),
    (("4S", [], 2, 0), 0),
    (("4S", [], 2, 2, False), 0),
    (("4S", ["3H"], 2, 2), 1),
    (("4S", ["3H"], 2, 3), 1),
    (("4S", ["3H"], 2, 3, False), 1),
    (("AH", ["KS"], 2, 3), 0),
    (("2H", ["KS"], 2, 3), 1),
)
"""Arguments and verdict."""

WITH_2, WITH_3 = "2C AS 9D 0D 0S", "3C AS 9D 0D 0S"
"""The hands of most calls."""

VALIDITY = (
    validity(1, (0, "2C", (0, 0)), WITH_2, "9C", discards(), builds()),
    validity(0, (0, "2C", (0, 0)), WITH_3, "9C", discards(), builds()),
    validity(0, (0, "3C", (0, 0)), WITH_3, "9C", discards(), builds()),
    validity(1, (0, "3C", (0, 0)), WITH_3, "9C", discards(), builds(["2S"])),
    validity(1, (2, "2C", (0, 1)), WITH_3, "2C", discards(), builds(["2S"])),
    validity(0, (2, "2H", (0, 1)), WITH_3, "2C", discards(), builds(["2S"])),
    validity(0, (2, "2H", (0, 1)), WITH_3, "2C", discards(), builds(["2S"]), second="2H"),
    validity(1, (2, "QC", (0, 1)), WITH_3, "QC", discards(), builds([], ["KS"])),
    validity(1, (2, "KC", (0, 1)), WITH_3, "KC", discards(), builds()),
    validity(1, (1, ("2C", (1, 0)), (0, 1)), WITH_3, "2C", discards(1, ("3C", "2C")), builds(["2S"])),
    validity(0, (1, ("3C", (1, 0)), (0, 1)), WITH_3, "2C", discards(1, ("3C", "2C")), builds(["2S"])),
    validity(0, (1, ("2C", (1, 0)), (0, 0)), WITH_3, "2C", discards(1, ("3C", "2C")), builds(["2S"])),
    validity(2, (0, "9D", (1, (0, 0))), "AS 9D 0D 0S", "9C", discards(0, ("5S",)), builds()),
    validity(0, NO_PLAY, "AS 9D 0S", "9C", discards(0, ("5S",)), builds()),
    validity(3, NO_PLAY, "", "9C", discards(0, ("5S",)), builds()),
    validity(0, (1, ("2C", (1, 0)), (1, (1, 0))), WITH_3, "2C", discards(1, ("3C", "2C")), builds(["2S"])),
)
"""Calls of ``comp10001bo_is_valid_play``."""

OPENING = [(0, from_stock("2C"))]
TURN_OF_1 = [*OPENING, (0, NO_PLAY), (1, from_stock("3C"))]
PLAYS = (
    play(NO_PLAY, 0, ("3C", 8), "2C", OPENING),
    play(from_stock("3C"), 1, ("3C", 8), "2C", TURN_OF_1),
    play(from_stock("4S"), 1, ("4S", 7), "2C 3C", TURN_OF_1),
    play(from_stock("3S"), 1, ("3S", 6), "2C 3C 4S", [*TURN_OF_1, (1, from_stock("4S"))]),
    play(NO_PLAY, 1, ("0D", 5), "2C 3C 4S 3S", [*TURN_OF_1, (1, from_stock("4S")), (1, from_stock("3S"))]),
)
"""Calls of ``comp10001bo_play``; in each only one answer is legal."""

EXAMPLES: tuple[Example, ...] = (
    *(Example("comp10001bo_match_build", (card, pile), exactly(right)) for card, pile, right in MATCH_BUILD),
    *(Example("comp10001bo_match_discard", arguments, exactly(verdict)) for arguments, verdict in MATCH_DISCARD),
    *VALIDITY,
    *PLAYS,
)
"""All of them."""
