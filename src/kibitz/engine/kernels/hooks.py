"""The kernels that every game provides: generic kernels import these names, and ``compilation`` replaces them.

deal        start a game: the options are set, everything else is set from the four words of a seed
refusal     0 if an action is legal now, otherwise why not: a member of the game's ``Reason``
legal_mask  the legal actions as the bits of one integer, for games with at most 62; ``legal`` follows from it
            (``engine.assembly``); other games leave it out
why_illegal with ``legal_mask``, instead of ``refusal``: the ``Reason`` against an action that is illegal now, although
            the game isn't over and the action is one of the game's
legal       write every legal action into ``out``, in an order that reveals nothing hidden; return how many
apply       carry out a legal action
returns     write what each seat has earned into ``out``
resample    redraw all that a seat cannot know, consistently with everything it does know, and return True; or return
            False to be called again: it need not restore the state, but the next attempt must be able to succeed
substitute  the action that the referee takes for a seat that has forfeited
min_amount, max_amount
            the first and the last of the amounts that are legal now, for games whose actions from ``FIRST_AMOUNT`` on
            are amounts; other games leave these two out, and no amount is legal
legal_count how many actions are legal, for random actions; ``scratch`` is an array with room for the longest list of
            ``legal``, and ``legal_at`` may read what is in it afterwards.  Games that can count without listing have
            both kernels, others neither
legal_at    the action at index ``i`` of ``legal``'s list; called after ``legal_count``, any number of times
simultaneous
            whether the current seat and all seats after it choose at the same time; default: no

Where a game leaves one of these out, the code below is used, with the game's own kernels in it.  The following belong
to strategies, and are in a game's ``policies.py``:

choose            the action of the seat to move by a strategy (``engine.kernels.policies``); default: a random one
worth             instead of ``choose``: how good a legal action is; the best is chosen, or the first of several
truncate_rollout  shorten a simulated game whose rest can't change which choice is best; default: play it to its end
evaluate          write what each seat can expect into ``out`` when a simulated game stops; default: what it has earned
observe_action    what a seat sees of an action that is about to be taken, as a number: equal for two actions if and
                  only if their events tell the seat the same (``contract.policy_checks``); default: the action
"""

from kibitz.cards.chance import randbelow
from kibitz.kernel import hook


@hook
def deal(s, k0, k1, k2, k3):
    """Start a game from a 128-bit seed."""
    raise NotImplementedError


@hook
def refusal(s, a):
    """Why action ``a`` is forbidden now, or 0."""
    raise NotImplementedError


@hook
def legal_mask(s):
    """The legal actions as the bits of an integer."""
    raise NotImplementedError


@hook
def why_illegal(s, a):
    """Why action ``a`` is illegal."""
    raise NotImplementedError


@hook
def legal(s, out):
    """Write the legal actions to ``out``, and return how many there are."""
    raise NotImplementedError


@hook
def apply(s, a):
    """Carry out a legal action."""
    raise NotImplementedError


@hook
def returns(s, out):
    """Write what each seat has earned to ``out``."""
    raise NotImplementedError


@hook
def resample(s, seat):
    """Redraw what ``seat`` cannot know; return whether that succeeded."""
    raise NotImplementedError


@hook
def substitute(s):
    """The substitute for a forfeited seat."""
    raise NotImplementedError


@hook
def min_amount(s):
    """The first amount that is legal."""
    return 0


@hook
def max_amount(s):
    """The last amount that is legal; less than ``min_amount`` if no amount is."""
    return -1


@hook
def legal_count(s, scratch):
    """How many actions are legal; this default lists them in ``scratch``."""
    return legal(s, scratch)


@hook
def legal_at(s, i, scratch):
    """The legal action at index ``i`` of the list."""
    return scratch[i]


@hook
def choose(s, policy, rng, scratch):
    """The action of the seat to move, by strategy number ``policy``."""
    return legal_at(s, randbelow(rng, legal_count(s, scratch)), scratch)


@hook
def worth(s, policy, a):
    """How good a legal action is by strategy number ``policy``."""
    raise NotImplementedError


@hook
def truncate_rollout(s):
    """Shorten the rest of a simulated game; this default leaves it as it is."""
    return 0


@hook
def evaluate(s, out):
    """Write to ``out`` what each seat can expect where a simulated game stops."""
    returns(s, out)


@hook
def observe_action(s, seat, a):
    """What ``seat`` sees of action ``a``, which is about to be taken; the default is the action itself."""
    return a


@hook
def simultaneous(s):
    """Whether the current seat and all seats after it choose at the same time."""
    return 0
