"""Data: simulated games in files, collections of records, and statistics of both.

    rows            tables of results, one row for every seat of every game; ``result_tables`` reads them
    input_files     the files with results and records under the paths that a user gives
    collections     records in files, folders, ZIP archives, JSON lines or Parquet, and filters: ``kibitz.records``
    statistics      win shares, scores, seats, lengths of games and pairs of players, with intervals: ``kibitz.stats``
    reports         statistics as tables and plots for people
    simulation      games played into a file: ``kibitz.simulate``
    tabulation      records turned into a table of results: ``kibitz.tabulate``

docs/data.md is the user's guide.
"""
