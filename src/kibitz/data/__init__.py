"""Data: games played into tables, collections of records, and what they say.

    rows, tables    tables of results, one row for every seat of every game: written and read
    sources         the results and records that paths name
    collections     records in files, folders, ZIP archives, JSON lines or Parquet, and filters: ``kibitz.records``
    statistics      shares of wins, scores, seats, lengths and meetings, with 95 % intervals: ``kibitz.stats``
    reports         statistics as tables and plots for people
    simulation      ``kibitz.simulate`` plays; ``tabulation``: ``kibitz.tabulate`` makes a table of records

docs/data.md explains it to users.
"""
