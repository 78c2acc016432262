"""Benchmarks of Kibitz, beside simple programs and other systems: ``python -m benchmarks [name ...]``.

``benchmarks.__main__`` names the functions that return rows, which ``harness`` measures and prints, and the studies,
which have a command each.
Nothing here is a test, and nothing in the tests is timed.
"""
