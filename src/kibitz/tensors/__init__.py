"""Positions as tensors: the layout of a view's fields in cells (``features``), and their codings (``cells``)."""
