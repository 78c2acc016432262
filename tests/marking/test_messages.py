"""Typical beginners' mistakes: the feedback explains each."""

import pytest

from kibitz.marking.assignments import assignment, read_plan
from kibitz.marking.case_runner import mark_submission
from kibitz.marking.feedback import FeedbackSheet, text_page
from kibitz.marking.marker import submissions
from kibitz.marking.results import SubmissionResult
from kibitz.players.files.entries import submission_in
from tests.contract.groups import fast_huxxy, sharing
from tests.players.class_of import write_files

RANKS = "def card_ranks(hand):\n    ranks = sorted(('--23456789TJQKA'.index(r) for r, s in hand), reverse=True)\n"
MOVE = "A def that is indented isn't found: move it to the left margin."
WHEEL = "([5, 4, 3, 2, 1] if ranks == [14, 5, 4, 3, 2] else ranks)"


def sheet(tmp_path, name, functions, source, seconds=None, **more):
    """The feedback sheet on some functions of a file."""
    found = assignment(name)
    write_files(tmp_path, {"lab.py": source})
    (entry,) = submissions(found, tmp_path / "lab.py").entries
    plan = read_plan(found, None, 1, functions, seconds)
    return FeedbackSheet("Ann", entry, plan, mark_submission(found, entry.sources, plan, 1), **more)


def page(tmp_path, name, function, source):
    """The feedback page on one function of a file, with its lines joined."""
    return " ".join(text_page(sheet(tmp_path, name, [function], source, 0.05)).split())


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (f"    print({WHEEL})\n", "hint It prints its result; printing isn't returning."),
        (
            f"    {WHEEL}\n",
            "hint A function returns None if it reaches no return statement: one may be missing, or indented too far.",
        ),
        (f"    return str({WHEEL})\n", "hint '[10, 9, 8, 7, 6]' should be a list, not a string."),
        (f"    return tuple({WHEEL})\n", "hint (10, 9, 8, 7, 6) should be a list, not a tuple."),
        (f"    return [str(r) for r in {WHEEL}]\n", "hint '10' should be a whole number, not a string."),
        (f"    return [r / 1 for r in {WHEEL}]\n", "hint Division with / returns a float; // returns a whole number."),
        (
            "    hand.pop()\n    return ranks[1:]\n",
            "and changed hand (now ['6C', '7C', '8C', '9C']). hint The list has 4 items instead of 5. "
            "Work on a copy, such as list(hand)",
        ),
        (f"    hand.sort()\n    return {WHEEL}\n", "card_ranks changes hand: work on a copy, so that"),
        ("    while hand: pass\n", "hint A loop at the line above may never end"),
        ("    return ranks * 10**9\n", "hint A list or a string may grow in a loop that never ends."),
        ("    return card_ranks(hand)\n", "it needs a base case, where it returns without calling itself."),
        ("    hand += total\n    total = 1\n", "hint A name assigned anywhere in a function is local to it"),
        ("    return input()\n", "Nobody can answer input() here: put a value in its place."),
        ("    return ranks.sort()\n", "indented too far. sort() and append() return None, too."),
        (f"    return {WHEEL}\n\n\ndef card_ranks(hand):\n    pass\n", "only the last definition counts."),
        ("    return list(numpy.array(ranks))\n\n\nimport numpy\n", "hint NumPy's numbers aren't Python's"),
        (f"    return {WHEEL}[1:]\n", "hint The list has 4 items instead of 5."),
        (f"    return {WHEEL}[::-1]\n", "hint The items are right, but not in the right order."),
        (f"    return [{WHEEL}]\n", "hint The value is right, but is inside a list that should not be there."),
        (f"    ranks = {WHEEL}\n    return [ranks[0] - 1, ranks[1], ranks[2:]]\n", "hint The list has 3 items"),
        ("    return [int(r) for r, s in hand]\n", "hint int() reads digits only"),
        ("    total =+ 1\n    return [total]\n", "card_ranks has =+, which sets a value: += adds to it."),
        ("    import random\n    return random.sample(ranks, 9)\n", 'File "random.py", line'),
        ("    return max([])\n", "hint max() or min() of an empty list"),
        ("    return list(5)\n", "hint A loop over a number needs range()"),
        ("    return sorted(card_ranks)\n", "hint A function is used there without being called"),
        ("    return {}[ranks[0]]\n", "hint The dictionary has no such key: look at where it is filled."),
        ("    return sum([1, hand[0]])\n", "hint One of the two is a string: int() turns it into a whole number."),
        ("    return ranks[5]\n", "hint The list is empty there, or too short for this index."),
        ("    ranks = ranks.append(1)\n    return len(ranks)\n", "hint Something is None there: append(), sort() and"),
        ("    return true\n", "name 'true' is not defined. Did you mean True?"),
        ("    return rank\n", "name 'rank' is not defined. Did you mean ranks?"),
        ("    return math.floor(1.5)\n", "Did you forget to import math?"),
        ("    return ranks.apend(1)\n", "no attribute 'apend'. Did you mean append?"),
        ("    raise NotImplementedError\n", "0 of 4 published. card_ranks is not written yet."),
        ("    if hand[0] == '6C':\n        raise NotImplementedError\n", "hint The line above is the starter file's:"),
        ("    raise SystemExit\n", "called exit instead of returning."),
        ("    ranks = list\n    return ranks(hand)(1)\n", "hint What is before the parentheses isn't a function"),
        ("    return ranks\nassert 1 > 2\n", "Put tests of your own below a line if __name__ == '__main__':"),
        ("    return ranks\nexit()\n", "The file called exit while it was loaded: take it out."),
    ],
)
def test_mistake_in_a_function_is_explained(tmp_path, source, said):
    assert said in page(tmp_path, "poker", "card_ranks", RANKS + source)


