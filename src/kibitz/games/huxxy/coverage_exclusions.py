"""What no position of the contract shows, and why: see ``kibitz.engine.contract.cover``."""

JOKERS = "rare: two Jokers meet on the table; tests of the rules set this up"
GROUPS = "rare: so large or full a group is not built in a short game; tests of the groups go through all groups"
EMPTIED = "rare: a turn takes a whole group apart and still ends validly; tests of the rules set this up"
MACHINE = "rare: it depends on the machine, not on the position; tests hold both searches side by side"
LIMITED = "the prompt looks ahead only during a turn, and never without a limit"

EXCLUSIONS = {
    "Reason.TWO_JOKERS": JOKERS,
    "rules.refusal: s.group_once[group] & 1 << card & JOKER_BIT, true": JOKERS,
    "groups.is_valid: twice >> JOKER, true": "rules refuse the second Joker of a group before this is asked",
    "groups.is_valid: cards < 9, false": GROUPS,
    "groups.is_valid: suits + jokers > 3, false": GROUPS,
    "groups.is_valid: block == FULL_PACK, true": GROUPS,
    "groups.is_valid: jokers == 0 (2), false": GROUPS,
    "groups.is_valid: gap > block (3), true": GROUPS,
    "groups.is_valid: twice == 0, false": GROUPS,
    "groups.is_valid: gap & gap - 1 == 0, false": GROUPS,
    "rules.tidy: s.group_once[g], false": EMPTIED,
    "rules.tidy: for g in range(kept, s.groups), entered": EMPTIED,
    "best.can_end: view.plays == 0, true": LIMITED,
    "best.can_end: limit, false": LIMITED,
    "best.can_end: view.placed == 0, true": "rare: a turn begins with a card of the table; tests of Huxxy set this up",
    "best.can_end: w[work.NODES] > limit, true": "rare: so many turns are possible that the prompt stops looking",
    "best.searched: limit, false": LIMITED,
    "best.solver: not _looked.ready, false": MACHINE,
    "best.solver: not _looked.ready, true": MACHINE,
    "best.solver: monotonic() >= _looked.again, false": MACHINE,
    "best.solver: monotonic() >= _looked.again, true": MACHINE,
    "best.solver: _looked.ready, false": MACHINE,
    "best.solver: _looked.ready, true": MACHINE,
    "best.solver: except ImportError, entered": MACHINE,
}
