// Marks: the form that has files marked, the progress, the marks, and the pages of feedback.
//
// The page's address ends in the id of the job (#id), so that its marks are shown again after a reload; with a student's
// number (#id/3) only that student's page of feedback is shown.  A lecturer's marks are stored, and the form marks them
// again.
import { html, render } from "./html.js";
import { ask, base, listen } from "./server.js";
import { follow, Progress, Sheets } from "./job.js";
import "./page.js";

const form = document.querySelector("[data-upload=marks]");
const container = document.getElementById("marks");
let work = null; // the job as the server last described it

const hashParts = () => location.hash.slice(1).split("/"); // the id of the job, and perhaps a student's number
const isBusy = () => work?.state === "waiting" || work?.state === "running";

function show(news) {
  work = news;
  if (work.marking && (!isBusy() || work.marking.runs)) prepareForm(work.marking); // a first run may still be refused
  draw();
}

function draw() {
  const [, number] = hashParts();
  const only = number === undefined ? null : Number(number);
  const again = work.marking && !isBusy() && ((name) => post(work.marking.path, { student: name }));
  render(html`<${Progress} work=${work} />
    ${work.marking && !isBusy() && only === null && html`<${StoredTable} marking=${work.marking} />`}
    <${Sheets} work=${work} only=${only} again=${again} />
    ${work.marking && only === null && html`<${OtherMarks} work=${work} />`}`, container);
}

const points = (value) => (value === null ? "" : Number(value.toFixed(2)));

/** By student, the parts of the mark besides the functions, and notes on the submission. */
function OtherMarks({ work: { sheets, job } }) {
  const rows = sheets.map((sheet, index) => ({ ...sheet, index })).filter(({ rubric, tournament, by_hand, note }) => rubric !== null || tournament !== null || by_hand || note);
  if (!rows.length) return null;
  const [rubric, tournament, byHand] = [rows.some((row) => row.rubric !== null), rows.some((row) => row.tournament !== null), rows.some((row) => row.by_hand)];
  return html`<h2>Other marks and notes</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Other marks and notes"><table>
      <thead><tr><th scope="col">Student</th>${rubric && html`<th scope="col" class="number">Rubric</th>`}${tournament && html`<th scope="col" class="number">Tournament</th>`}${byHand && html`<th scope="col">Set by hand</th>`}<th scope="col">Note</th></tr></thead>
      <tbody>${rows.map((row) => html`<tr><th scope="row"><a href=${`#${job}/${row.index}`}>${row.name}</a></th>${rubric && html`<td class="number">${points(row.rubric)}</td>`}${tournament && html`<td class="number">${points(row.tournament)}</td>`}${byHand && html`<td>${row.by_hand ? "yes" : ""}</td>`}<td>${row.note}</td></tr>`)}</tbody>
    </table></div>`;
}

/** The actions for a lecturer's stored marks, and the changes by the last run. */
function StoredTable({ marking: { path, changes, runs, similar, state } }) {
  const remove = () => confirm("Delete these marks with all their files?") && attempt(() => ask("DELETE", path)).then((answer) => answer && location.assign(`${base}/arena#markings`));
  const compare = (event) => {
    event.preventDefault();
    attempt(() => ask("POST", `${path}/similar`, new FormData(event.target))).then((job) => job && followComparison(job));
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

/** Call a function that asks the server, and return its answer; if the server refuses, show why and return null. */
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

/** Follow the job of a comparison, and then show the button that opens its report. */
async function followComparison(job) {
  const lastState = await follow(job, (news) => {
    document.getElementById("similar").textContent = news.sentence;
  });
  if (lastState.state !== "done") return;
  work = { ...work, marking: { ...work.marking, similar: true } };
  draw();
}

/** Turn the form into one that marks a stored marking again: all its fields are optional. */
function prepareForm({ assignment, given, hidden, column, job }) {
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

/** Have files marked, and show the progress and the marks. */
async function post(path, fields) {
  const body = fields instanceof FormData ? fields : new FormData();
  if (body !== fields) for (const [name, value] of Object.entries({ student: "", ...fields })) body.set(name, value);
  const button = form.querySelector("button.primary");
  button.disabled = true;
  await attempt(async () => {
    const job = await ask("POST", path, body);
    if (hashParts()[0] !== job.job || hashParts().length > 1) history.pushState(null, "", `#${job.job}`);
    const lastState = await follow(job, show);
    if (lastState.state !== "done") return; // the form stays as it was filled in
    if (path !== "/api/marks") for (const input of form.querySelectorAll("[type=file]")) input.value = "";
    delete form.dataset.job;
    show(lastState);
  });
  button.disabled = false;
}

/** Show the marks that the page's address names. */
async function showFromAddress() {
  const [job] = hashParts();
  if (!job) return;
  if (work?.job === job) return draw();
  try {
    await follow(await ask("GET", `/api/jobs/${encodeURIComponent(job)}`), show);
  } catch {
    render(html`<p class="refusal">These marks no longer exist: a student's marks are kept until the server restarts, a class's until a lecturer deletes them. Mark the files again.</p>`, container);
  }
}

addEventListener("hashchange", showFromAddress);
if (form) {
  listen(form, () => post(form.dataset.job ? work.marking.path : "/api/marks", new FormData(form)));
  showFromAddress();
}
