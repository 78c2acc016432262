"""What hands of cribbage are worth: one counted for people, and many at once in machine code or on a GPU."""
