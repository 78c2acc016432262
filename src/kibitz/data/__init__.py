"""Data: games simulated into tables, collections of records, and statistics of both.

    rows            tables of results, one row for every seat of every game; ``result_tables`` reads them
    input_files     the files with results and records under the paths that a user gives
    collections     records in files, folders, ZIP archives, JSON lines or Parquet, and filters: ``kibitz.records``
    statistics      shares of wins, scores, seats, lengths and pairs, with 95 % intervals: ``kibitz.stats``
    reports         statistics as tables and plots for people
    simulation      ``kibitz.simulate`` plays; ``tabulation``: ``kibitz.tabulate`` makes a table of records

docs/data.md is the user's guide.
"""
