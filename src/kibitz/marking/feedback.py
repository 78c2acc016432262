"""A page of feedback for one student: the mark, and the first call that shows each kind of mistake.

The page shows calls, expected and actual results, and how to repeat the call at home. In the text version, characters
that could control a terminal are shown as ``?``; the HTML version is one file without scripts or remote files.
"""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Iterable, Iterator, Sequence
from textwrap import fill, indent
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement, tostring

import msgspec

from kibitz.engine.sentences import counted as counted_things
from kibitz.engine.sentences import listed, printable
from kibitz.marking.adjustments import Adjustment
from kibitz.marking.assignments import TITLES, Plan
from kibitz.marking.case_runner import OUT_OF_TIME, call_command
from kibitz.marking.results import FailingCase, FunctionOutcome, Mark, SubmissionResult, marks, total
from kibitz.players.calls import NO_RETURN, quoted, unwritten_clause
from kibitz.players.files.entries import FolderEntry
from kibitz.players.files.notebooks import author_note, notebook_name
from kibitz.players.files.sources import function_bodies
from kibitz.players.isolation.child import missing

WIDTH = 100
KINDS = {
    "wrong": "a wrong answer",
    "exception": "an exception",
    "invalid": "a value that isn't allowed",
    "time": "out of time",
    "idle": "no answer",
    "memory": "out of memory",
    "exit": "an early exit of the program",
    "load": "the file did not load",
    "protocol": "an invalid message from the file's process",
}
"""Kinds of failing cases in words."""


class FeedbackSheet(msgspec.Struct, frozen=True):
    """The content of a page of feedback on one submission."""

    name: str
    entry: FolderEntry
    plan: Plan
    result: SubmissionResult
    adjustment: Adjustment = Adjustment()
    path: str = ""
    """The path of the submission as it was typed, for commands; empty if the student has it under another path."""

    @property
    def title(self) -> str:
        """The assignment's title."""
        return TITLES[self.plan.assignment]

    @property
    def mark(self) -> float:
        """The final mark."""
        if self.adjustment.mark is not None:
            return self.adjustment.mark
        return round(max(0.0, self.before_penalty - self.penalty), 2)

    @property
    def before_penalty(self) -> float:
        """The mark before the penalty for late work."""
        rubric_points = sum(points or 0.0 for points, _ in self.adjustment.rubric.values())
        return round(total(self.plan, self.result) + (self.adjustment.place_marks or 0.0) + rubric_points, 2)

    @property
    def penalty(self) -> float:
        """The marks deducted for late work: at most what was earned, and nothing if the mark was set by hand."""
        if self.adjustment.mark is not None:
            return 0.0
        return round(min(self.before_penalty, self.adjustment.late_share * self.plan.out_of), 2)

    @property
    def out_of(self) -> float:
        """The most marks that can be earned, including the tournament and the rubric."""
        return (
            self.plan.out_of + self.adjustment.place_worth + sum(worth for _, worth in self.adjustment.rubric.values())
        )

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The marks of every function."""
        return marks(self.plan, self.result)

    @property
    def file(self) -> str:
        """The path that was typed, or else the name of the file that defines the functions."""
        if self.path:
            return self.path
        if self.entry.sources is None:
            return "your_file.py"
        main, content = self.entry.sources.files[0]
        return notebook_name(content) or main

    @property
    def mark_notes(self) -> tuple[str, ...]:
        """Notes for the student: how a notebook was read, what changed the mark besides the cases, files not marked."""
        sources = self.entry.sources
        notes = [author_note(sources.files[0][1])] if sources is not None else []
        if self.penalty:
            due = f" (due {self.adjustment.due})" if self.adjustment.due else ""
            notes.append(
                f"{counted_things(self.adjustment.days_late or 0, 'day')} late{due}: {mark_text(self.penalty)} marks"
                f" deducted from {mark_text(self.before_penalty)}."
            )
        if self.adjustment.mark is not None:
            notes.append("The mark was set by hand.")
        if self.adjustment.place_worth:
            place = f"place {self.adjustment.place}" if self.adjustment.place[:1].isdigit() else "no place"
            marks = f"{mark_text(self.adjustment.place_marks or 0)} of {mark_text(self.adjustment.place_worth)}"
            notes.append(f"Tournament: {place}, {marks} marks.")
        notes.append(self.adjustment.comment)
        for file in self.entry.left_out:
            path = file.path.removeprefix(self.entry.path).lstrip("/")
            notes.append(f"Not marked: {path}: {file.why.rstrip('.')}.")
        return tuple(filter(None, notes))

    @property
    def student_notes(self) -> tuple[str, ...]:
        """All notes for the student: the rubric's points if they count, and ``mark_notes``."""
        if self.adjustment.mark is not None:
            return self.mark_notes
        rubric = {
            name: "no points yet" if points is None else f"{mark_text(points)} of {mark_text(worth)}"
            for name, (points, worth) in self.adjustment.rubric.items()
        }
        return (*(f"{name[:1].upper()}{name[1:]}: {points}." for name, points in rubric.items()), *self.mark_notes)

    @property
    def note(self) -> str:
        """What is wrong with the submission as a whole, or else missing and unwritten functions, and other notes."""
        if self.result.why:
            why = self.result.why
            begins_with_file = "." in why.partition(" ")[0]
            return why if begins_with_file else f"{why[:1].upper()}{why[1:]}"
        outcomes = self.result.outcomes
        absent = [outcome.name for outcome in outcomes if outcome.why.startswith(missing(outcome.name))]
        blank = [outcome.name for outcome in outcomes if outcome.why == f"{unwritten_clause(outcome.name)}."]
        other_reasons = dict.fromkeys(
            outcome.why.removeprefix(missing(outcome.name)).strip() for outcome in outcomes if outcome.name not in blank
        )
        known_reasons = [
            missing(listed(absent, "or")) if absent else "",
            f"{unwritten_clause(*blank)}." if blank else "",
        ]
        return " ".join(filter(None, [*known_reasons, *other_reasons]))

    @property
    def lecturer_notes(self) -> str:
        """Notes for the lecturer: what is wrong, and times near the limits."""
        return " ".join(
            filter(None, (self.note, *self.mark_notes, *(outcome.near_limit_note for outcome in self.result.outcomes)))
        )


