// Composing an action from its parts, in any order: the same rule as `kibitz.engine.scene.Picking`.
//
//   part      one thing that can be chosen: a card, a place, a button; `legal[i].parts` are indices into the parts
//   chosen    the indices of the parts chosen so far, in the order in which they were chosen
//   offered   the indices of the parts that can be chosen next

/** How the chosen parts can be completed: `{offered, complete, open}`.  `open` are the legal actions that contain all
 *  chosen parts, `offered` their other parts, and `complete` is the action with no other parts, or null. */
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

/** Whether a complete choice is played at once: no part could be added, and it doesn't consist of several cards, since
 *  such a choice is confirmed by a button. */
export function playsAtOnce(parts, chosen, { complete, offered }) {
  if (!complete || offered.size > 0) return false;
  return chosen.length < 2 || chosen.some((part) => parts[part].kind !== "card");
}
