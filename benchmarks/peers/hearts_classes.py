"""Hearts as a student would write it in classes, from the written rules alone: cards are pairs of a rank and a suit."""

RANKS = "234567890JQKA"


def rank(card):
    return RANKS.index(card[0])


def points(card):
    return 13 if card == "QS" else int(card[1] == "H")


class Hearts:
    """One deal: ``hands`` are lists of cards; ``number`` cards are passed ``steps`` seats on, none if that is 0."""

    def __init__(self, hands, steps, number):
        self.hands = [list(hand) for hand in hands]
        self.steps = steps
        self.number = number if steps else 0
        self.chosen = [[] for _ in hands]
        self.points = [0] * len(hands)
        self.trick = []
        self.tricks = 0
        self.broken = False
        self.player = 0
        self.over = False
        if not steps:
            self.begin()

    @property
    def passing(self):
        return any(len(cards) < self.number for cards in self.chosen)

    def begin(self):
        self.player = next(p for p, hand in enumerate(self.hands) if "2C" in hand)

    def legal(self):
        if self.over:
            return []
        hand = self.hands[self.player]
        if self.passing:
            return [card for card in hand if card not in self.chosen[self.player]]
        if not self.trick:
            if self.tricks == 0:
                return ["2C"]
            others = [card for card in hand if card[1] != "H"]
            return hand if self.broken or not others else others
        suited = [card for card in hand if card[1] == self.trick[0][1][1]]
        cards = suited or hand
        if self.tricks == 0:
            return [card for card in cards if points(card) == 0] or cards
        return cards

    def play(self, card):
        player = self.player
        self.player = (player + 1) % len(self.hands)
        if self.passing:
            self.chosen[player].append(card)
            if not self.passing:
                self.pass_on()
            return
        self.hands[player].remove(card)
        self.trick.append((player, card))
        self.broken = self.broken or card[1] == "H"
        if len(self.trick) == len(self.hands):
            self.end_trick()

    def pass_on(self):
        for player, cards in enumerate(self.chosen):
            self.hands[player] = [card for card in self.hands[player] if card not in cards]
        for player, cards in enumerate(self.chosen):
            self.hands[(player + self.steps) % len(self.hands)].extend(cards)
        self.begin()

    def end_trick(self):
        led = self.trick[0][1][1]
        winner, _ = max((pair for pair in self.trick if pair[1][1] == led), key=lambda pair: rank(pair[1]))
        self.points[winner] += sum(points(card) for _, card in self.trick)
        self.player = winner
        self.trick = []
        self.tricks += 1
        self.over = not self.hands[winner]

    @property
    def scores(self):
        total = sum(self.points)
        if total in self.points:
            return [0 if points == total else total for points in self.points]
        return self.points
