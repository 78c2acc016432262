"""What can be asked for over HTTP: operations with their types, from which routes and /openapi.json are made.

operation   ``Operation``: a method and a path, what it takes and gives, and the function that does it
catalogue   games, their options and computer players
tables      tables made, sat down at, and played at by programs
played      finished games, step by step
people      guests, accounts, sessions, tokens
arena       tournaments with their tables and results
seasons     what lecturers do: tournaments begun, opened and closed, whose players there are
contestants a player's versions, matches and rating, and why it has failed
submissions players that are handed in and tried
work        what takes long: reviews, rounds, finals, custom games, proofs, marks
"""
