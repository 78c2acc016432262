"""Hands in PHH, the open file format of poker hand histories: exports and imports records.

    p1, p2, ...     the players, the first one to the left of the button first
    d dh, d db      hole cards and board cards are dealt; ``????`` are unrecorded cards
    f, cc, cbr n    fold, check or call, bet or raise to n; ``sm`` show or muck
    PHHS            several hands in one file, each in a table of its own

Of Kibitz's games, PHH has no-limit (NT) and fixed-limit hold'em (FT). A hand that is read becomes a record with a
stacked pack, since no seed deals the cards of another table.

Source: Juho Kim, "Recording and Describing Poker Hands", IEEE CoG 2024.
"""

from kibitz.games.poker.phh.exporter import export_record
from kibitz.games.poker.phh.importer import hands_of, import_hand, import_hands, record_of_fields
from kibitz.games.poker.phh.tokens import unknown_seats

__all__ = ["export_record", "hands_of", "import_hand", "import_hands", "record_of_fields", "unknown_seats"]
