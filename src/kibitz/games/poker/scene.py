"""The scene of a poker table: hands, the board, chips and bets; a bet is entered as a word and an amount."""

from collections.abc import Sequence

from kibitz.cards import code
from kibitz.engine.scene import Fact, Part, Row, Scene, Spot, Summary, Zone, amount, button, card
from kibitz.engine.scene.elements import bare_label, by_seat, face_up, hand, owner, spots
from kibitz.engine.sentences import Names, counted, verb
from kibitz.engine.views.events import Event
from kibitz.games.poker.rules import CALL, DISCARD, FOLD, RAISE
from kibitz.games.poker.view import HandEnded, LastHand, Mucked, PokerView, Showed, Won
from kibitz.games.poker.words import discarded_cards, hand_text, label, street_name, text


def scene(view: PokerView, names: Names) -> Scene:
    """The scene of a position; once the session is over, the last hand, as far as it was shown."""
    last = view.last if view.over else None
    board = last.board if last else view.board
    zones = [face_up("board", "Board", board, where="on")] if view.setup.streets > 1 and not view.setup.draw else []
    for p in range(view.setup.players):
        zones.append(shown_down(last, p, names) if last else held(view, p, names))
        if p == view.seat and view.own_discards:
            zones.append(face_up(f"thrown{p}", f"{owner(p, names)} discards", view.own_discards, p, where="among"))
    facts = [Fact("Hand", f"{min(view.hands_played + 1, view.setup.hands)} of {view.setup.hands}")]
    street = street_name(view)
    round_fact = Fact("Round", street[6:]) if street.startswith("round ") else Fact("Street", street)
    facts += [] if view.over else [round_fact, Fact("Pot", str(view.pot))]
    facts += by_seat("Chips", view.chips) + by_seat("Bet", view.bets, 0)
    facts += by_seat("State", [state_of(view, p) for p in range(view.setup.players)], "")
    facts += by_seat("Drew", view.discards)
    return Scene(tuple(zones), tuple(facts))


def state_of(view: PokerView, p: int) -> str:
    """A seat's status besides its chips and cards."""
    if p not in view.dealt and not view.chips[p]:
        return "out of chips"
    parts = ["button"] if p == view.button else []
    if not view.over:
        parts += ["folded"] if p not in view.live else [] if view.chips[p] else ["all in"]
    return ", ".join(parts)


def shown_down(last: LastHand, p: int, names: Names) -> Zone:
    """The cards that a seat showed in the last hand, if any."""
    return hand(p, last.shown[p], 0, names)


def held(view: PokerView, p: int, names: Names) -> Zone:
    """The hand of a seat, face down unless it is the viewer's."""
    if p == view.seat and view.hand:
        return hand(p, view.hand, 0, names, hand_text(view.hand, view.board))
    return hand(p, None, view.setup.hole if p in view.live else 0, names)


def parts(view: PokerView, action: int) -> tuple[Part, ...]:
    """What people pick for an action: a button, with an amount if there is a choice of amounts, or the discards."""
    word = text(view, action).partition(" ")[0]
    if action in (FOLD, CALL, DISCARD):
        return (button(word, bare_label(label(view, action))),)
    if action < RAISE:
        return tuple([card(f"hand{view.player}:{code(discard)}") for discard in discarded_cards(view, action)])
    least, most = view.turn.min_raise_to, view.turn.max_raise_to
    if least == most:
        return (button(word, bare_label(label(view, action))),)
    return button(word, f"{word} to" if view.turn.high else word), amount(action - RAISE, least, most)


def summary(events: Sequence[Event], seat: int, names: Names) -> Summary:
    """The result of a hand: who wins how much, with the cards that were shown, and everybody's chips."""
    (ended,) = [event for event in events if isinstance(event, HandEnded)]
    shows = {event.seat: event for event in events if isinstance(event, Showed)}
    mucks = {event.seat: [verb(event.seat, seat, "muck", "mucks")] for event in events if isinstance(event, Mucked)}
    wins: dict[int, list[str]] = {}
    for won in [event for event in events if isinstance(event, Won)]:
        pot = "a side pot" if won.pot else "the pot"
        for p, chips in zip(won.winners, won.shares, strict=True):
            wins_it = f"{verb(p, seat, 'win', 'wins')} {pot} of {chips}"
            shares_it = f"{verb(p, seat, 'share', 'shares')} {pot}: {chips}"
            wins.setdefault(p, []).append(wins_it if len(won.winners) == 1 else shares_it)
    rows = []
    for p in dict.fromkeys([*wins, *shows, *mucks, *range(len(names))]):
        shown: tuple[Spot, ...]
        shown, note, result = (), "", " and ".join((wins | mucks).get(p, []))
        if p in shows:
            shown = spots(f"shown{p}", shows[p].cards, "shown")
            note = hand_text(shows[p].cards, shows[p].board)
        elif p in wins:
            note = "everybody else has folded"
        if shown or result or ended.chips[p]:
            rows.append(Row(names[p], shown, note, (), result, counted(ended.chips[p], "chip")))
    boards = [face_up("board", "Board", show.board, where="on") for show in shows.values() if show.board]
    return Summary(f"Hand {ended.number + 1}", tuple(rows), tuple(boards[:1]))
