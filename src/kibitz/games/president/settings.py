"""The options of President in words (rule sheet "president", choices 5, 6 and 7, and the report's wish list)."""

from kibitz.engine.settings import Setting, count, switch
from kibitz.games.president.trading import BY_RANK, NAMED, REQUESTED

OPTIONS = (
    count("players", "How many players?", "{} play."),
    count(
        "rounds",
        "How many rounds?",
        "{} rounds are played, and cards are traded before each but the first.",
        "One round is played, without any trade.",
    ),
    Setting(
        "fives",
        "Which kinds of five cards count?",
        {0: "No kind of five cards counts: moves have one to four cards."},
        "{} count.",
        ("straights", "flushes", "full houses", "four of a kind with one more card", "straight flushes"),
    ),
    switch(
        "pass_locks",
        "Who may play after a pass?",
        "Who has passed may play again in the same trick.",
        "Who has passed is out of it until the trick ends.",
    ),
    Setting(
        "upper_names",
        "How are cards traded?",
        {
            BY_RANK: "By rank: the lower player gives the highest cards, and only the two see what they trade.",
            NAMED: "Blind request: the upper player asks aloud for a card, in vain if the lower one does not hold it.",
            REQUESTED: "Request without fail: the upper player asks for a card or a value until one is given; all see "
            "every card.",
        },
    ),
    Setting(
        "traded",
        "How many cards do President and Bum trade?",
        {1: "President and Bum trade one card.", 2: "President and Bum trade two cards."},
    ),
    switch(
        "points",
        "What decides the match?",
        "Only the last round counts.",
        "The points of all rounds are added up.",
    ),
    switch(
        "leftovers",
        "What of the cards that cannot be shared out equally?",
        "They are put aside unseen.",
        "They go, one card each, to those who sit last.",
    ),
)
