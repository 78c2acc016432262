// Marks: files are submitted, marked in the sandbox, and the pages of feedback shown.
//
// The address ends in the work (#id), so that what came of it is there after a reload, and in a student's number
// (#id/3), which shows that one page.  A lecturer's marks stay: the form then marks them again.
import { html, render } from "./html.js";
import { ask, base, listen } from "./server.js";
import { follow, Progress, Sheets } from "./job.js";
import "./page.js";

const form = document.querySelector("[data-upload=marks]");
const container = document.getElementById("marks");
let work = null; // the job as the server last described it

const wanted = () => location.hash.slice(1).split("/");
const busy = () => work?.state === "waiting" || work?.state === "running";

function show(news) {
  work = news;
  if (work.marking) prepare(work.marking);
  draw();
}

function draw() {
  const [, number] = wanted();
  const only = number === undefined ? null : Number(number);
  const again = work.marking && !busy() && ((name) => post(work.marking.path, { student: name }));
  render(html`<${Progress} work=${work} />
    ${work.marking && !busy() && only === null && html`<${StoredTable} marking=${work.marking} />`}
    <${Sheets} work=${work} only=${only} again=${again} />
    ${work.marking && only === null && html`<${Besides} work=${work} />`}`, container);
}

const points = (value) => (value === null ? "" : Number(value.toFixed(2)));

/** What makes up a mark besides the functions, and what is wrong with a submission. */
function Besides({ work: { sheets, job } }) {
  const rows = sheets.map((sheet, index) => ({ ...sheet, index })).filter(({ rubric, tournament, by_hand, note }) => rubric !== null || tournament !== null || by_hand || note);
  if (!rows.length) return null;
  const [rubric, tournament, byHand] = [rows.some((row) => row.rubric !== null), rows.some((row) => row.tournament !== null), rows.some((row) => row.by_hand)];
  return html`<h2>Besides the functions</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Besides the functions"><table>
      <thead><tr><th scope="col">Student</th>${rubric && html`<th scope="col" class="number">Rubric</th>`}${tournament && html`<th scope="col" class="number">Tournament</th>`}${byHand && html`<th scope="col">Set by hand</th>`}<th scope="col">Note</th></tr></thead>
      <tbody>${rows.map((row) => html`<tr><th scope="row"><a href=${`#${job}/${row.index}`}>${row.name}</a></th>${rubric && html`<td class="number">${points(row.rubric)}</td>`}${tournament && html`<td class="number">${points(row.tournament)}</td>`}${byHand && html`<td>${row.by_hand ? "yes" : ""}</td>`}<td>${row.note}</td></tr>`)}</tbody>
    </table></div>`;
}

/** What can be done with a lecturer's marks, and what the last run has changed. */
function StoredTable({ marking: { path, changes, runs, similar, state } }) {
  const remove = () => confirm("Delete these marks with all their files?") && attempt(() => ask("DELETE", path)).then((done) => done && location.assign(`${base}/arena#markings`));
  const compare = (event) => {
    event.preventDefault();
    attempt(() => ask("POST", `${path}/similar`, new FormData(event.target))).then((begun) => begun && compared(begun));
  };
  return html`${runs > 1 && html`<h2>Changed since the last run</h2>
      ${changes.length ? html`<ul class="changes">${changes.map((change) => html`<li>${change}</li>`)}</ul>` : html`<p>No mark has changed.</p>`}`}
    <div class="fetch">
      <button type="button" class=${state === "interrupted" ? "primary" : ""} onClick=${() => post(path, {})}>${state === "interrupted" ? "Mark again to finish" : "Mark again"}</button>
      <button type="button" class="quiet" onClick=${remove}>Delete</button>
    </div>
    <details class="more"><summary>Similar work</summary>
      <p>Shows which submissions share code. Similar code has many causes: look at the passages before you judge.</p>
      <form onSubmit=${compare}><label class="field"><span>Starter code to ignore: a file or ZIP archive (optional)</span> <input type="file" name="starter" accept=".py,.ipynb,.zip" /></label>
        <button>Compare</button></form>
      <p role="status" id="similar"></p>
      ${similar && html`<p><a class="button" href=${`${base}${path}/similar`} target="_blank">Open the similarity report</a></p>`}
    </details>`;
}

/** Do something, or show why it was refused; what came of it, or null. */
async function attempt(act) {
  const errorLine = form.querySelector("[role=alert]");
  errorLine.textContent = "";
  try {
    return await act();
  } catch (refusal) {
    errorLine.textContent = refusal.message;
    return null;
  }
}

/** Follow a comparison, and offer its page. */
async function compared(begun) {
  const end = await follow(begun, (news) => {
    document.getElementById("similar").textContent = news.sentence;
  });
  if (end.state !== "done") return;
  work = { ...work, marking: { ...work.marking, similar: true } };
  draw();
}

/** The form for marks that are there: everything in it may be left out. */
function prepare({ assignment, given, hidden, column, job }) {
  if (form.dataset.job === job) return;
  form.dataset.job = job;
  const { elements } = form;
  elements.assignment.value = assignment;
  elements.assignment.disabled = true;
  elements.files.required = false;
  elements.hidden.value = hidden ?? "";
  elements.column.value = column ?? "";
  for (const now of form.querySelectorAll("[data-now]")) now.textContent = given[now.dataset.now] ? ` (now: ${given[now.dataset.now]})` : "";
  form.querySelector("summary").textContent = "Mark again with other files or settings";
  form.querySelector("details").open = false;
  form.querySelector(".again").hidden = false;
  form.querySelector("button.primary").textContent = "Mark again";
}

/** Begin to mark, and show it. */
async function post(path, fields) {
  const body = fields instanceof FormData ? fields : new FormData();
  if (body !== fields) for (const [name, value] of Object.entries({ student: "", ...fields })) body.set(name, value);
  const button = form.querySelector("button.primary");
  button.disabled = true;
  await attempt(async () => {
    const begun = await ask("POST", path, body);
    if (wanted()[0] !== begun.job || wanted().length > 1) history.pushState(null, "", `#${begun.job}`);
    const end = await follow(begun, show);
    if (path !== "/api/marks" && end.state === "done") for (const input of form.querySelectorAll("[type=file]")) input.value = "";
    delete form.dataset.job;
    show(end);
  });
  button.disabled = false;
}

/** Show what the address names. */
async function look() {
  const [job] = wanted();
  if (!job) return;
  if (work?.job === job) return draw();
  try {
    await follow(await ask("GET", `/api/jobs/${encodeURIComponent(job)}`), show);
  } catch {
    render(html`<p class="refusal">These marks no longer exist: a student's marks are kept until the server restarts, a class's until a lecturer deletes them. Mark the files again.</p>`, container);
  }
}

addEventListener("hashchange", look);
if (form) {
  listen(form, () => post(work?.marking?.path ?? "/api/marks", new FormData(form)));
  look();
}
