"""Steps the vector environment in Numba's simulator of a GPU and on the CPU, and prints the differences.

``python -m tests.environments.gpu_steps STEPS GAME...`` needs NUMBA_ENABLE_CUDASIM=1 in the environment. It prints
the differences by game as JSON.
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
    """The differences between the two, with random legal choices."""
    here = vector(name, LANES, players, rotate=rotate, masks=True)
    there = vector(name, LANES, players, rotate=rotate, on="cuda")
    random = np.random.default_rng(3)
    seen, infos = here.reset(seed=SEED)
    yield from differing("reset", (seen, infos), there.reset(seed=SEED))
    ended = 0
    for k in range(steps):
        choices = here.games.random_choices(random)
        *found, infos = here.step(choices)
        ended += int(found[2].sum())
        *others, other_infos = there.step(choices if k % 2 else there.device.put(choices))
        yield from differing(f"step {k}", (*found, infos), (*others, other_infos))
        for what in ("lengths", "skipped", "numbers"):
            if (getattr(here.games, what) != getattr(there, what).copy_to_host()).any():
                yield f"step {k}: {what}"
        drawn = there.random_choices(random).copy_to_host()
        if not here.games.masks()[np.arange(LANES), drawn].all():
            yield f"step {k}: {drawn} is drawn"
    if not ended:
        yield "no game ended"


def differing(where, here, there):
    """The arrays that differ; infos of finished games are compared for those only."""
    *arrays, infos = here
    *others, other_infos = there
    for k, (one, other) in enumerate(zip(arrays, others, strict=True)):
        if one.dtype != other.dtype or (one != other.copy_to_host()).any():
            yield f"{where}: array {k}"
    for name in infos:
        valid = infos.get(f"_{name}", slice(None))
        if (infos[name] != other_infos[name].copy_to_host())[valid].any():
            yield f"{where}: {name}"


def refused():
    """The differences between the two in refusing choices."""
    for choices in ([65, 1, 1], [1, 0, 1], [1, 1, 66], [1, -1, 1]):
        here, there = vector("kuhn", LANES), vector("kuhn", LANES, on="cuda")
        before, _ = here.reset(seed=SEED)
        there.reset(seed=SEED)
        answers = []
        for env in here, there:
            try:
                env.step(np.array(choices))
                answers.append("taken")
            except kibitz.errors.RuleError as error:
                answers.append(str(error))
        if answers[0] != answers[1] or (there.observations.copy_to_host() != before).any():
            yield f"{choices}: {answers}"


def sentences():
    """The errors for arguments of the wrong kind."""
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
    """Step all games, and print the differences."""
    found = {"refused": list(refused()), "sentences": list(sentences())}
    for name in names:
        game = kibitz.game(name)
        known = next(iter(policies(game)), "random")
        found[name] = [*differences(name, None, steps, rotate=False)]
        others = ["learner", *([known, "random"] * game.seats)[: game.seats - 1]]
        found[name] += differences(name, others, steps, rotate=True)
    print(json.dumps(found))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
