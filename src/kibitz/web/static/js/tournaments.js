// The list of tournaments, and how much has been played in each, refreshed as games end.
import { ask } from "./server.js";
import { showTimes } from "./page.js";
import "./account.js";

const POLL_EVERY = 5000;

async function refresh() {
  if (document.hidden) return;
  const { tournaments } = await ask("GET", "/api/arena");
  const lines = new Map([...document.querySelectorAll("[data-so-far]")].map((line) => [line.dataset.soFar, line]));
  if (tournaments.some(({ name }) => !lines.has(name))) return redraw();
  for (const { name, so_far: text } of tournaments) lines.get(name).textContent = text;
}

/** Draw the list again, as the server does: it has a new tournament. */
async function redraw() {
  const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
  document.getElementById("tournaments").replaceWith(page.getElementById("tournaments"));
  showTimes();
}
setInterval(() => refresh().catch(() => {}), POLL_EVERY); // after an error, the next poll tries again
