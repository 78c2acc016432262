"""Benchmarks of Kibitz, beside simple programs and other systems: ``python -m benchmarks [name ...]``.

Each module named in ``benchmarks.__main__`` has a function ``rows()``; ``harness`` measures and prints.
Nothing here is a test, and nothing in the tests is timed.
"""
