"""What no position of the contract shows, and why: see ``kibitz.engine.contract.cover``."""

FLUSH = "rare: four cards of a suit in a crib; tests of the show count every hand and crib"

EXCLUSIONS = {
    "Reason.ONE_CARD": "said of what people type, by parse_action; no action names two cards",
    "show.in_words: rest, false": "rare: no card of a hand counts; tests of the show go through all",
    "counting.suit_points: crib, true": FLUSH,
    "show.flushes: crib, true": FLUSH,
    "scoring.worth: missing > 2 * SKUNK, true": "rare: whoever loses has less than half; a test says the sentences",
    "words.describe: worth > 1, true": "rare: whoever loses has less than three quarters; a test says the sentences",
    "show.counted: cards.count(card) > 1, true": "no card is in a pack twice; hands typed by people may have it so",
    "words.count_text: ['all cards are played'], false": "a list with something in it is true",
}
