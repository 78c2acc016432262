"""Marking a class: results don't depend on workers or interruptions, and nothing is marked twice."""

import time
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context

import msgspec
import pytest

from kibitz.errors import KibitzError
from kibitz.marking import marker
from kibitz.marking.assignments import assignment, plan_from
from kibitz.marking.class_marking import MarkingFolder
from kibitz.marking.marker import KeptResults, key_of, mark_all
from kibitz.players.files.entries import FolderEntry
from kibitz.players.files.sources import Sources

LAB = assignment("cribbage-lab")
PLAN = plan_from(LAB, {}, 6, ["deal_card", "shuffle"])


def student(name, returned=0):
    """A file that prints, and is right in some cases."""
    source = "import random\ndef shuffle(deck):\n    print('cards', len(deck))\n"
    source += f"    return random.sample(deck, len(deck)) if deck[0][1] % 3 else {returned}\n"
    return FolderEntry(name, f"{name}.py", Sources(((f"{name}.py", source.encode()),)))


CLASS = [student(f"s{i}", i) for i in range(5)] + [FolderEntry("lost", "lost", None, "No Python file found.")]


def plain(results):
    """Results without their times."""
    return [msgspec.structs.replace(result, seconds=0.0) for result in results]


@pytest.mark.long
def test_results_do_not_depend_on_the_number_of_workers():
    progress = []
    one = mark_all(CLASS, PLAN, 7, KeptResults(None), 1, lambda done, of: progress.append((done, of)))
    assert progress == [(done, 6) for done in range(1, 7)]
    assert plain(one) == plain(mark_all(CLASS, PLAN, 7, KeptResults(None), 3))
    assert plain(one) == plain(mark_all(CLASS, PLAN, 7, KeptResults(None), 1))
    assert plain(one) != plain(mark_all(CLASS, PLAN, 8, KeptResults(None), 1))
    assert one[5].why == "No Python file found."
    assert {outcome.right for outcome in one[0].outcomes if outcome.name == "shuffle"} == {5}


def test_case_asked_alone_has_no_other_case_beside_it():
    slots, running, alone_counts, shared_counts = marker.CaseSlots(get_context("spawn"), 3), [], [], []

    def cases(alone):
        for _ in range(40):
            with slots.hold(alone):
                running.append(alone)
                (alone_counts if alone else shared_counts).append(len(running))
                time.sleep(0.0005)
                running.remove(alone)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(cases, [False, False, True, True]))
    assert set(alone_counts) == {1}
    assert max(shared_counts) > 1


@pytest.mark.parametrize("workers", [1, 2])
def test_finished_results_are_kept_when_marking_is_stopped(tmp_path, workers, monkeypatch):
    done = []
    first = mark_all(
        CLASS, PLAN, 7, KeptResults(tmp_path), workers, lambda now, of: done.append(now), lambda: len(done) > 2
    )
    reached = [result is not None for result in first]
    assert reached[5]
    assert 2 <= sum(reached) < 6
    asked = []
    own = marker.mark_submission
    monkeypatch.setattr(marker, "mark_submission", lambda *given: asked.append(given) or own(*given))
    whole = mark_all(CLASS, PLAN, 7, KeptResults(tmp_path), 1)
    assert len(asked) == 6 - sum(reached)
    assert plain(whole) == plain(mark_all(CLASS, PLAN, 7, KeptResults(None), 1))
    assert [a for a, there in zip(whole, reached, strict=True) if there] == [a for a in first if a is not None]


def test_marking_stops_with_many_submissions_still_waiting():
    everybody = [student(f"s{number}", number) for number in range(20)]
    assert mark_all(everybody, PLAN, 7, KeptResults(None), 2, stopped=lambda: True).count(None) >= 16


