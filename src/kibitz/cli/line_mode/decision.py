"""One decision of a person in line mode: the question, the answers typed, and the resulting choice.

``Questioner`` doesn't know where the game is played: derived classes implement undo, hints, scene, history and leaving.
"""

from __future__ import annotations

from contextlib import suppress

from kibitz.cli.line_mode.prompt import INDENT, DecisionSteps, Prompt, action_in_words
from kibitz.cli.screen import Screen
from kibitz.engine.game import Game
from kibitz.engine.scene import Scene
from kibitz.engine.scene.text import seat_facts, table_lines
from kibitz.engine.sentences import as_sentence
from kibitz.engine.views.events import View
from kibitz.errors import KibitzError, NotationError
from kibitz.players.setup import number_typed

HELP = (
    ("1, 2, ...", "choose that number"),
    ("{example}", "the action itself, in any notation; a card alone selects that card"),
    ("b", "deselect what you selected last"),
    ("u", "undo your last choice, if it showed you nothing new"),
    ("h", "get a hint from a strong player"),
    ("s", "show the table and the choices again"),
    ("score", "show the score"),
    ("a", "show all choices"),
    ("l", "show everything that has happened so far"),
    ("r", "read the rules"),
    ("q", "leave; the game is saved, and 'kibitz resume' continues it"),
)


class TableChanged(Exception):
    """Raised to end a decision because the table has changed, such as by an undo."""


