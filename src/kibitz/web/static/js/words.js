// What a player file was asked at a step of a match, what it returned and what it printed: for its owner and lecturers.
import { html, signal } from "./html.js";
import { ask } from "./server.js";
import { follow, Progress } from "./job.js";

const work = signal(null);
const error = signal("");

/** Let the files play again. */
async function hear(id) {
  const [tournament, match] = [id.slice(0, id.lastIndexOf(".")), id.slice(id.lastIndexOf(".") + 1)];
  error.value = "";
  try {
    await follow(await ask("POST", `/api/arena/${encodeURIComponent(tournament)}/matches/${match}/words`), (news) => (work.value = news));
  } catch (refusal) {
    error.value = refusal.message;
  }
}

/** One decision of a file. */
function Said({ one, name }) {
  return html`<div class="prints"><h3>${name}${one.call ? " was asked" : ", while its file was loaded"}</h3>
    ${one.call && html`<pre tabindex="0">${one.call}</pre>`}
    ${one.returned && html`<p>It returned</p><pre tabindex="0">${one.returned}</pre>`}
    ${one.chosen && html`<p>In this replay it chose ${one.chosen} instead of the recorded move.</p>`}
    ${one.printed && html`<p>It printed</p><pre tabindex="0">${one.printed}</pre>`}
    ${one.failure && html`<p class="refusal">It failed</p><pre tabindex="0">${one.failure}</pre>`}</div>`;
}

/** What player files printed at a step of an arena match. */
export function Words({ id, step, names, go }) {
  if (!/\.\d+$/.test(id)) return null;
  const news = work.value;
  const here = news?.said.filter((one) => one.step === step) ?? [];
  const next = news?.said.find((one) => one.step > step);
  return html`<section aria-label="Output of the player files"><h2>Output of the player files</h2>
    ${!news && html`<p><button type="button" onClick=${() => hear(id)}>Show calls, return values and output</button> <small>for the owner of a file, and for lecturers</small></p>`}
    ${news && news.state !== "done" && html`<${Progress} work=${news} />`}
    ${news?.state === "done" && html`<p role="status">${news.sentence || (here.length ? "" : "No player file was called at this step.")}</p>`}
    ${here.map((one, index) => html`<${Said} key=${index} one=${one} name=${names[one.seat]} />`)}
    ${next && html`<p><button type="button" onClick=${() => go(next.step)}>Next call</button></p>`}
    <p class="refusal" role="alert">${error.value}</p></section>`;
}
