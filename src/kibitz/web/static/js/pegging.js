// A cribbage board: a track of holes for each seat, with two pegs that leap over each other.
import { html, useRef } from "./html.js";

const ROW = 30; // holes in a row, in groups of five; every other row runs from right to left
const STEP = 10; // pixels between holes
const FIVES = 4; // further pixels between groups of five
const LANE = 9; // pixels between the tracks of two seats
const BETWEEN = 8; // further pixels between rows
const WIDTH = (ROW + 2) * STEP + (ROW / 5 - 1) * FIVES;

/** The x coordinate of a column of holes. */
const across = (column) => STEP * (column + 1.5) + Math.floor(Math.min(Math.max(column, 0), ROW - 1) / 5) * FIVES;

/** The coordinates of a hole: hole 0, where pegs begin, lies before the first row, and the last hole after the last row. */
function place(points, lane, lanes, target) {
  const last = Math.max(0, Math.ceil((target - 1) / ROW) - 1);
  const row = Math.min(Math.floor(Math.max(points - 1, 0) / ROW), last);
  const along = points - 1 - row * ROW;
  return [across(row % 2 ? ROW - 1 - along : along), row * (lanes * LANE + BETWEEN) + lane * LANE + LANE];
}

/** The board from the seats' facts such as "12 of 121"; nothing if a seat has no such fact.  `who` names the seats. */
export function PeggingBoard({ facts, who, me }) {
  const scores = who.map((_, seat) => facts.find((fact) => fact.seat === seat && / of \d+$/.test(fact.value))?.value.split(" of ").map(Number));
  const pegs = useRef([]); // by seat, the holes of its front and back peg
  if (!scores.every(Boolean)) return null;
  const target = scores[0][1];
  const order = who.map((_, seat) => seat).sort((a, b) => (a === me ? 1 : b === me ? -1 : a - b)); // the user's own track is the lower one
  for (const seat of order) {
    const [front] = scores[seat];
    const previous = (pegs.current[seat] ??= { front, back: front });
    if (previous.front !== front) pegs.current[seat] = { front, back: front > previous.front ? previous.front : front };
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
      ${peg(seat, lane, pegs.current[seat].back, "back")} ${peg(seat, lane, pegs.current[seat].front, "front")}
    </g>`)}
  </svg>`;
}
