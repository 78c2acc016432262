"""``kibitz arena``: one small module a command."""
