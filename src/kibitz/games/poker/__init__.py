"""Poker: what a hand is worth, and the games played for it."""

from __future__ import annotations

from kibitz.engine.game import Game

GAMES: tuple[Game, ...] = ()
