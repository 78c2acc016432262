// The arena's pages: the form that submits a player, with the progress of its check; and the details of failures.
import { html, render } from "./html.js";
import { ask, base, listen } from "./server.js";
import "./page.js";

const POLL = 500;
const STATES = { waiting: "In the queue.", checking: "Being checked.", accepted: "Accepted.", refused: "Refused." };

/** Let files be dropped on the form, or chosen, and list them. */
function watchFiles(form) {
  const input = form.elements.files;
  const drop = form.querySelector("[data-drop]");
  const list = form.querySelector(".chosen");
  const show = () => list.replaceChildren(...Array.from(input.files, (file) => Object.assign(document.createElement("li"), { textContent: `${file.webkitRelativePath || file.name}, ${Math.ceil(file.size / 1024)} kB` })));
  const setFiles = (files) => {
    const transfer = new DataTransfer();
    for (const file of files) if (/\.(py|ipynb|zip)$/i.test(file.name)) transfer.items.add(file);
    input.files = transfer.files;
    show();
  };
  input.addEventListener("change", show);
  form.querySelector("[data-folder]").addEventListener("change", (event) => setFiles(event.target.files));
  drop.addEventListener("dragover", (event) => (event.preventDefault(), drop.classList.add("over")));
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    setFiles(event.dataTransfer.files);
  });
}

/** One finding about a player: what was checked, the result, and how to reproduce it. */
function Finding({ finding: { ok, warning, title, sentence, position, detail, reproduce } }) {
  const sign = ok ? (warning ? "!" : "✓") : "✗";
  const includesTitle = sentence.startsWith(title); // as a failure's sentence does
  return html`<li data-ok=${ok ? "" : null}><b>${sign} ${includesTitle ? sentence : title}</b>
    ${sentence && !includesTitle && html`<p>${sentence}</p>`}${position && html`<p class="aside">What your player saw:</p><pre class="aside" tabindex="0">${position}</pre>`}
    ${detail && html`${position && html`<p class="aside">The call:</p>`}<pre tabindex="0">${detail}</pre>`}${reproduce && html`<p>To repeat it: <code>${reproduce}</code></p>`}</li>`;
}

/** Show the progress and findings of a check so far. */
function showCheck(section, check, tournament, player) {
  section.hidden = false;
  section.setAttribute("aria-busy", check.state === "checking"); // screen readers don't read out every game
  section.querySelector(".state").textContent = check.sentence || STATES[check.state];
  section.querySelector(".state").classList.toggle("refusal", check.state === "refused");
  const bar = section.querySelector("progress");
  bar.max = check.of || 1;
  bar.value = check.state === "accepted" ? bar.max : check.done;
  render(html`${check.findings.map((finding) => html`<${Finding} finding=${finding} />`)}`, section.querySelector(".findings"));
  const tournamentPage = `${base}/arena/${encodeURIComponent(tournament)}`;
  if (check.state === "accepted") {
    render(html`<a class="button primary" href=${tournamentPage}>See the ranking</a> <a class="button" href=${`${tournamentPage}/players/${encodeURIComponent(player)}`}>${player}'s page</a>`, section.querySelector(".then"));
  }
}

async function submit(form) {
  const errorLine = form.querySelector("[role=alert]");
  const section = document.querySelector(".qualification");
  const tournament = form.elements.tournament.value;
  const player = form.elements.player.value.trim();
  const body = new FormData();
  body.append("player", player);
  for (const file of form.elements.files.files) body.append("files", file, file.name);
  errorLine.textContent = "";
  const button = form.querySelector("button.primary");
  button.disabled = true;
  try {
    const { path } = await ask("POST", `/api/arena/${encodeURIComponent(tournament)}/submissions`, body);
    for (;;) {
      const check = await ask("GET", path);
      showCheck(section, check, tournament, player);
      if (check.state === "accepted" || check.state === "refused") break;
      await new Promise((resolve) => setTimeout(resolve, POLL));
    }
  } catch (refusal) {
    errorLine.textContent = refusal.message;
  }
  button.disabled = false;
}

const form = document.querySelector("[data-upload=player]");
if (form) {
  const tournament = new URLSearchParams(location.search).get("tournament");
  if (tournament) form.elements.tournament.value = tournament;
  if (form.elements.tournament.selectedIndex < 0) form.elements.tournament.selectedIndex = 0;
  watchFiles(form);
  listen(form, submit);
}

for (const button of document.querySelectorAll("[data-failure]")) {
  button.addEventListener("click", async () => {
    const container = document.getElementById("failure");
    try {
      const finding = await ask("GET", button.dataset.failure);
      render(html`<ul class="findings notice"><${Finding} finding=${finding} /></ul>`, container);
    } catch (refusal) {
      render(html`<p class="refusal">${refusal.message}</p>`, container);
    }
  });
  button.disabled = false;
}
