"""The options of a game in words: what is asked about each, and a sentence for every value that it can have.

    setting     one option; a game lists those that can be chosen in ``words.OPTIONS``
    part        of an option that is a set: one of the things that it may hold, a bit of the value each
    seldom      an option for programs, such as the cards of an imported hand: explained, but not asked about

Nothing here asks or prints; ``kibitz.players.setup`` makes questions of settings, for any front end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from kibitz.engine.sentences import listed


@dataclass(frozen=True)
class Setting:
    """One option in words.

    ``values`` has a sentence for each value that is named; ``number`` is the sentence for all others, with ``{}`` for
    the value.  An option with ``parts`` is a set: ``number`` then has ``{}`` for the parts, ``values[0]`` is for none.
    """

    name: str
    asks: str
    values: Mapping[int, str] = field(default_factory=dict)
    number: str = ""
    parts: tuple[str, ...] = ()
    seldom: bool = False

    def sentence(self, value: int) -> str:
        """What a value means; ValueError if it means nothing.

        >>> Setting("hands", "How many hands?", {1: "One hand is played."}, "{} hands are played.").sentence(3)
        '3 hands are played.'
        """
        if value in self.values:
            return self.values[value]
        if self.parts and 0 < value < 1 << len(self.parts):
            held = [part for i, part in enumerate(self.parts) if value >> i & 1]
            return capital(self.number.format(listed(held)))
        if not self.number or self.parts:
            raise ValueError(f"the option {self.name} has no words for {value}")
        return self.number.format(value)

    def is_choice(self, low: int, high: int) -> bool:
        """Whether all values from ``low`` to ``high`` are named, so that they can be listed."""
        return not self.number and not self.parts and all(value in self.values for value in range(low, high + 1))


def capital(text: str) -> str:
    """A text with its first letter large."""
    return text[:1].upper() + text[1:]


def described(settings: Iterable[Setting], options: Mapping[str, int]) -> list[str]:
    """The sentences for some options, in the order of the settings."""
    return [setting.sentence(options[setting.name]) for setting in settings if setting.name in options]


def switch(name: str, asks: str, off: str, on: str) -> Setting:
    """An option that is 0 or 1."""
    return Setting(name, asks, {0: off, 1: on})


def count(name: str, asks: str, number: str, one: str = "", *, none: str = "", seldom: bool = False) -> Setting:
    """An option that is a number; ``one`` and ``none`` are the sentences for 1 and 0 where they differ."""
    named = {value: sentence for value, sentence in ((0, none), (1, one)) if sentence}
    return Setting(name, asks, named, number, seldom=seldom)
