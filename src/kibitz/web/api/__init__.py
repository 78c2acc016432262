"""What can be asked for over HTTP: operations with their types, from which routes and /openapi.json are made.

operation       ``Operation``: a method and a path, what it takes and gives, and the function that does it
games           games, their options and computer players
tables          tables made, sat down at, and played at by programs
finished_games  finished games, step by step
people          guests, accounts, sessions, tokens
tournaments     tournaments with their tables and results, and what lecturers do with them
players         players of a tournament: submitted, tried, rated
matches         matches of a tournament, watched while they are played
jobs            what takes long: reviews, rounds, finals, custom games, proofs, marks
server          the server's health, and /openapi.json
"""