def mark_text(value: float) -> str:
    """A mark as people write it.

    >>> mark_text(7.5), mark_text(20.0), mark_text(100 / 3)
    ('7.5', '20', '33.33')
    """
    return f"{value:.2f}".rstrip("0").rstrip(".")


HINTS = {
    "used more than": "A loop at the line above may never end, or the function takes too many steps.",
    "ran out of memory": "A list or a string may grow in a loop that never ends.",
    "RecursionError": "It never stops calling itself: it needs a base case, where it returns without calling itself.",
    "NotImplementedError": "The line above is the starter file's: write the function's own code in its place.",
    "UnboundLocalError": "A name assigned anywhere in a function is local to it: assign it first, not just in an if.",
    "'NoneType'": "Something is None there: append(), sort() and a function without return all return None.",
    "'int' and 'str'": "One of the two is a string: int() turns it into a whole number.",
    "KeyError": "The dictionary has no such key: look at where it is filled.",
    "list index out of range": "The list is empty there, or too short for this index.",
    "of type float": "Division with / returns a float; // returns a whole number.",
    "of type int64": "NumPy's numbers aren't Python's: int() converts one, and tolist() a whole array.",
    "object is not callable": "What is before the parentheses isn't a function: is it a variable?",
    "'function' object": "A function is used there without being called: parentheses may be missing after its name.",
    "'int' object is not iterable": "A loop over a number needs range(); sum(), max() and min() need a list.",
    "invalid literal for int()": "int() reads digits only: 'A', 'J', 'Q' and 'K' need values of their own.",
    "empty sequence": "max() or min() of an empty list: look at why nothing is in it.",
    "from empty list": "pop() from an empty list: look at why nothing is in it.",
    "invalid character": "It was pasted from a text or a web page: type it again in your editor.",
    "unindent does not match": "All lines of a block begin in the same column: compare this line with the lines above.",
    "unexpected indent": "This line begins further right than the line above it, which doesn't end in a colon.",
    "outside function": "This line begins too far left for the function above it: indent it like the function's lines.",
    "expected an indented block": "The line after a colon must begin further right than the line with the colon.",
    "inconsistent use of tabs": "Some lines begin with tabs and others with spaces: use spaces only.",
    "unterminated string": "The quotation mark at the end of the string is missing.",
    "invalid syntax": "The mistake is at the ^ or just before it, perhaps at the end of the line above.",
}
"""Hints for beginners, by a part of the error's text."""
CHANGED_CLAUSE = ", and changed "
COPY_HINT = (
    "Work on a copy, such as list({}): append(), remove(), pop(), sort() and random.shuffle() change the list itself."
)
LIST_REPR_STARTS = ('"[', "'[")
"""The beginnings of the repr of a string that ``str`` made from a list."""
TYPE_WORDS = {str: "a string", int: "a whole number", bool: "a bool", list: "a list", tuple: "a tuple"}


