"""Poker: ``kibitz equity`` (hands and ranges of hold'em) and ``kibitz phh`` (other programs' hand histories)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from kibitz.cards import JOKER, CardSet, as_set, cards_of, parse_cards, poker_code, symbol
from kibitz.cli.files import check_writable, make_folder, write
from kibitz.cli.options import Ascii, Count, Force, Json, Quiet, read_seed, whole_number
from kibitz.cli.screen import BOLD, DIM, Screen, print_json, print_text, progress_bar, warn
from kibitz.engine import file_io
from kibitz.engine.record import Record, read_file, text
from kibitz.errors import NotationError, RecordError, cause

if TYPE_CHECKING:
    from kibitz.games.poker.hands.equity import Equity
    from kibitz.games.poker.hands.ranges import Hands


CARDS = re.compile(r"10.|..?")
"""One card in a text without gaps: two characters, or three where ten is written 10."""


def equity(
    *hands: Annotated[
        str,
        Parameter(
            help="Two cards each, such as AsKs or 'A♠ K♠', or ranges, such as '22+, AKs, KTo+', or 'any' for all hands."
        ),
    ],
    board: Annotated[str, Parameter(help="The board, three to five cards, such as 'QsJs2d'.")] = "",
    dead: Annotated[str, Parameter(help="Dead cards, such as folded ones.")] = "",
    budget: Annotated[
        int,
        Parameter(converter=whole_number(1, 10**9), help="With ranges, the maximum number of showdowns to evaluate."),
    ] = 20_000_000,
    seed: Annotated[int, Parameter(converter=read_seed, help="Random seed of sampled showdowns.")] = 0,
    ascii: Ascii = False,
    json: Json = False,
) -> None:
    """Compute the equity of 2 to 10 hands or ranges, over every way to complete the board.

    With ranges, every combination of their hands counts equally. If there are more showdowns than --budget, a random
    sample of them is evaluated and the error is shown.
    """
    if any(map(is_range, hands)):
        print_range_equity(hands, read_cards(board), read_cards(dead), budget, seed, Screen(ascii), json=json)
        return
    hand_sets, board_cards, dead_cards = [read_cards(hand) for hand in hands], read_cards(board), read_cards(dead)
    screen = Screen(ascii)
    from kibitz.games.poker.hands.equity import hand_equity

    result = hand_equity(hand_sets, board_cards, dead_cards)
    if json:
        figures = {"showdowns": result.boards, "wins": result.wins, "ties": result.ties}
        print_json({"hands": hands, "equities": result.equities, "exact": True, **figures}, indent=0)
        return
    if board_cards:
        screen.line(f"Board: {cards_text(board_cards)}", BOLD)
    for line in hand_lines(hand_sets, board_cards, result):
        screen.line(line)
    screen.line(f"{result.boards:,} {'boards' if result.boards > 1 else 'board'}, all equally likely.", DIM)


def is_range(text: str) -> bool:
    """Whether a text is a range, rather than the two cards of one hand.

    >>> is_range("AK"), is_range("22+"), is_range("AsKs"), is_range("AsK")
    (True, True, False, False)
    """
    from kibitz.games.poker.hands.ranges import RANKS

    plain = text.strip().upper().replace("10", "T")
    first = re.split(r"[,;\s]", plain)[0]
    return plain in ("ANY", "*", "RANDOM") or (len(first) > 1 and first[0] in RANKS and first[1] in RANKS) or (
        "," in plain and len(plain) > 5
    )  # fmt: skip


def print_range_equity(
    texts: tuple[str, ...], board: CardSet, dead: CardSet, budget: int, seed: int, screen: Screen, *, json: bool
) -> None:
    """Print the equities of ranges; in an unreadable range, a caret marks the error."""
    from kibitz.games.poker.hands.equity import range_equity
    from kibitz.games.poker.hands.ranges import RangeError, parse_range

    try:
        ranges = [parse_range(text) for text in texts]
    except RangeError as error:
        warn(error.with_caret)
        raise
    with screen.waiting("Counting ..."):
        result = range_equity(ranges, board, dead, budget, seed)
    if json:
        figures = {"exact": result.exact, "showdowns": result.showdowns, "errors": result.errors}
        print_json({"hands": texts, "equities": result.equities, **figures}, indent=0)
        return
    if board:
        screen.line(f"Board: {cards_text(board)}", BOLD)
    width = max(map(len, texts))
    for words, count, equity, margin in zip(
        texts, count_possible(ranges, board | dead), result.equities, result.errors, strict=True
    ):
        margin_text = "" if result.exact else f" ± {margin:.4%}"
        screen.line(f"{words:<{width}}  {equity:8.4%}{margin_text}  {count:,} {'hands' if count > 1 else 'hand'}")
    if result.exact:
        screen.line(f"Exact: {result.showdowns:,} showdowns, all equally likely.", DIM)
    else:
        screen.line(
            f"Sampled: {result.showdowns:,} showdowns drawn at random (seed {seed}); 95 % confidence intervals.", DIM
        )


def count_possible(ranges: list[Hands], dead_cards: CardSet) -> list[int]:
    """How many hands of each range avoid the known cards and are compatible with a hand of every other range."""
    live_ranges = [[hand for hand in hands if not hand & dead_cards] for hands in ranges]

    def is_possible(hand: CardSet, other_ranges: list[list[CardSet]]) -> bool:
        return all(any(not hand & other_hand for other_hand in hands) for hands in other_ranges)

    return [
        sum(is_possible(hand, live_ranges[:number] + live_ranges[number + 1 :]) for hand in hands)
        for number, hands in enumerate(live_ranges)
    ]


def hand_lines(hands: list[CardSet], board: CardSet, result: Equity) -> list[str]:
    """One line for each hand: its cards, its equity, boards won, tied and lost, and its category so far, in words."""
    from kibitz.games.poker.hands import in_words

    lines = []
    for number, hand in enumerate(hands):
        won, tied, lost = result.wins[number], result.ties[number], result.losses[number]
        line = f"{cards_text(hand)}  {result.equities[number]:8.4%}  won {won:,}, tied {tied:,}, lost {lost:,}"
        hand_and_board = hand | board
        lines.append(f"{line}  ({in_words(hand_and_board)})" if hand_and_board.bit_count() > 4 else line)
    return lines


def read_cards(text: str) -> CardSet:
    """A set of cards from text, with or without gaps between the cards."""
    plain = text.translate(dict.fromkeys(map(ord, "\ufe0e\ufe0f"))).replace(",", " ")
    cards = parse_cards([card for part in plain.split() for card in CARDS.findall(part)])
    for card in cards:
        if card >= JOKER:
            raise NotationError(f"{poker_code(card)} is a joker; equity needs cards of the 52-card pack.")
        if cards.count(card) > 1:
            raise NotationError(f"{poker_code(card)} is given twice.")
    return as_set(cards)


def cards_text(cards: CardSet) -> str:
    """Cards for people, the highest first."""

    def order(card: int) -> tuple[int, int]:
        value = card >> 2  # 0 for an ace, 12 for a king
        return -((value - 1) % 13), card  # the ace is the highest

    return " ".join(symbol(card) for card in sorted(cards_of(cards), key=order))


# ---------------------------------------------------------------- phh

MAX_PHH_BYTES = 16 << 20


def phh(
    what: Annotated[Literal["export", "import"], Parameter(help="Export a record as PHH, or import PHH as records.")],
    file: Annotated[Path, Parameter(help="A record of hold'em to export, or a PHH or PHHS file to import.")],
    /,
    *,
    hand: Annotated[Count | None, Parameter(help="Import only this hand: its number in the file, from 1.")] = None,
    output: Annotated[
        Path | None,
        Parameter(
            name=["--output", "-o"],
            help="The file to write, or the folder if there are several hands. Default: print it.",
        ),
    ] = None,
    force: Force = False,
    quiet: Quiet = False,
) -> int | None:
    """Convert a hold'em record to PHH (poker hand history), or PHH hands to records for 'kibitz show' and 'verify'."""
    from kibitz.games.poker.phh import export_record, hands_of, import_hand

    screen = Screen()
    unknown: list[str] = []
    if what == "export":
        check_writable(output, force)
        content = export_record(read_file(file))
    else:
        phh_text = read_phh(file)
        if output is not None and hand is None and len(hands_of(phh_text)) > 1:
            return import_all(phh_text, file, output, force, screen, quiet=quiet)
        check_writable(output, force)
        record, unknown = import_hand(phh_text, hand)
        content = text(record)
    if output is None:
        print_text(content, end="")
    else:
        write(output, content, force)
        screen.line(f"The {'PHH' if what == 'export' else 'record'} is saved in {output}.")
    if unknown and output is not None:
        screen.line(
            f"Unknown cards of players who folded or mucked: {', '.join(unknown)}. They were drawn at random, as a note"
            " in the record says."
        )
    return None


