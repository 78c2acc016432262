"""What no position of the contract shows, and why: see ``kibitz.engine.contract.cover``."""

CRIB = "rare: a crib is shown only for a moment, unless the game ends with it"

UNMET = {
    "Reason.ONE_CARD": "said of what people type, by parse_action; no action names two cards",
    "fold.fold_count: event.points, false": "what ends a count without a point is told otherwise",
    "fold.restore: not seen.laying, true": CRIB,
    "fold.restore_crib: seen.crib[:seen.discards], false": CRIB,
    "view.Telling.lay: s.away[1 - p], false": "before both have laid cards away there is no starter to ask about",
    "show.in_words: rest, false": "rare: no card of a hand counts; tests of the show go through all",
    "show.counted: cards.count(card) > 1, true": "no card is in a pack twice; hands typed by people may have it so",
    "words.count_text: ['all cards are played'], false": "a list with something in it is true",
}
