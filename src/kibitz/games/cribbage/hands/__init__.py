"""The scores of cribbage hands: one counted for people, and many at once in machine code or on a GPU."""