def test_unchanged_deck_is_not_reported_as_changed(tmp_path):
    text = page(tmp_path, "cribbage-lab", "shuffle", "def shuffle(deck):\n    return deck\n")
    assert "expected It should change the order of the cards." in text
    assert "and changed" not in text
    assert " hint " not in text


def test_wrong_answer_to_a_published_call_is_shown_once(tmp_path):
    text = page(tmp_path, "cribbage-lab", "generate_deck", "def generate_deck():\n    return []\n")
    assert "Published example: a wrong answer (the first of 2 such cases)" in text
    assert text.count("It should return") == 1


def test_hint_is_given_once_per_function(tmp_path):
    text = page(tmp_path, "cribbage-lab", "score_hand", "def score_hand(hand):\n    pass\n")
    assert text.count(": a wrong answer") == 2
    assert text.count(" hint ") == 1


def test_part_of_a_wrong_value_gives_no_hint_about_types(tmp_path):
    source = "def kind(n, ranks):\n    return 0, ranks\n\n\ndef two_pair(ranks):\n    return 0, ranks\n"
    assert " hint " not in page(tmp_path, "poker", "hand_rank", source + "def hand_rank(hand):\n    return 9, 0, [0]\n")


def test_wrong_function_called_by_another_is_named(tmp_path):
    source = "def score_hand(hand):\n    return -1\n\n\ndef play(d):\n    return score_hand(d[:5])\n"
    text = text_page(sheet(tmp_path, "cribbage-lab", ["play", "score_hand"], source))
    assert text.count("It calls score_hand, which is wrong, too: look there first.") == 1


def test_commands_name_the_path_that_was_typed(tmp_path):
    source = "def score_hand(hand):\n    return -1\n"
    text = text_page(sheet(tmp_path, "cribbage-lab", ["score_hand"], source, path="my work/lab.py"))
    assert "try it    kibitz mark cribbage-lab 'my work/lab.py' --call" in text
    assert text.endswith("kibitz mark cribbage-lab 'my work/lab.py'\n")


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("def play(deck):\n    return “x”\n", "hint It was pasted"),
        ("def play(deck):\n    if deck:\n        return 1\n      return 2\n", "hint All lines of a block"),
        ("def play(deck):\nreturn 1\n", "hint The line after a colon"),
        ("def play(deck):\n    x = 1\nreturn x\n", "hint This line begins too far left"),
        ("x = 1\n  y = 2\ndef play(deck): pass\n", "hint This line begins further right"),
        ("def play(deck):\n    if deck:\n\treturn 1\n", "hint Some lines begin with tabs"),
        ("def play(deck):\n    return 'x\n", "hint The quotation mark"),
        ("<<<<<<< HEAD\ndef play(deck): pass\n", "hint The mistake is at the ^"),
    ],
)
def test_syntax_mistake_is_explained(tmp_path, source, said):
    assert said in page(tmp_path, "cribbage-lab", "play", source)


def test_string_of_a_list_is_explained_even_without_a_single_right_answer(tmp_path):
    source = "def comp10001go_best_partitions(cards):\n    return str([[[card] for card in cards]])\n"
    assert "hint It returned a string that looks like a list" in page(
        tmp_path, "go", "comp10001go_best_partitions", source
    )


@pytest.mark.parametrize(
    ("source", "kept"),
    [
        (f"seen = []\n{RANKS}    seen.append(1)\n    return {WHEEL}[: 6 - len(seen)]\n", True),
        (f"{RANKS}    return {WHEEL}\n", False),
    ],
)
def test_function_that_keeps_values_between_calls_is_explained(tmp_path, source, kept):
    assert (
        "Called several times in a row, card_ranks returns other values"
        in page(tmp_path, "poker", "card_ranks", source)
    ) is kept