class Questioner:
    """Asks a person for choices in a game.

    ``steps`` is the current decision, and ``commands`` are the rows of the help: what to type, and what it does.
    """

    commands: tuple[tuple[str, str], ...] = HELP

    def __init__(self, screen: Screen, game: Game, names: list[str]) -> None:
        self.screen, self.game, self.names = screen, game, names
        self.page = 0
        self.steps: DecisionSteps

    # ---------------------------------------------------------------- for derived classes

    def undo(self) -> None:
        """Undo the person's latest choice, if it has shown them nothing new."""
        raise NotImplementedError

    def hint(self, view: View, legal: list[int]) -> None:
        """Print a hint, and why."""
        raise NotImplementedError

    @property
    def scene(self) -> Scene:
        """The table as the person sees it now."""
        raise NotImplementedError

    def print_history(self) -> None:
        """Print everything that has happened so far, as the person saw it."""
        raise NotImplementedError

    def leave(self) -> None:
        """Ask whether the person wants to leave, and leave if so."""
        raise NotImplementedError

    @property
    def is_newcomer(self) -> bool:
        """Whether the person has made no decision here yet."""
        return False

    # ---------------------------------------------------------------- asking

    def decide(self, view: View, legal: list[int]) -> int:
        """Ask until the person has chosen; returns the action."""
        ordered = self.game.words.ordered(view, legal)
        self.steps = DecisionSteps(self.game, view, ordered, self.numbered_actions(view, ordered), self.names)
        self.show()
        return self.answer(view, legal)

    def numbered_actions(self, view: View, legal: list[int]) -> list[int]:
        """The actions that get numbers: those that make progress, if the game can tell; otherwise all."""
        return self.game.words.main_actions(view, legal) or legal

    def show(self, *, page: int = 0) -> None:
        """Print the table, the question and the choices."""
        self.page = page
        is_newcomer = self.is_newcomer and not self.steps.selected
        prompt = Prompt(self.steps, self.names, self.screen.width, plain=self.screen.plain, is_newcomer=is_newcomer)
        for text, style in prompt.lines(page):
            self.screen.line(text, style, indent=INDENT)

    def answer(self, view: View, legal: list[int]) -> int:
        """Read what the person types until it makes a choice; returns the action."""
        while True:
            typed = self.screen.ask()
            try:
                if self.run_command(typed.lower(), view, legal):
                    continue
                action = self.choice(typed, view, legal)
            except KibitzError as error:
                self.screen.line(as_sentence(str(error)))
                self.screen.line(self.typing_help(view))
                continue
            if action is not None:
                return action
            self.show()

    def typing_help(self, view: View) -> str:
        """What can be typed, for a person who has typed something invalid."""
        last = len(self.steps.choices)
        number = f"a number from 1 to {last}" if last > 2 else "1 or 2" if last == 2 else "1"
        return f"Type {number}, an action such as {self.example(view)!r}, or ? for help."

    def example(self, view: View) -> str:
        """The shortest action, as people type it."""
        return min((self.game.words.typed_text(view, action) for action in self.steps.picking.candidates), key=len)

    def choice(self, typed: str, view: View, legal: list[int]) -> int | None:
        """The action that was typed; None if only a part was selected.

        Raises KibitzError with the reason if neither.
        """
        number, choices = number_typed(typed), self.steps.choices
        if 0 < number <= len(choices):
            chosen = choices[number - 1]
            return self.steps.select(chosen.key) if chosen.action is None else chosen.action
        if typed == "" and self.steps.selected and (complete := self.steps.picking.complete) is not None:
            return complete
        if typed == "" or typed.isdigit():
            raise KibitzError(self.why_no_choice(typed))
        key = self.steps.key_of_typed_card(typed)
        try:
            action = self.game.parse(view, typed)
            sentence = None if action in legal else self.game.why_not(self.game.imagine(view, 0), action)
        except NotationError as error:
            if key is not None:
                return self.steps.select(key)
            return self.action_with_selection(typed, view, error)
        if sentence and key is not None:
            return self.steps.select(key)
        if sentence:
            raise KibitzError(sentence)
        return action

    def why_no_choice(self, typed: str) -> str:
        """Why nothing can be chosen by an empty line or by this number."""
        if not typed:
            return "Nothing is chosen yet"
        sentence = f"There is no choice {typed}"
        return f"{sentence}; an amount needs its verb, such as {self.steps.amount!r}" if self.steps.span else sentence

    def action_with_selection(self, typed: str, view: View, error: NotationError) -> int:
        """The action that the selected parts and the typed words make together; if they make none, raises ``error``."""
        if self.steps.selected:
            with suppress(NotationError):
                action = self.game.parse(view, f"{self.steps.selected_text} {typed}")
                if action in self.steps.picking.candidates:
                    return action
        raise error

    def run_command(self, word: str, view: View, legal: list[int]) -> bool:
        """Carry out a command; returns False if the word isn't a command."""
        match word:
            case "?" | "help":
                self.help(view)
            case "u" | "undo" if not self.steps.selected:
                self.undo()
            case "b" | "back" | "u" | "undo":
                self.deselect()
            case "h" | "hint":
                self.hint(view, legal)
            case "s" | "state":
                self.show_table_and_choices()
            case "a" | "all":
                self.steps.list_all()
                self.show()
            case "m" | "more":
                self.show(page=self.page + 1)
            case "score":
                self.print_score()
            case "l" | "log" | "history":
                self.print_history()
            case "r" | "rules":
                from kibitz.cli.games import show_rules

                show_rules(self.game.rules_text, self.screen)
            case "q" | "quit" | "exit":
                self.leave()
            case _:
                return False
        return True

    def print_hint(self, view: View, action: int, reason: str) -> None:
        """Print why an action is advised, and what to type for it."""
        label = self.game.words.short_label(view, action)  # without the players' names
        reason = reason.replace(label, action_in_words(self.game, view, action, self.names), 1)
        self.screen.line(f"{reason} To do this, type {self.game.words.typed_text(view, action)!r}.")

    def deselect(self) -> None:
        """Deselect the last part."""
        if self.steps.deselect_last():
            self.show()
        else:
            self.screen.line("Nothing is selected.")

    def print_score(self) -> None:
        """Print the score in words, or the table if the game doesn't put its score into words."""
        scene = self.scene
        for line in seat_facts(scene, self.names) or table_lines(scene, self.names, self.screen.width):
            self.screen.line(line)

    def show_table_and_choices(self) -> None:
        """Print the whole table and the choices."""
        for line in table_lines(self.steps.picking.scene, self.names, self.screen.width):
            self.screen.line(line)
        self.show()

    def help(self, view: View) -> None:
        """Print what can be typed."""
        rows = [(key.format(example=self.example(view)), meaning) for key, meaning in self.commands]
        rows[2:2] = self.game.words.HELP
        width = max(len(key) for key, _ in rows)
        for key, meaning in rows:
            self.screen.line(f"{key:<{width}}  {meaning}", indent=" " * (width + 2))
