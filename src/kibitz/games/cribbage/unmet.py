"""What no position of the contract shows, and why: see ``kibitz.engine.contract.cover``."""

UNMET = {
    "Reason.ONE_CARD": "said of what people type, by parse_action; no action names two cards",
    "fold.fold_count: event.points, false": "a count of 31 has been scored with its last card, which ends it otherwise",
    "fold.restore: not seen.laying, true": "rare: a crib is shown only for a moment unless the game ends there",
    "fold.restore_crib: seen.crib[:seen.discards], false": "rare: a crib is shown only for a moment unless the game ends",
    "view.Telling.lay: s.away[1 - p], false": "before both have laid cards away there is no starter to ask about",
    "show.in_words: rest, false": "rare: a hand without a single card that counts; tests of the show go through all hands",
    "show.counted: cards.count(card) > 1, true": "no card is in a pack twice; hands typed by people may have it so",
    "words.count_text: ['all cards are played'], false": "a list with something in it is true",
}
