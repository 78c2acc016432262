"""Steps the vector environment in Numba's simulator of a GPU beside that of the cores, and prints what differs.

``python -m tests.environments.gpu_steps STEPS GAME...`` needs NUMBA_ENABLE_CUDASIM=1 in the environment. It prints, as
JSON, by game the differences.
"""

import json
import sys

import numpy as np

import kibitz
from kibitz.engine.kernels.policies import policies
from kibitz.environments import vector

LANES = 3
SEED = 7 << 40


def differences(name, players, steps, *, rotate):
    """What differs between the two, with random legal choices."""
    here = vector(name, LANES, players, rotate=rotate, masks=True)
    there = vector(name, LANES, players, rotate=rotate, on="cuda")
    random = np.random.default_rng(3)
    seen, told = here.reset(seed=SEED)
    yield from differing("reset", (seen, told), there.reset(seed=SEED))
    ended = 0
    for k in range(steps):
        choices = here.games.random_choices(random)
        *found, told = here.step(choices)
        ended += int(found[2].sum())
        *others, others_told = there.step(choices if k % 2 else there.device.put(choices))
        yield from differing(f"step {k}", (*found, told), (*others, others_told))
        for what in ("lengths", "skipped", "numbers"):
            if (getattr(here.games, what) != getattr(there, what).copy_to_host()).any():
                yield f"step {k}: {what}"
        drawn = there.random_choices(random).copy_to_host()
        if not here.games.masks()[np.arange(LANES), drawn].all():
            yield f"step {k}: {drawn} is drawn"
    if not ended:
        yield "no game ended"


def differing(where, here, there):
    """Which arrays differ; what is said of games that ended counts only for those."""
    *arrays, told = here
    *others, others_told = there
    for k, (one, other) in enumerate(zip(arrays, others, strict=True)):
        if one.dtype != other.dtype or (one != other.copy_to_host()).any():
            yield f"{where}: array {k}"
    for name in told:
        valid = told.get(f"_{name}", slice(None))
        if (told[name] != others_told[name].copy_to_host())[valid].any():
            yield f"{where}: {name}"


def refused():
    """What is said of choices that are refused, by both."""
    for choices in ([65, 1, 1], [1, 0, 1], [1, 1, 66], [1, -1, 1]):
        here, there = vector("kuhn", LANES), vector("kuhn", LANES, on="cuda")
        before, _ = here.reset(seed=SEED)
        there.reset(seed=SEED)
        told = []
        for env in here, there:
            try:
                env.step(np.array(choices))
                told.append("taken")
            except kibitz.errors.RuleError as error:
                told.append(str(error))
        if told[0] != told[1] or (there.observations.copy_to_host() != before).any():
            yield f"{choices}: {told}"


def sentences():
    """What is said of arguments of the wrong kind."""
    env = vector("kuhn", LANES, on="cuda")
    wrong = [[1, 1], [0.5] * LANES, env.device.put(np.ones(2, np.int64)), env.device.put(np.ones(LANES))]
    for act in (
        *(lambda choices=one: env.step(choices) for one in wrong),
        lambda: env.reset(options={"reset_mask": 1}),
    ):
        try:
            act()
            yield "taken"
        except kibitz.errors.NotationError as error:
            yield str(error)


def main(steps, names):
    """Step all games, and print what differs."""
    told = {"refused": list(refused()), "sentences": list(sentences())}
    for name in names:
        game = kibitz.game(name)
        known = next(iter(policies(game)), "random")
        told[name] = [*differences(name, None, steps, rotate=False)]
        others = ["learner", *([known, "random"] * game.seats)[: game.seats - 1]]
        told[name] += differences(name, others, steps, rotate=True)
    print(json.dumps(told))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
