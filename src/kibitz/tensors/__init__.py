"""Positions as tensors: how what a view declares is laid out in cells (``features``), and the codings (``cells``)."""
