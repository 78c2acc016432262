// Cards that travel: what has changed its place between two drawings of a board moves there, in a quarter of a second.
//
// A card is known by its code.  One that comes from unseen cards starts where their number has fallen, one that was
// dragged where it was dropped.  Nothing waits for it, and it covers nothing: it takes no pointer, and buttons lie above.
// A trick that is won is swept to its winner: the seat that leads next.  Cards of a count that is over lie there for a
// while before they are put aside.
import { animationsOn } from "./preferences.js";

const LASTS = 250;
const SWEEP = 350;
const SEEN = 700;
const lingering = new Set(); // flights of cards that are seen for a while on their way

/** Where everything lies: cards by code, zones by key with how many cards they have. */
export function places(board) {
  const cards = new Map();
  for (const spot of [...board.querySelectorAll(".spot[data-code]"), ...document.querySelectorAll(".dragged .spot")]) {
    const { code } = spot.dataset;
    if (code) cards.set(spot.dataset.spot, { code, spot, zone: spot.closest("[data-zone]")?.dataset.zone, box: spot.getBoundingClientRect() });
  }
  const zones = new Map();
  for (const zone of board.querySelectorAll("[data-zone]")) {
    zones.set(zone.dataset.zone, { held: Number(zone.dataset.held), box: zone.querySelector(".cards").getBoundingClientRect(), form: zone.closest(".middle") && zone.dataset.form });
  }
  return { cards, zones, waited: board.querySelector(".seat.waited")?.dataset.seat };
}

/** Move what is elsewhere than `before`. */
export function travel(board, before) {
  if (!animationsOn() || document.hidden) return;
  for (const flight of lingering) flight.currentTime = Math.max(flight.currentTime, LASTS + SEEN); // the next cards need the room
  const now = places(board);
  const gone = [...before.cards].filter(([key]) => !now.cards.has(key)).map(([, card]) => card);
  const fell = [...before.zones].find(([key, zone]) => (now.zones.get(key)?.held ?? 0) < zone.held)?.[1];
  sweep(board, before, now);
  const aside = new Map(); // by zone, the cards that are put aside there with one that was just played
  const moves = [];
  for (const [key, { code, box, zone }] of now.cards) {
    const old = before.cards.get(key);
    if (old?.code === code) continue;
    const card = gone.find((card) => card.code === code);
    const from = card?.box ?? fell?.box;
    const spot = board.querySelector(`[data-spot="${CSS.escape(key)}"]`);
    if (!from || !spot || (from.x === box.x && from.y === box.y)) continue;
    const counted = now.zones.get(zone)?.form && before.zones.get(card?.zone)?.form === "row";
    if (counted) aside.set(zone, [...(aside.get(zone) ?? []), from]);
    moves.push({ spot, from, box, zone, counted });
  }
  for (const { spot, from, box, zone, counted } of moves) {
    const last = aside.get(zone)?.at(-1);
    const joined = last && moves.some((other) => other.zone === zone && !other.counted);
    const beside = last && { ...last.toJSON(), x: Math.min(last.right, feltOf(board).right - last.width) };
    fly(spot, from, box, joined ? (counted ? from : beside) : null);
  }
}

const feltOf = (board) => (board.querySelector(".felt") ?? board).getBoundingClientRect();

/** Sweep tricks that were in the middle, and are seen nowhere now, to the seat that leads next: in a row each card of a
 *  trick lies for itself, in a group they lie on the cards before. */
function sweep(board, before, now) {
  const seen = new Set([...now.cards.values()].map(({ code }) => code));
  for (const [key, { form }] of before.zones) {
    const taken = [...before.cards.values()].filter(({ zone }) => zone === key);
    const { held } = now.zones.get(key) ?? { held: 0 };
    const seat = board.querySelector(`.seat[data-seat="${held ? before.waited : now.waited}"]`);
    if (!seat || !["row", held ? "" : "group"].includes(form) || taken.some(({ code }) => seen.has(code))) continue;
    for (const card of taken) carry(card, seat.getBoundingClientRect(), feltOf(board));
  }
}

/** Let a picture of a card that has gone shrink into a box, as far as that is in sight. */
function carry({ spot, box }, to, felt) {
  const picture = document.createElement("div");
  picture.className = "swept";
  picture.style.cssText = `left: ${box.x}px; top: ${box.y}px; --w: ${box.width}px`;
  picture.setAttribute("aria-hidden", "true");
  picture.append(spot.querySelector(".face").cloneNode(true));
  document.body.append(picture);
  const x = to.x + to.width / 2 - box.x - box.width / 2;
  const y = Math.min(Math.max(to.y + to.height / 2, felt.top), felt.bottom) - box.y - box.height / 2;
  picture
    .animate([{ opacity: 1 }, { opacity: 1, offset: 0.7 }, { translate: `${x}px ${y}px`, scale: 0.4, opacity: 0 }], { duration: SWEEP, easing: "ease-in" })
    .finished.catch(() => {})
    .then(() => picture.remove());
}

/** Let an element come from one box to its own; on its way it is seen in another one for a while, if there is one. */
function fly(element, from, to, stop = null) {
  const at = (box) => `${box.x + box.width / 2 - to.x - to.width / 2}px ${box.y + box.height / 2 - to.y - to.height / 2}px`;
  const duration = stop ? 2 * LASTS + SEEN : LASTS;
  const stopping = stop && [{ translate: at(stop), offset: LASTS / duration }, { translate: at(stop), offset: 1 - LASTS / duration }];
  const flight = element.animate([{ translate: at(from) }, ...(stopping ?? []), { translate: "0 0" }], { duration, easing: stop ? "linear" : "ease-out" });
  element.dataset.flying = "";
  if (stop) lingering.add(flight);
  flight.finished.catch(() => {}).then(() => {
    delete element.dataset.flying;
    lingering.delete(flight);
  });
}
