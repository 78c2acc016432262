"""The options of a game, each declared once, in ``rules.OPTIONS``.

An option is also a field of the state.  The declaration has its default, its range, its value in the mini variant, the
question about it in the set-up dialogue (``kibitz.players.setup``), and a sentence for every value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kibitz.engine.sentences import listed


@dataclass(frozen=True)
class Option:
    """One option of a game: a whole number that is fixed before the deal.

    default     its value, unless another one is chosen
    range       the lowest and the highest value that can be chosen; if it is missing, the option can't be changed
    mini        its value in the mini variant, where its range is ``mini_range``; if it is missing, value and range stay
    ask         the question about it
    says        the sentence for a value, with ``{}`` for the value
    one, none   the sentences for the values 1 and 0, where ``says`` doesn't fit; an on/off option has only these two
    values      further values that have a sentence of their own, with the sentence
    parts       for an option that is a set: the names of its possible members, one for each bit of the value; ``says``
                then has ``{}`` for the members, and ``none`` is for the empty set
    advanced    whether few people need it, such as the cards of an imported hand: it is explained, but not asked about
    """

    name: str
    default: int = 0
    range: tuple[int, int] | None = None
    mini: int | None = None
    mini_range: tuple[int, int] | None = None
    ask: str = ""
    says: str = ""
    one: str = ""
    none: str = ""
    values: Mapping[int, str] = field(default_factory=dict)
    parts: tuple[str, ...] = ()
    advanced: bool = False

    @property
    def fixed_sentences(self) -> dict[int, str]:
        """The sentences for single values, by value."""
        return {value: sentence for value, sentence in ((0, self.none), (1, self.one)) if sentence} | dict(self.values)

    def sentence(self, value: int) -> str:
        """The sentence for a value. Raises ValueError if it has none.

        >>> Option("hands", says="{} hands are played.", one="One hand is played.").sentence(3)
        '3 hands are played.'
        """
        if value in self.fixed_sentences:
            return self.fixed_sentences[value]
        if self.parts and 0 < value < 1 << len(self.parts):
            chosen_parts = [part for i, part in enumerate(self.parts) if value >> i & 1]
            return capital(self.says.format(listed(chosen_parts)))
        if not self.says or self.parts:
            raise ValueError(f"the option {self.name} has no words for {value}")
        return self.says.format(value)

    def is_choice(self, low: int, high: int) -> bool:
        """Whether every value from ``low`` to ``high`` has a sentence of its own, so that they can be listed."""
        return not self.says and not self.parts and all(value in self.fixed_sentences for value in range(low, high + 1))


def capital(text: str) -> str:
    """A text with a capital first letter."""
    return text[:1].upper() + text[1:]
