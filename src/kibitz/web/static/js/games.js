// The list of finished games: a record that is handed in is looked at.
import { ask, base, listen } from "./server.js";
import "./page.js";

async function lookAt(form) {
  const said = form.querySelector("[role=alert]");
  said.textContent = "";
  try {
    const { games, refused } = await ask("POST", "/api/played", new FormData(form));
    if (refused.length || !games.length) said.textContent = refused.join(" ") || "There is no game in it.";
    else location.assign(`${base}/games/${encodeURIComponent(games[0])}`);
  } catch (refusal) {
    said.textContent = refusal.message;
  }
}

const form = document.querySelector("[data-upload=records]");
if (form) listen(form, lookAt);
