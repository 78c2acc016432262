"""Which options of a poker game go together."""

from collections.abc import Mapping

from kibitz.games.poker.dealing import STACKED
from kibitz.games.poker.rules import ANTES, PACKS, STACKS

PLACES = 9
"""So many cards a number of a stacked pack holds."""


def stacked_options(cards: list[int]) -> dict[str, int]:
    """The options that make the first hand begin with these cards, in the order in which they are dealt.

    >>> stacked_options([51, 0])
    {'pack0': 152}
    """
    rows = [cards[i : i + PLACES] for i in range(0, len(cards), PLACES)]
    return {
        name: sum((card + 1) * 100**i for i, card in enumerate(row)) for name, row in zip(PACKS, rows, strict=False)
    }


def stacked_cards(options: Mapping[str, int]) -> list[int]:
    """The cards that the options put at the beginning of the first hand; NONE in a place that names none."""
    return [options[PACKS[i // PLACES]] // 100 ** (i % PLACES) % 100 - 1 for i in range(STACKED)]


def objection(options: Mapping[str, int]) -> str | None:
    """Why these options make no game, in a sentence; None if they do."""
    players, big = options["players"], options["big"]
    ante = max(antes(options))
    cards = options["hole"] * (players + options["draw"]) + options["flop"] + options["turn"] + options["river"]
    there_are = options["pack"].bit_count()
    if cards > there_are:
        return f"{players} players need {cards} cards, and the pack has {there_are}: let fewer play."
    if not big + ante:
        return "Nothing would be in the pot: choose blinds or an ante."
    if options["small"] > big:
        return f"The small blind ({options['small']}) must not be larger than the big blind ({big})."
    if options["straddle"] and (not big or players < 3):
        return "A straddle needs blinds and at least three players."
    if not big + options["bet_size"]:
        return "Without blinds, bet_size must say what the least bet is."
    return stack_objection(options) or pack_objection(options)


def stack_objection(options: Mapping[str, int]) -> str | None:
    """What is wrong with the stacks."""
    players = options["players"]
    named = [name for name in (*STACKS[players:], *ANTES[players:]) if options[name]]
    if named:
        seat = named[0].removeprefix("stack").removeprefix("ante")
        return f"There is no seat {seat} among {players} players, so {named[0]} means nothing."
    if options["mucks"] >> players:
        return f"mucks names seats as bits, and there are {players} seats: it is at most {(1 << players) - 1}."
    blinds = options["big"] * (2 if options["straddle"] else 1)
    stacks = [options[name] or options["stack"] for name in STACKS[:players]]
    forced = [ante + blinds for ante in antes(options)]
    if not options["pack0"] and sum(stack > cost for stack, cost in zip(stacks, forced, strict=True)) < 2:
        return f"At least two players must have more than the {max(forced)} chips of ante and blinds."
    return None


def antes(options: Mapping[str, int]) -> list[int]:
    """The ante of every seat."""
    return [options["ante"] + options[name] for name in ANTES[: options["players"]]]


def pack_objection(options: Mapping[str, int]) -> str | None:
    """What is wrong with the cards that are to be dealt first."""
    named = [card for card in stacked_cards(options) if card >= 0]
    if len(set(named)) < len(named) or any(not options["pack"] >> card & 1 for card in named):
        return "pack0 to pack5 must name different cards of the pack, two digits each from 01 to 52."
    return None
