// Cards that travel: what has changed its place between two drawings of a board moves there, in a quarter of a second.
//
// A card is known by its code.  One that comes from unseen cards starts where their number has fallen, one that was
// dragged where it was dropped.  Nothing waits for it, and it covers nothing: it takes no pointer, and buttons lie above.
import { animationsOn } from "./preferences.js";

const LASTS = 250;

/** Where everything lies: cards by code, zones by key with how many cards they have. */
export function places(board) {
  const cards = new Map();
  for (const spot of [...board.querySelectorAll(".spot[data-code]"), ...document.querySelectorAll(".dragged .spot")]) {
    const { code } = spot.dataset;
    if (code) cards.set(spot.dataset.spot, { code, box: spot.getBoundingClientRect() });
  }
  const zones = new Map();
  for (const zone of board.querySelectorAll("[data-zone]")) {
    zones.set(zone.dataset.zone, { held: Number(zone.dataset.held), box: zone.querySelector(".cards").getBoundingClientRect() });
  }
  return { cards, zones };
}

/** Move what is elsewhere than `before`. */
export function travel(board, before) {
  if (!animationsOn() || document.hidden) return;
  const now = places(board);
  const gone = [...before.cards].filter(([key]) => !now.cards.has(key)).map(([, card]) => card);
  const fell = [...before.zones].find(([key, zone]) => (now.zones.get(key)?.held ?? 0) < zone.held)?.[1];
  for (const [key, { code, box }] of now.cards) {
    const old = before.cards.get(key);
    if (old?.code === code) continue;
    const from = gone.find((card) => card.code === code)?.box ?? fell?.box;
    const spot = board.querySelector(`[data-spot="${CSS.escape(key)}"]`);
    if (from && spot && (from.x !== box.x || from.y !== box.y)) fly(spot, from, box);
  }
}

/** Let an element come from one box to its own. */
function fly(element, from, to) {
  const x = from.x + from.width / 2 - to.x - to.width / 2;
  const y = from.y + from.height / 2 - to.y - to.height / 2;
  element.dataset.flying = "";
  element
    .animate([{ translate: `${x}px ${y}px` }, { translate: "0 0" }], { duration: LASTS, easing: "ease-out" })
    .finished.catch(() => {})
    .then(() => delete element.dataset.flying);
}