def test_only_changed_submissions_are_marked_again(tmp_path, monkeypatch):
    mark_all(CLASS, PLAN, 7, KeptResults(tmp_path), 1)
    asked = []
    own = marker.mark_submission
    monkeypatch.setattr(marker, "mark_submission", lambda *given: asked.append(given[1].main) or own(*given))
    mark_all([*CLASS[:2], student("s2", "new"), *CLASS[3:]], PLAN, 7, KeptResults(tmp_path), 1)
    assert asked == ["s2.py"]
    mark_all(CLASS, PLAN, 8, KeptResults(tmp_path), 1)
    assert len(asked) == 6
    (tmp_path / f"{key_of(CLASS[0], PLAN, 7)}.json").write_bytes(b"damaged")
    mark_all(CLASS, PLAN, 7, KeptResults(tmp_path), 1)
    mark_all(CLASS, PLAN, 8, KeptResults(tmp_path), 1)
    assert len(asked) == 7
    assert not list(tmp_path.glob(".*")), "no drafts are left"


def test_result_key_covers_files_cases_and_limits_but_not_names_and_weights():
    key = key_of(CLASS[0], PLAN, 7)
    copy = Sources((("copy.py", CLASS[0].sources.files[0][1]),))
    assert key == key_of(msgspec.structs.replace(CLASS[0], name="other"), PLAN, 7)
    assert key == key_of(
        CLASS[0], plan_from(LAB, {"functions": {"shuffle": {"weight": 3}}}, 6, ["deal_card", "shuffle"]), 7
    )
    others = [
        key_of(CLASS[1], PLAN, 7),
        key_of(msgspec.structs.replace(CLASS[0], sources=copy), PLAN, 7),
        key_of(CLASS[0], PLAN, 8),
        key_of(CLASS[0], plan_from(LAB, {}, 7, ["deal_card", "shuffle"]), 7),
        key_of(CLASS[0], plan_from(LAB, {}, 6, ["shuffle"]), 7),
        key_of(CLASS[0], plan_from(LAB, {"functions": {"shuffle": {"seconds": 1}}}, 6, ["deal_card", "shuffle"]), 7),
    ]
    assert len({key, *others}) == 7


def test_marks_folder_belongs_to_one_assignment_and_seed(tmp_path):
    first = MarkingFolder(tmp_path / "marks", "go", None)
    again = MarkingFolder(tmp_path / "marks", "go", None)
    assert again.seed == first.seed
    assert MarkingFolder(tmp_path / "marks", "go", first.seed).seed == first.seed
    with pytest.raises(KibitzError, match="another seed"):
        MarkingFolder(tmp_path / "marks", "go", first.seed + 1)
    with pytest.raises(KibitzError, match="has the marks of go"):
        MarkingFolder(tmp_path / "marks", "bo", None)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.txt").write_text("mine")
    with pytest.raises(KibitzError, match="isn't a folder of marks"):
        MarkingFolder(tmp_path / "other", "go", None)
    with pytest.raises(KibitzError, match="exists and isn't a folder of marks"):
        MarkingFolder(tmp_path / "other" / "thesis.txt", "go", None)


def test_run_without_an_option_of_the_last_run_is_refused(tmp_path):
    MarkingFolder(tmp_path, "go", 1, ["--marks", "--worksheet"]).write([], {})
    with pytest.raises(KibitzError, match="was marked with --worksheet last time: give the same again"):
        MarkingFolder(tmp_path, "go", 1, ["--marks"])
    MarkingFolder(tmp_path, "go", 1, ["--marks", "--worksheet", "--overrides"])


def test_only_files_of_the_last_run_are_removed(tmp_path):
    folder = MarkingFolder(tmp_path / "marks", "go", 1)
    (tmp_path / "marks" / "notes.txt").write_text("mine")
    (tmp_path / "outside.txt").write_text("mine")
    folder.write([], {"a.csv": "1", "feedback/x.txt": "2"})
    folder.state.written.append("../outside.txt")
    folder.write([], {"a.csv": "3", "feedback/y.txt": b"4"})
    found = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert found == {"outside.txt", "marks/notes.txt", "marks/a.csv", "marks/feedback/y.txt", "marks/marking.json"}
    assert (tmp_path / "marks" / "a.csv").read_text() == "3"
