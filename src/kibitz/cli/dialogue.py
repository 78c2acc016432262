"""Questions asked in line mode, one after the other: numbers and words typed, Enter for what is usual."""

from __future__ import annotations

from typing import Any

from kibitz.cli.keyboard import Quit
from kibitz.cli.refusals import finished
from kibitz.cli.screen import BOLD, DIM, Screen
from kibitz.errors import KibitzError
from kibitz.players.setup import Question, Questions, SetUp

HELP = (
    ("Enter", "what is usual, as it stands below the question"),
    (".", "what is usual here and for all questions that follow"),
    ("q", "leave; nothing has begun"),
)


def held(questions: Questions, screen: Screen) -> SetUp:
    """Ask every question and return what comes out; Quit or EOFError if the person leaves."""
    screen.line("Press Enter for what is usual, '.' if all the rest shall be, ? for help.", DIM)
    hurried = False
    question = next(questions)
    try:
        while True:
            if hurried and not question.wrong:
                answer = question.default
            else:
                answer, hurried = asked(question, screen)
            question = questions.send(answer)
    except StopIteration as stop:
        done: SetUp = stop.value
        return done


def asked(question: Question, screen: Screen) -> tuple[Any, bool]:
    """The answer to one question, and whether the rest shall be as usual."""
    show(question, screen)
    while True:
        typed = screen.ask()
        match typed.lower():
            case "?" | "help":
                tell_help(question, screen)
            case "q" | "quit" | "exit":
                raise Quit
            case ".":
                return question.default, True
            case _:
                try:
                    return question.read(typed), False
                except KibitzError as error:
                    screen.line(finished(str(error)))


def show(question: Question, screen: Screen) -> None:
    """The question, its choices and what is usual."""
    screen.line()
    if question.wrong:
        screen.line(finished(question.wrong))
    screen.line(question.asks, BOLD)
    for number, (_, words) in enumerate(question.choices, 1):
        screen.line(f"{number:>2}) {words}", hang="    ")
    screen.line(f"Enter: {question.usual}", DIM)


def tell_help(question: Question, screen: Screen) -> None:
    """What can be typed."""
    screen.line(finished(f"Type {question.wanted()}"))
    for key, meaning in HELP:
        screen.line(f"{key:<5}  {meaning}", hang="       ")
