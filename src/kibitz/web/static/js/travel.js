// Cards that travel: a card whose place has changed between two drawings of a board moves to its new place in a quarter of
// a second.
//
// Cards are recognised by their codes.  A card that was hidden starts from the zone whose number of cards has fallen, and a
// dragged card from where it was dropped.  Nothing waits for travelling cards, and pointer events pass through them.  A
// trick is swept to its winner, the seat that leads next.  The cards of a completed count stay for a moment before they are
// put aside.
import { animationsOn } from "./preferences.js";

const FLIGHT = 250; // milliseconds
const SWEEP = 350;
const STOP = 140; // for which a flight stops on its way
const WHOLE = 400; // how long a flight with a stop takes
const stoppingFlights = new Set(); // animations of cards that stop on their way

/** Where everything lies: `cards` by the keys of their spots, and `zones` by key with the number of cards that they have;
 *  `waited` is the seat whose turn it is. */
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

/** Let the cards of a board travel that aren't where they were `before`: an earlier result of `places`. */
export function travel(board, before) {
  if (!animationsOn() || document.hidden) return;
  for (const flight of stoppingFlights) flight.currentTime = Math.max(flight.currentTime, (WHOLE + STOP) / 2); // to make room for the next cards
  const now = places(board);
  const gone = [...before.cards].filter(([key]) => !now.cards.has(key)).map(([, card]) => card);
  const source = [...before.zones].find(([key, zone]) => (now.zones.get(key)?.held ?? 0) < zone.held)?.[1]; // of hidden cards
  sweep(board, before, now);
  const aside = new Map(); // by zone, the boxes of the cards that are put aside there together with a card just played
  const moves = [];
  for (const [key, { code, box, zone }] of now.cards) {
    const old = before.cards.get(key);
    if (old?.code === code) continue;
    const card = gone.find((card) => card.code === code);
    const from = card?.box ?? source?.box;
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

/** Sweep tricks that have left the middle of the table to the seat that leads next.  In a zone of the form "row", the cards
 *  of a trick lie side by side; in a "group", they lie on the earlier cards. */
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

/** Let a picture of a card that has left the table shrink into a box, or into the nearest visible point of the felt. */
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

/** Let an element fly from a box to its own place (`to`); if `stop` is a box, it stops there for a moment on its way. */
function fly(element, from, to, stop = null) {
  const at = (box) => `${box.x + box.width / 2 - to.x - to.width / 2}px ${box.y + box.height / 2 - to.y - to.height / 2}px`;
  const duration = stop ? WHOLE : FLIGHT;
  const leg = (WHOLE - STOP) / 2 / WHOLE; // the part of the time that each way takes
  const stopping = stop && [{ translate: at(stop), offset: leg }, { translate: at(stop), offset: 1 - leg }];
  const flight = element.animate([{ translate: at(from) }, ...(stopping ?? []), { translate: "0 0" }], { duration, easing: stop ? "linear" : "ease-out" });
  element.dataset.flying = "";
  if (stop) stoppingFlights.add(flight);
  flight.finished.catch(() => {}).then(() => {
    delete element.dataset.flying;
    stoppingFlights.delete(flight);
  });
}