def import_all(phh_text: str, file: Path, folder: Path, force: bool, screen: Screen, *, quiet: bool) -> int:
    """Write every readable hand into a folder, and print why the others can't be read.

    Returns the exit status: 2 if a hand can't be read, otherwise 0.
    """
    from kibitz.games.poker.phh import hands_of, import_hands

    make_folder(folder)
    total, written, problems = len(hands_of(phh_text)), 0, list[str]()
    with progress_bar("read {} of {} hands", "reading", quiet=quiet) as progress:
        for number, (name, result) in enumerate(import_hands(phh_text), start=1):
            if isinstance(result, Record):
                path = folder / f"{file.stem}-{number:0{len(str(total))}}.game"
                check_writable(path, force)
                write(path, text(result), force, rescue=False)
                written += 1
            else:
                problems.append(f"Hand {number} ({name[:40]}): {result}")
            progress(number, total)
    for sentence in problems:
        screen.line(sentence)
    screen.line(f"{written} of {total} hands are saved in {folder}.")
    return 2 if problems else 0


def read_phh(file: Path) -> str:
    """The text of a PHH file. Raises RecordError if it can't be read as UTF-8."""
    try:
        return file_io.read_text(file, MAX_PHH_BYTES)
    except UnicodeDecodeError as error:
        raise RecordError("not a PHH file: it isn't UTF-8 text.", str(file)) from error
    except OSError as error:
        raise RecordError(f"cannot be read: {cause(error)}.", str(file)) from error
