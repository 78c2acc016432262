// The list of finished games, with a star to mark favourites, and a form to upload records for a replay.
import { Favourite } from "./favourite.js";
import { html, render } from "./html.js";
import { ask, base, listen } from "./server.js";
import "./page.js";

const address = (id) => `${base}/games/${encodeURIComponent(id)}`;

async function upload(form) {
  const errorLine = form.querySelector("[role=alert]");
  errorLine.textContent = "";
  try {
    const { games, refused, sentence } = await ask("POST", "/api/played", new FormData(form));
    if (games.length === 1 && !refused.length) location.assign(address(games[0]));
    errorLine.textContent = refused.join(" ");
    render(html`<p>${sentence}</p>${games.map((id, index) => html`<a class="button" key=${id} href=${address(id)}>Game ${index + 1}</a> `)}`, form.querySelector(".taken"));
  } catch (refusal) {
    errorLine.textContent = refusal.message;
  }
}

const form = document.querySelector("[data-upload=records]");
if (form) listen(form, upload);

for (const cell of document.querySelectorAll("[data-favourite]")) {
  const { favourite: id, title, marked } = cell.dataset;
  render(html`<${Favourite} id=${id} title=${title} marked=${marked === "true"} />`, cell);
}
