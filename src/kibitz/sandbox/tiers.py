"""The confinement tier of players' processes on this machine, determined once in each process of Kibitz.

outer       everything of "default", inside bubblewrap's namespaces
default     rlimits, Landlock and seccomp, which the player's process applies to itself, with its own view of the file
            system if the kernel allows namespaces; needs neither root nor another program
none        the kernel lacks Landlock or seccomp: the steps that it supports are applied, and games aren't rated

The environment variable ``KIBITZ_SANDBOX`` can request "outer" or "default", but not "none".
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from os.path import dirname

from kibitz.errors import ConfinementError, NotationError

NAMES = ("outer", "default")
TIER_VARIABLE = "KIBITZ_SANDBOX"
TRIAL_SECONDS = 20
OPTIONS = ("-s", "-P", "-B", "-X", "utf8")
"""Options of the interpreter. ``-I`` isn't among them, because it would ignore the hash seed."""
ENVIRONMENT = {
    "PYTHONHASHSEED": "0",
    "PYTHONCOERCECLOCALE": "0",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
}
"""The whole environment of a player's process; the last two let NumPy start in little memory."""
SEE_OTHERS, SEE_LOOKUPS = "see what other processes do", "learn which missing files others have looked for"
OPEN_TO_PAIRS = frozenset((SEE_OTHERS, SEE_LOOKUPS))
"""Channels that can't be closed on some kernels; only conspiring players can use them."""
TRIAL_CODE = "import sys; sys.path.insert(0, sys.argv[1]); from kibitz.sandbox.trial import main; main()"


@dataclass(frozen=True)
class Tier:
    """The confinement of players' processes here: the tier's name, why it is this one, and the Landlock ABI in use."""

    name: str
    reason: str
    landlock: int = 0
    seccomp: bool = False
    private: bool = True
    """Whether players see nothing of other processes; false if the kernel doesn't let users make namespaces."""
    hides_lookups: bool = True
    """Whether failed look-ups of file names leave no trace; false if the kernel allows too few mounts."""

    @property
    def confines(self) -> bool:
        """Whether players are confined; only then may rated games be played."""
        return self.name in NAMES

    def command(self, code: str, *arguments: str) -> list[str]:
        """The command line that runs Python code in this tier.

        The code gets the folder of the package ``kibitz`` as ``sys.argv[1]``, followed by ``arguments``.
        """
        command = [sys.executable, *OPTIONS, "-c", code, home(), *arguments]
        if self.name != "outer":
            return command
        from kibitz.sandbox.confinement import confined_command

        return confined_command(command, ENVIRONMENT, home())


@dataclass(frozen=True)
class TierRequest:
    """A request by a test or the doctor: a tier (default: the best), and the newest Landlock ABI to use."""

    name: str = ""
    landlock: int = 99


_request = TierRequest()
_adopted: Tier | None = None


def request_tier(name: str = "", landlock: int = 99) -> None:
    """Request a tier instead of the best one. Raises NotationError if there is no tier of that name."""
    global _adopted, _request
    if name not in ("", *NAMES):
        raise NotationError(f"unknown tier {name!r}; known tiers: outer, default.")
    _adopted, _request = None, TierRequest(name, landlock)
    tier.cache_clear()


def adopt(adopted: Tier) -> None:
    """Use the tier that another process of Kibitz has determined on this machine, so that a worker skips the trial."""
    global _adopted
    _adopted = adopted
    tier.cache_clear()


@lru_cache(maxsize=1)
def tier() -> Tier:
    """The tier in force: the requested one, or else the best that passes its trial."""
    if _adopted:
        return _adopted
    if sys.platform != "linux":
        return Tier("none", "Landlock and seccomp need Linux.")
    name = _request.name or os.environ.get(TIER_VARIABLE, "")
    if name not in ("", *NAMES):
        raise NotationError(f"{TIER_VARIABLE} is {name!r}: set it to outer or default, or unset it.")
    why_not_outer = "It was asked for."
    if name != "default":
        result = outer_tier()
        if result.confines or name == "outer":
            return result
        why_not_outer = result.reason
    return default_tier(why_not_outer)


