// A card: its face as text, which the style sheets cover with a picture if there is room; or its back.
import { html } from "./html.js";

const SUITS = { S: "♠", C: "♣", H: "♥", D: "♦" };
const JOKERS = { XX: "Joker", "?B": "Black joker", "?R": "Red joker" };

/** The rank of a card's code as it is printed: "0D" has "10". */
export const rank = (code) => (code[0] === "0" ? "10" : code[0]);

/** A sentence with the names of jokers instead of their codes. */
export const named = (text) => text.replace(/XX|\?[BR]/g, (code) => JOKERS[code] ?? code);

/** A card in a sentence: 5♦, or a joker's name. */
export const symbol = (code) => JOKERS[code] ?? rank(code) + SUITS[code[1]];

/** The visible side of a card: its face, or its back if the code is empty. */
export function Face({ code }) {
  if (!code) return html`<span class="face back" aria-hidden="true"></span>`;
  if (code in JOKERS) {
    return html`<span class="face joker" aria-hidden="true" data-suit=${code === "?R" ? "H" : "S"}><i>Joker</i></span>`;
  }
  const suit = SUITS[code[1]] ?? "";
  return html`<span class="face" aria-hidden="true" data-suit=${code[1]} data-card=${code}>
    <b data-wide=${code[0] === "0" ? "" : null}>${rank(code)}</b><i>${suit}</i>
  </span>`;
}

/** A spot of a zone.  `control` says what can be done with it (see `board.js`); without a control it is only a picture.
 *  `index` is its place in the zone. */
export function Spot({ spot, control, index }) {
  const label = named(spot.label);
  const name = spot.note ? `${label}, ${spot.note}` : label;
  const inner = html`<${Face} code=${spot.card} />${spot.note && html`<span class="note" aria-hidden="true">${spot.note}</span>`}`;
  if (!control) return html`<span class="spot" style=${{ "--nth": index }} data-side=${spot.side} role="img" data-spot=${spot.key} data-code=${spot.card} aria-label=${name}>${inner}</span>`;
  return html`<button
    type="button"
    class="spot"
    style=${{ "--nth": index }}
    data-spot=${spot.key}
    data-code=${spot.card}
    aria-label=${name}
    aria-pressed=${control.chosen ? "true" : "false"}
    aria-disabled=${control.offered || control.chosen ? null : "true"}
    data-greyed=${control.greyed && !control.chosen ? "" : null}
    data-target=${control.target ? "" : null}
    data-can=${control.can && !control.target ? "" : null}
    data-hint=${control.hinted ? "" : null}
    onClick=${control.take}
    onFocus=${control.look}
  >
    ${inner}
  </button>`;
}
