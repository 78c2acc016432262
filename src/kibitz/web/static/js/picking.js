// Making up an action from its parts, in any order: the same rule as `kibitz.engine.scene.Picking`.
//
//   part      one thing that is taken: a card, a place, a button; `legal[i].parts` are indices into the parts
//   chosen    the indices taken so far, in the order in which they were taken
//   offered   the indices that can be taken now: those of legal actions that have all that is chosen

/** What can be done with what is chosen: `{offered, complete, open}`, where `open` are the legal actions that have all
 *  that is chosen, and `complete` is the one that has nothing else, or null. */
export function picking(legal, chosen) {
  const open = legal.filter((choice) => chosen.every((part) => choice.parts.includes(part)));
  const offered = new Set(open.flatMap((choice) => choice.parts));
  chosen.forEach((part) => offered.delete(part));
  return { offered, open, complete: open.find((choice) => choice.parts.length === chosen.length) ?? null };
}

/** The same for choices that belong together: each is one part, and they are complete when `count` of them are chosen. */
export function collecting(legal, chosen, count) {
  const single = legal.filter((choice) => choice.parts.length === 1);
  const rest = single.filter(({ parts: [part] }) => !chosen.includes(part));
  const full = chosen.length === count;
  return {
    offered: new Set(full ? [] : rest.map(({ parts: [part] }) => part)),
    open: single,
    complete: full ? { verb: single[0].verb, label: `${count} cards`, together: true } : null,
  };
}

/** Whether a complete choice is played at once: nothing could be added, and it isn't one of several cards, which has a
 *  button of its own. */
export function playsAtOnce(parts, chosen, { complete, offered }) {
  if (!complete || offered.size > 0) return false;
  return chosen.length < 2 || chosen.some((part) => parts[part].kind !== "card");
}