def outer_tier() -> Tier:
    """The outer tier, or the tier "none" with the reason why the outer one isn't possible."""
    from kibitz.sandbox.confinement import bubblewrap

    if not bubblewrap():
        return Tier("none", "Bubblewrap (bwrap) is not installed.")
    fault, open_channels = try_tier(Tier("outer", "", usable_abi(), True))
    if SEE_OTHERS in open_channels:
        fault = f"a player's process can still {SEE_OTHERS}."
    if fault:
        return Tier("none", f"Bubblewrap does not work here: {fault}")
    reason = "Bubblewrap, Landlock and seccomp passed their tests."
    return Tier("outer", reason, usable_abi(), True, hides_lookups=not open_channels)


def default_tier(why_not_outer: str) -> Tier:
    """The default tier, or "none"; ``why_not_outer`` says why the tier isn't the outer one."""
    abi = usable_abi()
    if not abi:
        return Tier("none", "This kernel has no Landlock: it needs Linux 5.13 or newer with Landlock switched on.")
    reason = f"Landlock and seccomp passed their tests. Not the outer tier: {why_not_outer}"
    fault, open_channels = try_tier(Tier("default", "", abi, True))
    if fault:
        return Tier("none", fault)
    private = SEE_OTHERS not in open_channels
    return Tier("default", reason, abi, True, private=private, hides_lookups=not open_channels)


def usable_abi() -> int:
    """The Landlock ABI to use: the kernel's, but no newer than Kibitz supports, and no newer than requested."""
    from kibitz.sandbox.linux import NEWEST_ABI, kernel_abi

    return min(kernel_abi(), NEWEST_ABI, _request.landlock)


def try_tier(candidate: Tier) -> tuple[str, frozenset[str]]:
    """Try a tier on a child process; return its fault, and its open channels (some of ``OPEN_TO_PAIRS``).

    The fault is a sentence, empty if the tier passes its trial.
    """
    import subprocess

    command = candidate.command(TRIAL_CODE, str(candidate.landlock))
    try:
        trial = subprocess.run(
            command, capture_output=True, env=ENVIRONMENT, cwd="/", timeout=TRIAL_SECONDS, stdin=subprocess.DEVNULL
        )
        faults = json.loads(trial.stdout)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"its trial could not be run ({type(error).__name__}).", frozenset()
    except ValueError:
        lines = trial.stderr.decode("utf-8", "replace").strip().splitlines()
        reason = lines[-1][:200] if lines else f"its trial ended with status {trial.returncode}"
        return reason.rstrip(".") + ".", frozenset()
    return fault_sentence(faults), OPEN_TO_PAIRS.intersection(faults)


def fault_sentence(faults: Sequence[str]) -> str:
    """A sentence on those faults of a trial that rule a tier out; empty if there are none.

    >>> fault_sentence([SEE_OTHERS])
    ''
    """
    # Faults that begin with these verbs are abilities that a player's process lacks (``trial``).
    lacking = [fault for fault in faults if fault.startswith(("be ", "find ", "survive "))]
    if lacking:
        return f"a player's process cannot {' or '.join(lacking)}."
    forbidden = [fault for fault in faults if fault not in OPEN_TO_PAIRS]
    return f"a player's process can still {' and '.join(forbidden)}." if forbidden else ""


def require_confinement() -> Tier:
    """The tier in force. Raises ConfinementError if it doesn't confine players, since rated games need that."""
    result = tier()
    if not result.confines:
        raise ConfinementError(
            "Rated games need the sandbox, which doesn't work on this machine ('kibitz arena doctor' says more): "
            f"{after_colon(result.reason)}"
        )
    return result


def after_colon(sentence: str) -> str:
    """A sentence for use after a colon: with a small first letter, unless it begins with a name."""
    names = ("Landlock", "Bubblewrap", "Linux")
    return sentence if sentence.startswith(names) else sentence[:1].lower() + sentence[1:]


def home() -> str:
    """The directory that has the package ``kibitz``."""
    return dirname(dirname(dirname(os.path.abspath(__file__))))
