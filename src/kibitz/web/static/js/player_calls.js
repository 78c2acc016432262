// The calls of player files at a step of a match, with their return values and output: for a file's owner and lecturers.
import { html, signal } from "./html.js";
import { ask } from "./server.js";
import { follow, Progress } from "./job.js";

const work = signal(null);
const error = signal("");

/** Have the server replay the player files of a match. */
async function replayFiles(id) {
  const [tournament, match] = [id.slice(0, id.lastIndexOf(".")), id.slice(id.lastIndexOf(".") + 1)];
  error.value = "";
  try {
    await follow(await ask("POST", `/api/arena/${encodeURIComponent(tournament)}/matches/${match}/calls`), (news) => (work.value = news));
  } catch (refusal) {
    error.value = refusal.message;
  }
}

/** One call of a file. */
function Reply({ reply: { call, returned, chosen, printed, failure }, name }) {
  return html`<div class="prints"><h3>${name}: ${call ? "the call" : "while its file was loaded"}</h3>
    ${call && html`<pre tabindex="0">${call}</pre>`}
    ${returned && html`<p>It returned</p><pre tabindex="0">${returned}</pre>`}
    ${chosen && html`<p>In this replay it chose ${chosen} instead of the recorded move.</p>`}
    ${printed && html`<p>It printed</p><pre tabindex="0">${printed}</pre>`}
    ${failure && html`<p class="refusal">It failed</p><pre tabindex="0">${failure}</pre>`}</div>`;
}

/** The calls of player files at a step of an arena match. */
export function PlayerCalls({ id, step, names, go }) {
  if (!/\.\d+$/.test(id)) return null;
  const news = work.value;
  const replies = news?.replies.filter((reply) => reply.step === step) ?? [];
  const next = news?.replies.find((reply) => reply.step > step);
  return html`<section aria-label="Output of the player files"><h2>Output of the player files</h2>
    ${!news && html`<p><button type="button" onClick=${() => replayFiles(id)}>Show calls, return values and output</button> <small>for the owner of a file, and for lecturers</small></p>`}
    ${news && news.state !== "done" && html`<${Progress} work=${news} />`}
    ${news?.state === "done" && html`<p role="status">${news.sentence || (replies.length ? "" : "No player file was called at this step.")}</p>`}
    ${replies.map((reply, index) => html`<${Reply} key=${index} reply=${reply} name=${names[reply.seat]} />`)}
    ${next && html`<p><button type="button" onClick=${() => go(next.step)}>Next call</button></p>`}
    <p class="refusal" role="alert">${error.value}</p></section>`;
}
