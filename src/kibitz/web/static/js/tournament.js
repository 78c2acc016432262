// A tournament's table while it is played: shown anew when more matches have been.
import { ask } from "./server.js";
import "./account.js";

const LOOK_EVERY = 10000;
const { tournament, matches } = document.querySelector("[data-matches]").dataset;

setInterval(async () => {
  if (document.hidden || document.activeElement?.closest("form")) return;
  const { matches: played } = await ask("GET", `/api/arena/${encodeURIComponent(tournament)}`).catch(() => ({ matches }));
  if (String(played) !== matches) location.reload();
}, LOOK_EVERY);