def hint(failing: FailingCase) -> str:
    """A hint for a beginner on a failing case; empty if there is none."""
    right = failing.expected.removeprefix("It should return ").removesuffix(".")
    got, _, changed = failing.got.partition(CHANGED_CLAUSE)
    if failing.kind == "wrong" and got.removesuffix(".") == "It returned None" and right != "None":
        printed = "It prints its result; printing isn't returning. " if failing.prints.strip() else ""
        return f"{printed}{NO_RETURN}"
    if failing.kind == "wrong":
        copy = COPY_HINT.format(changed.partition(" ")[0]) if changed else ""
        return " ".join(filter(None, (value_hint(got.removeprefix("It returned ").removesuffix("."), right), copy)))
    return error_hint(failing.got)


def value_hint(got: str, right: str) -> str:
    """A hint on a wrong value; empty if there is none. ``right`` is the right value, in words or as Python source."""
    try:
        value = literal_eval(got)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return ""
    if right.startswith("one ") and isinstance(value, list) and len(value) == 1:
        return f"The list around {value[0]!r} should not be there."
    try:
        return difference(value, literal_eval(right))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return (
            "It returned a string that looks like a list: leave out str()." if got.startswith(LIST_REPR_STARTS) else ""
        )


def error_hint(error: str) -> str:
    """A hint on an error; empty if there is none."""
    return next((hint for part, hint in HINTS.items() if part in error), "")


def difference(value: object, expected: object) -> str:
    """A sentence on how the first wrong part of a value differs from what is expected.

    Empty for a difference that a beginner sees without it.
    """
    if expected == [value] or value == [expected]:
        fault = "must be in a list" if expected == [value] else "is inside a list that should not be there"
        return f"The value is right, but {fault}."
    if type(value) is not type(expected):
        actual_type, expected_type = (TYPE_WORDS.get(type(item), type(item).__name__) for item in (value, expected))
        if value is None or expected is None:
            return ""
        return f"{value!r} should be {expected_type}, not {actual_type}."
    if isinstance(value, str) and isinstance(expected, str):
        differs_in_layout = value.lower().split() == expected.lower().split()
        return f"{value!r} differs from {expected!r} only in capital letters or spaces." if differs_in_layout else ""
    if isinstance(value, (list, tuple)) and isinstance(expected, (list, tuple)):
        if sorted(map(repr, value)) == sorted(map(repr, expected)):
            return "The items are right, but not in the right order."
        if len(value) != len(expected):
            items = f"The list has {counted_things(len(value), 'item')} instead of {len(expected)}."
            return items if isinstance(value, list) else ""
        return next(difference(*pair) for pair in zip(value, expected, strict=True) if repr(pair[0]) != repr(pair[1]))
    return ""


def called_functions_hint(sheet: FeedbackSheet, outcome: FunctionOutcome) -> str:
    """A hint that a function calls others that are wrong, directly or not; empty if it doesn't."""
    wrong = {item.name for item in sheet.result.outcomes if item.failing_cases or item.why}
    if sheet.entry.sources is None or all(item.kind in OUT_OF_TIME for item in outcome.failing_cases):
        return ""
    bodies = function_bodies(sheet.entry.sources.files[0][1])

    def wrong_functions_called(name: str) -> set[str]:  # every word in a body counts as a call
        called, names = set[str](), [name]
        while names:
            new_names = set(re.findall(r"\w+", bodies.get(names.pop(), ""))) - called
            called |= new_names
            names += new_names
        return called & wrong

    innermost = sorted(
        name
        for name in wrong_functions_called(outcome.name)
        if not wrong_functions_called(name) - {name} and name != outcome.name
    )
    verb = "is" if len(innermost) == 1 else "are"
    return f"It calls {listed(innermost)}, which {verb} wrong, too: look there first." if innermost else ""


