"""The options of poker in words."""

from kibitz.engine.settings import Setting, count, switch
from kibitz.games.poker.betting import FIXED_LIMIT, NO_LIMIT, POT_LIMIT
from kibitz.games.poker.rules import ANTES, PACKS, SEATS, STACKS

OPTIONS = (
    count("players", "How many players?", "{} play."),
    count("hands", "How many hands?", "{} hands are played.", "One hand is played."),
    count(
        "stack", "With how many chips does everyone begin?", "Everyone begins with {} chips.", "Everyone has one chip."
    ),
    Setting(
        "limit",
        "How much may be bet?",
        {
            NO_LIMIT: "No limit: everyone may bet all their chips.",
            POT_LIMIT: "Pot limit: a raise is at most the pot as it is after the call.",
            FIXED_LIMIT: "Fixed limits: every bet and raise has the one size of its round.",
        },
    ),
    count(
        "cap",
        "With fixed limits, how many bets and raises has a round?",
        "With fixed limits a round has at most {} bets and raises.",
        "With fixed limits a round has one bet and no raise.",
    ),
    count("small", "How large is the small blind?", "The small blind is {}.", none="There is no small blind."),
    count("big", "How large is the big blind?", "The big blind is {}.", none="There is no big blind."),
    count("ante", "How large is the ante?", "Everyone pays an ante of {}.", none="There is no ante."),
    switch(
        "straddle",
        "Is there a straddle?",
        "Nobody straddles.",
        "The player after the big blind posts twice as much and acts last before the flop.",
    ),
    count("bet_size", "How large is the least bet?", "The least bet is {}.", none="The least bet is the big blind."),
    switch(
        "reopen",
        "Do short all-ins that together are a full raise reopen the betting?",
        "Short all-ins never reopen the betting to those who have acted.",
        "Short all-ins reopen the betting to those who face a full raise by them.",
    ),
    Setting(
        "dead_antes",
        "Are antes dead?",
        {
            0: "An ante is part of what a seat has paid for its chance of the pots.",
            1: "Antes are dead: they go to the pot whole, whoever has paid them.",
        },
        seldom=True,
    ),
    *(
        count(
            name,
            f"What does seat {seat} pay beyond everybody's ante?",
            f"Seat {seat} pays {{}} beyond everybody's ante.",
            none=f"Seat {seat} pays no ante beyond everybody's.",
            seldom=True,
        )
        for seat, name in enumerate(ANTES)
    ),
    Setting(
        "mucks",
        "Who mucks a losing hand unseen at the showdown?",
        {0: "Nobody mucks a hand unseen at the showdown."},
        "{} muck their losing hands unseen at the showdown.",
        tuple(f"seat {seat}" for seat in range(SEATS)),
        seldom=True,
    ),
    count(
        "scale",
        "How many chips are one unit of the money that was played for?",
        "One unit of the money that was played for is {} chips.",
        "Chips are counted as they are.",
        seldom=True,
    ),
    *(
        count(
            name,
            f"With how many chips does seat {seat} begin?",
            f"Seat {seat} begins with {{}} chips.",
            f"Seat {seat} begins with one chip.",
            none=f"Seat {seat} begins with as many chips as everyone.",
            seldom=True,
        )
        for seat, name in enumerate(STACKS)
    ),
    *(
        count(
            name,
            f"Which cards come first from the pack (part {part} of {len(PACKS)})?",
            f"Part {part} of the cards that come first from the pack is {{}}, two digits a card, the first card last.",
            none=f"Chance decides part {part} of the cards that come first from the pack.",
            seldom=True,
        )
        for part, name in enumerate(PACKS, 1)
    ),
)
