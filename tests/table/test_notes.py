"""Notes of a record: their move, and how an undo changes it."""

from kibitz.table.table import note_after_undo, notes_by_step


def test_a_note_moves_back_with_an_undo():
    note = "after move 12: Ann is back."
    assert [note_after_undo(note, step) for step in (0, 11, 12, 13)] == [
        *("after move 0: Ann is back.", "after move 11: Ann is back."),
        *(note, note),
    ]
    assert note_after_undo("Played at home.", 0) == "Played at home."
    assert note_after_undo("Ben said: after move 12: Ann is back.", 0) == "Ben said: after move 12: Ann is back."


def test_notes_are_ordered_by_move_then_by_creation():
    notes = ["after move 10: b.", "after move 9: c.", "Played at home.", "after move 10: a.", "after move 0: d."]
    assert list(notes_by_step(notes)) == [(0, "Played at home."), (0, "d."), (9, "c."), (10, "b."), (10, "a.")]
