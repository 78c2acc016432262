"""What no position of the contract shows, and why: see ``kibitz.engine.contract.cover``."""

LATE = "rare: cards come back late in a game; the odds of the mini variant are exact"
ACES = "rare: a card is drawn anew that an Ace seen forbids; the odds of the mini variant are exact"
END = "rare: all seats pass and the draw pile is empty; tests of the rules set this up"

EXCLUSIONS = {
    "beliefs.resample: fair(s, seat, n), false": LATE,
    "beliefs.fair: s.since[place] <= epoch, true": LATE,
    "beliefs.fair: s.since[place] <= epoch (2), true": LATE,
    "beliefs.fair: s.entered[s.gift[place]] <= epoch, false": LATE,
    "beliefs.fair: below(s, most - k) >= most - k - spare, true": LATE,
    "beliefs.choose_gifts: not s.aces[place] >> (card & 1) & 1, true": ACES,
    "plays.source_card: s.stocked[s.player] == 0, true": "who has emptied the stockpile has won, and is not to move",
    "rules.next_turn: s.passes >= s.players, true": END,
    "rules.next_turn: s.drawable == 0, true": END,
    "rules.next_turn: s.drawable == 0, false": END,
    "view.outcome: s.round == s.rounds, false": END,
    "words.card_at: pile, false": "no legal action takes a card from where none is",
    "words.card_at: card is None, true": "no legal action takes a card from where none is",
}
