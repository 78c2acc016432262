"""What no position of the contract shows, and why: see ``kibitz.engine.contract.cover``."""

EXCLUSIONS = {
    "groups.is_run: others & others - 1 == 0, true": (
        "rare: Aces with one other card or none are no group, and few of the actions that are refused are asked for"
    ),
    "groups.is_run: black_gaps == size(cards & SUITS_OF_COLOUR[1]), false": (
        "red and black cards alternate, so a run whose red cards fit has black ones that fit"
    ),
    "groups.is_kind: cards & cards - 1 == 0, true": "a single card is found valid before anybody asks for its kind",
    "groups.score: is_run(cards), false": "a valid group that is no single card and no kind is a run",
}