@pytest.mark.parametrize(
    ("name", "function", "source"),
    [
        ("cribbage-lab", "deal_card", "def deal_card(deck, hand):\n    hand = hand + [deck[0]]\n"),
        ("poker", "best_wild_hand", "def best_wild_hand(hand):\n    return ['2C', '3D', '5H', '7S', '9C']\n"),
        pytest.param(
            "huxxy",
            "comp10001huxxy_play",
            "def comp10001huxxy_play(a, b, c, d):\n    return (b, 1, ('XX', 0))\n",
            marks=sharing("huxxy"),
        ),
    ],
)
def test_no_hint_if_several_answers_or_none_may_be_right(tmp_path, name, function, source):
    if name == "huxxy":
        fast_huxxy()
    text = page(tmp_path, name, function, source)
    assert "a wrong answer" in text
    assert " hint " not in text


def test_card_inside_a_list_is_explained(tmp_path):
    source = "def comp10001go_play(discard_history, player_no, hand):\n    return [hand[0]]\n"
    assert "' should not be there." in page(tmp_path, "go", "comp10001go_play", source)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("def Play(shuffled_deck): pass\n", "Rename Play to play."),
        (
            "class Lab:\n    def play(self, deck): pass\ndef shuffle(d): pass\n",
            MOVE,
        ),
        (
            "def shuffle(deck):\n    return deck\n    def play(deck): pass\n",
            MOVE,
        ),
        ("def shuffle(deck):\n    play = 1\n    return deck\n", "The file does not define play. To "),
        ("import numpyy\n", "No module named 'numpyy' while it was loaded. If it is a file of yours, submit it too"),
    ],
)
def test_function_that_is_not_found_is_explained(tmp_path, source, said):
    assert said in page(tmp_path, "cribbage-lab", "play", source + "def deal_card(deck, hand): pass\n")


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("def play:\n    pass\n", "The file isn't valid Python: expected '(' in line 1."),
        ("Def main(deck):\n    pass\n", "The file isn't valid Python: invalid syntax in line 1."),
        (" \n", "The file is empty."),
        ("def main():\n    def play(deck): pass\n", f"The file does not define play. {MOVE}"),
    ],
)
def test_explanation_is_the_same_for_file_class_export_and_upload(tmp_path, source, said):
    lab, class_of_two, moodle = assignment("cribbage-lab"), tmp_path / "class", tmp_path / "moodle"
    write_files(tmp_path / "Ann", {"lab.py": source})
    write_files(class_of_two, {"Ann.py": source, "Bob/lab.py": "def play(deck): pass\n"})
    write_files(moodle, {"Lee Ann_1_assignsubmission_file_/lab.py": source})
    paths = [submissions(lab, path).entries[0] for path in (tmp_path / "Ann" / "lab.py", class_of_two, moodle)]
    plan = read_plan(lab, None, 1, ["play"])
    for entry in (*paths, submission_in(tmp_path / "Ann", lab.functions)):
        result = mark_submission(lab, entry.sources, plan, 1)
        assert FeedbackSheet("Ann", entry, plan, result).note == said


def test_functions_missing_for_one_reason_share_a_sentence(tmp_path):
    source = "class Lab:\n    def play(self, deck): pass\n    def shuffle(self, deck): pass\n"
    note = sheet(tmp_path, "cribbage-lab", ["play", "shuffle"], source).note
    assert note == f"The file does not define shuffle or play. {MOVE}"


def test_note_starting_with_a_file_name_keeps_its_lower_case(tmp_path):
    source = "def play(deck): pass\n"
    write_files(tmp_path, {"Ann/a.py": source, "Ann/b.py": source, "Bob/x.py": source})
    ann = submissions(assignment("cribbage-lab"), tmp_path).entries[0]
    plan = read_plan(assignment("cribbage-lab"), None)
    assert FeedbackSheet("Ann", ann, plan, SubmissionResult((), ann.why)).note.startswith(
        "a.py and b.py both define play"
    )


def test_change_to_arguments_is_not_reported_for_in_place_functions(tmp_path):
    source = "def play(deck):\n    return [deck.pop() for _ in range(10)]\n"
    assert "and changed" not in page(tmp_path, "cribbage-lab", "play", source)


@pytest.mark.parametrize(
    ("result", "said"),
    [
        ("random.shuffle(deck) or deck", "and changed deck (now ["),
        ("random.shuffle(deck) or deck", "hint Work on a copy, such as list(deck)"),
        ("[]", "cards, not 0 cards."),
        ("[deck[1]] + deck[1:]", "'] is missing."),
        ("None", "cards, not None."),
    ],
)
def test_mistake_in_a_shuffled_deck_is_explained(tmp_path, result, said):
    text = page(tmp_path, "cribbage-lab", "shuffle", f"import random\n\n\ndef shuffle(deck):\n    return {result}\n")
    assert said.removeprefix("'") in text
