"""``kibitz completion``: completion of commands and options in a shell."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import Parameter

from kibitz.cli.screen import print_text


def completion(shell: Annotated[Literal["bash", "zsh", "fish"], Parameter(help="Your shell.")], /) -> None:
    """Print a script that completes commands and options.

    For bash, add this line to ~/.bashrc: eval "$(kibitz completion bash)"
    """
    from kibitz.cli import app

    print_text(app.generate_completion(shell=shell))
