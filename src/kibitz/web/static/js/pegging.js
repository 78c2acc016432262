// A cribbage board: a track of holes for each seat, with two pegs that leap over each other.
import { html, useRef } from "./html.js";

const ROW = 30; // holes, in fives; every other row runs back
const STEP = 10;
const FIVES = 4; // between groups of five
const LANE = 9;
const BETWEEN = 8;
const WIDTH = (ROW + 2) * STEP + (ROW / 5 - 1) * FIVES;

const across = (column) => STEP * (column + 1.5) + Math.floor(Math.min(Math.max(column, 0), ROW - 1) / 5) * FIVES;

/** Where a hole is: 0 is where pegs begin, the last one lies beyond the end of the last row. */
function place(points, lane, lanes, target) {
  const last = Math.max(0, Math.ceil((target - 1) / ROW) - 1);
  const row = Math.min(Math.floor(Math.max(points - 1, 0) / ROW), last);
  const along = points - 1 - row * ROW;
  return [across(row % 2 ? ROW - 1 - along : along), row * (lanes * LANE + BETWEEN) + lane * LANE + LANE];
}

/** The board from the facts "12 of 121" of all seats, or nothing where there are none; `who` names the seats. */
export function PeggingBoard({ facts, who, me }) {
  const scores = who.map((_, seat) => facts.find((fact) => fact.seat === seat && / of \d+$/.test(fact.value))?.value.split(" of ").map(Number));
  const before = useRef([]);
  if (!scores.every(Boolean)) return null;
  const target = scores[0][1];
  const order = who.map((_, seat) => seat).sort((a, b) => (a === me ? 1 : b === me ? -1 : a - b)); // the reader's own track is the lower one
  for (const seat of order) {
    const [front] = scores[seat];
    const pegs = (before.current[seat] ??= { front, back: front });
    if (pegs.front !== front) before.current[seat] = { front, back: front > pegs.front ? pegs.front : front };
  }
  const lanes = order.length;
  const rows = Math.max(1, Math.ceil((target - 1) / ROW));
  const holes = Array.from({ length: target }, (_, index) => index + 1);
  const label = `Pegging board to ${target}: ${order.map((seat) => `${who[seat].you ? "you" : who[seat].name} ${Math.min(...scores[seat])}`).join(", ")}`;
  const peg = (seat, lane, points, kind) => {
    const [x, y] = place(Math.min(points, target), lane, lanes, target);
    return html`<circle key=${kind + seat} class=${`peg ${kind}`} r="4" style=${{ translate: `${x}px ${y}px` }} />`;
  };
  return html`<svg class="pegging" viewBox=${`0 0 ${WIDTH} ${rows * (lanes * LANE + BETWEEN) + LANE - BETWEEN}`} role="img" aria-label=${label}>
    ${order.map((seat, lane) => html`<g key=${seat} data-lane=${lane}>
      ${holes.map((points) => {
        const [x, y] = place(points, lane, lanes, target);
        return html`<circle key=${points} class="hole" cx=${x} cy=${y} r=${points === target ? 3 : 1.7} />`;
      })}
      ${peg(seat, lane, before.current[seat].back, "back")} ${peg(seat, lane, before.current[seat].front, "front")}
    </g>`)}
  </svg>`;
}
