// Markup in JavaScript: `html` turns template literals into Preact elements; and everything else the pages use of Preact.
import { h, render } from "../vendor/preact.js";
import htm from "../vendor/htm.js";

export { render };
export { useEffect, useLayoutEffect, useRef, useState } from "../vendor/hooks.js";
export { batch, computed, effect, signal } from "../vendor/signals.js";

export const html = htm.bind(h);

/** The classes whose condition is true, as one text: `classes({ card: true, chosen: false })` is "card". */
export const classes = (conditions) => Object.keys(conditions).filter((name) => conditions[name]).join(" ");

/** The data that the page was served with: the JSON of its data block, or null. */
export function pageData() {
  const block = document.getElementById("data");
  return block ? JSON.parse(block.textContent) : null;
}