# ---------------------------------------------------------------- the page

# A page consists of pieces, which are written as text and as HTML. Every HTML element is made by ``xml.etree``, which
# escapes all text.


class Piece(NamedTuple):
    """A piece of the page. Pieces without text are left out.

    kind    title, mark, marks (the table), function and case (headings), fact, printed, last; "text" is a paragraph,
            "more" a paragraph after a gap, and "note" one of several paragraphs
    label   what a fact is; the name of a function; the line above what was printed
    """

    kind: str
    text: str
    label: str = ""


def page_pieces(sheet: FeedbackSheet) -> Iterator[Piece]:
    """The pieces of the page, in order."""
    yield Piece("title", f"{sheet.title}: feedback for {sheet.name}")
    yield Piece("mark", f"Mark: {mark_text(sheet.mark)} of {mark_text(sheet.out_of)}")
    if sheet.result.why:
        yield Piece("more", sheet.note)
        yield Piece("fact", sheet.result.detail, "where")
        yield Piece("fact", error_hint(sheet.result.why), "hint")
    else:
        width = max(len(mark.name) for mark in sheet.marks)
        rows = [
            f"  {mark.name:<{width}}  {mark_text(mark.earned):>6} of {mark_text(mark.worth)}" for mark in sheet.marks
        ]
        yield Piece("marks", "\n".join(rows))
    for text in sheet.student_notes:
        yield Piece("note", text)
    yield Piece("printed", sheet.result.prints, "Printed while the file was loaded:")
    for outcome in sheet.result.outcomes:
        yield from function_pieces(sheet, outcome)
    line = f"kibitz mark {sheet.plan.assignment} {quoted(sheet.file)}"
    yield Piece("last", f"To test your file with the published cases and newly generated ones: {line}")


def function_pieces(sheet: FeedbackSheet, outcome: FunctionOutcome) -> Iterator[Piece]:
    """The pieces on one function: how many cases are right, and the first failing case of each kind."""
    yield Piece("function", f"{right_text(outcome)}.", outcome.name)
    yield Piece("text", outcome.why)
    yield Piece("text", called_functions_hint(sheet, outcome))
    plan = next(known for known in sheet.plan.functions if known.name == outcome.name)
    hints = {""}
    for failing in outcome.failing_cases:
        kind = KINDS.get(failing.kind, failing.kind)
        more = f" (the first of {failing.times} such cases)" if failing.times > 1 else ""
        yield Piece("case", f"{failing.edge_case[:1].upper()}{failing.edge_case[1:]}: {kind}{more}")
        for label in ("call", "expected", "got"):
            yield Piece("fact", getattr(failing, label), label)
        yield Piece("fact", failing.prints, "printed")
        yield Piece("fact", failing.detail, "where")
        advice = hint(failing)
        yield Piece("fact", advice if advice not in hints else "", "hint")
        hints.add(advice)
        yield Piece("fact", call_command(sheet.plan.assignment, sheet.file, failing.call, plan), "try it")
    if outcome.unshown_edge_cases:
        yield Piece("more", f"Cases of these kinds failed, too: {'; '.join(outcome.unshown_edge_cases)}.")


def right_text(outcome: FunctionOutcome) -> str:
    """How many cases of a function are right, in words."""
    shown = f", {outcome.published_right} of {outcome.published} published" if outcome.published else ""
    return f"{outcome.right} of {outcome.cases} hidden cases right{shown}"


def text_page(sheet: FeedbackSheet) -> str:
    """The page as text."""
    return printable("\n".join(text_lines(page_pieces(sheet)))) + "\n"


