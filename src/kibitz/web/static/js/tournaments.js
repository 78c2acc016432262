// The list of tournaments: how much has been played in each, refreshed as games end.
import { ask } from "./server.js";
import "./account.js";

const POLL_EVERY = 5000;

async function refresh() {
  if (document.hidden) return;
  const { tournaments } = await ask("GET", "/api/arena");
  for (const line of document.querySelectorAll("[data-so-far]")) {
    const tournament = tournaments.find(({ name }) => name === line.dataset.soFar);
    if (tournament) line.textContent = tournament.so_far;
  }
}
setInterval(() => refresh().catch(() => {}), POLL_EVERY); // after an error, the next poll tries again
