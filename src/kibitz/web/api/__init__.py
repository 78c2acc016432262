"""The operations over HTTP with their types, from which routes and /openapi.json are made.

operation       ``Operation``: a method, a path, types and a handler; ``Router``: the operations of a module
games           games, their options and computer players
tables          making and joining tables, and playing at them
finished_games  finished games, step by step
puzzles         a puzzle a day for each game
people          guests, accounts, sessions, tokens
tournaments     tournaments with their rankings and results, and what lecturers do with them
players         players of a tournament: submissions, checks, ratings
matches         matches of a tournament, in progress or finished
jobs            long work: reviews, rounds, finals, custom games, proofs
marks           marks for a class or one student
server          the server's health, and /openapi.json
"""
