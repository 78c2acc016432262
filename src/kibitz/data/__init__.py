"""Data: games played into tables, collections of records, and what they say.

    table       results in a file, one row for every seat of every game (``rows``), as CSV, JSON lines or Parquet
    collection  records in files, folders, ZIP archives, JSON lines or Parquet (``collections``)
    filter      which games of a table or a collection are meant (``filters``)
    statistics  shares of wins, scores, seats, lengths and meetings, with 95 % intervals (``statistics``)

``simulating`` plays, ``tables`` writes and reads, ``gathering`` holds many rows as arrays, ``reports`` draws and
tabulates.  docs/data.md tells it to those who use it.
"""