def text_lines(pieces: Iterable[Piece]) -> Iterator[str]:
    """Pieces of a page as text, line by line."""
    previous = ""
    for kind, text, label in pieces:
        if not text.strip():
            continue
        if kind not in ("title", "text", "fact") and not kind == previous == "note":
            yield ""
        previous = kind
        match kind:
            case "title" | "mark" | "marks" | "last":
                yield text
            case "function":
                yield f"{label}: {text}"
            case "case":
                yield f"  {text}"
            case "printed":
                yield label
                yield indent(text.strip("\n"), " " * 8, lambda line: True)
            case _:
                yield from labelled(label, text.strip("\n"))


def labelled(label: str, text: str) -> Iterator[str]:
    """A label and its text as lines: side by side if the text is one line, otherwise the text below.

    Without a label, a paragraph. Nothing if the text is empty.
    """
    if not text.strip():
        return
    if not label:
        yield fill(text, WIDTH, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
    elif "\n" in text or text.startswith(" "):
        yield f"    {label}"
        yield indent(text.rstrip(), " " * 8, lambda line: True)
    else:
        yield f"    {label:<9} {text}"


STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1b1b1b; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; border-top: 1px solid #bbb; padding-top: 1rem; }
h3 { font-size: 1rem; margin-bottom: .3rem; }
table { border-collapse: collapse; } th, td { text-align: left; padding: .2rem 1.2rem .2rem 0; vertical-align: top; }
pre { background: #f4f4f1; padding: .5rem .7rem; margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
dt { font-weight: 600; margin-top: .5rem; } dd { margin: 0; }
.mark { font-size: 1.25rem; font-weight: 600; }
@media (prefers-color-scheme: dark) { body { background: #181818; color: #e6e6e6; } pre { background: #262626; } }
"""
CONTENT_SECURITY_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def html_page(sheet: FeedbackSheet) -> str:
    """The page as HTML."""
    pieces = [piece for piece in page_pieces(sheet) if piece.text.strip()]
    page, body = new_page(pieces[0].text)
    facts = body
    for kind, text, label in pieces[1:]:
        match kind:
            case "mark":
                add_element(body, "p", text).set("class", "mark")
            case "marks":
                rows = [
                    (mark.name, f"{mark.right} of {mark.cases}", f"{mark_text(mark.earned)} of {mark_text(mark.worth)}")
                    for mark in sheet.marks
                ]
                add_table(body, ("function", "hidden cases right", "mark"), rows)
            case "function":
                add_element(body, "h2", label)
                add_element(body, "p", text)
            case "printed":
                add_element(body, "p", label)
                add_element(body, "pre", text)
            case "fact":
                facts = SubElement(body, "dl") if facts is body else facts
                add_element(facts, "dt", label)
                add_element(SubElement(facts, "dd"), "pre", text.strip("\n"))
                continue
            case _:
                add_element(body, "h3" if kind == "case" else "p", text)
        facts = body
    return html_text(page)


def new_page(title: str, style: str = "") -> tuple[Element, Element]:
    """A page with a title, and its body, which begins with the title as a heading; ``style`` is added to its styles."""
    page = Element("html", lang="en")
    top = SubElement(page, "head")
    SubElement(top, "meta", charset="utf-8")
    SubElement(top, "meta", {"http-equiv": "Content-Security-Policy", "content": CONTENT_SECURITY_POLICY})
    SubElement(top, "meta", name="viewport", content="width=device-width, initial-scale=1")
    SubElement(top, "style").text = STYLE + style
    add_element(top, "title", title)
    body = SubElement(page, "body")
    add_element(body, "h1", title)
    return page, body


def html_text(page: Element) -> str:
    """A page as text."""
    return "<!DOCTYPE html>\n" + tostring(page, "unicode", method="html") + "\n"


def add_element(parent: Element, tag: str, text: str) -> Element:
    """Add an element with a text to ``parent``, and return it."""
    element = SubElement(parent, tag)
    element.text = printable(text)
    return element


def add_table(parent: Element, headings: Sequence[str], rows: Iterable[Sequence[str]]) -> Element:
    """Add a table of texts to ``parent``, and return it."""
    table = SubElement(parent, "table")
    for tag, cells in (("th", headings), *(("td", row) for row in rows)):
        row = SubElement(table, "tr")
        for text in cells:
            add_element(row, tag, text)
    return table
