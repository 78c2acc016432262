"""Thinking ahead: search over the worlds that a seat cannot tell apart, and games solved."""
