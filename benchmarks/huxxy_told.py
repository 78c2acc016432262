"""Worlds of a seat of Huxxy that is told all hands, and not the stock's order: in the place of what it imagines."""

from kibitz.kernel import kernel


@kernel
def imagined(s, seat, scratch):
    """Redraw nothing: the stock has no order, and what is picked up from it is by the key of the world."""
    return True
