// Marks: the form that has files marked, the progress, the marks, and the pages of feedback.
//
// The page's address ends in the id of the job (#id), so that its marks are shown again after a reload; with a student's
// number (#id/3) only that student's page of feedback is shown.  A lecturer's marks are stored, and the form marks them
// again.
import { deadlineText, fieldValue, timeZone, withOffset } from "./deadline.js";
import { html, render } from "./html.js";
import { ask, base, listen } from "./server.js";
import { follow, Progress, Sheets } from "./job.js";
import "./page.js";

const form = document.querySelector("[data-upload=marks]");
const container = document.getElementById("marks");
let work = null; // the job as the server last described it
let deadlines = {}; // by assignment

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

/** When work is due, and what late work loses. */
function dueText({ due, grace, per_day: perDay, most }) {
  const at = new Date(due);
  const late = Date.now() - at;
  const title = late > 0 ? "The deadline was" : "Due";
  if (late > 60_000 * grace) {
    const days = Math.ceil(late / 86_400_000);
    return `${title} ${deadlineText(at)}. Without an extension, work submitted now is ${days} ${days === 1 ? "day" : "days"} late and loses ${points(Math.min(most, days * perDay))} % of the marks.`;
  }
  const free = grace ? ` There are ${grace} minutes of grace.` : "";
  return `${title} ${deadlineText(at)}. Late work loses ${perDay ? `${points(perDay)} % of the marks for each day${most < 100 ? `, at most ${points(most)} %` : ""}` : "no marks"}.${free}`;
}

/** The form that sets the deadline of an assignment. */
function DeadlineForm({ assignment, title, deadline }) {
  const path = `/api/deadlines/${assignment}`;
  const change = async (method, body) => {
    const errorLine = document.querySelector("#set-deadline [role=alert]");
    errorLine.textContent = "";
    try {
      await ask(method, path, body);
      await showDeadlines();
    } catch (refusal) {
      errorLine.textContent = refusal.message;
    }
  };
  const save = (event) => {
    event.preventDefault();
    const fields = new FormData(event.target);
    const until = fields.getAll("until");
    const extensions = Object.fromEntries(fields.getAll("student").map((student, row) => [student.trim(), until[row]]).filter(([student, time]) => student && time).map(([student, time]) => [student, withOffset(time)]));
    const number = (name) => Number(fields.get(name));
    change("PUT", { due: withOffset(fields.get("due")), grace: number("grace"), per_day: number("per_day"), most: number("most"), extensions });
  };
  const { due, grace, per_day: perDay, most, extensions } = { grace: 0, per_day: 0, most: 100, extensions: {}, ...deadline };
  const timeOf = (text) => (text ? fieldValue(new Date(text)) : "");
  return html`<form class="notice" onSubmit=${save} key=${JSON.stringify([assignment, deadline])}>
    <details class="more"><summary>Deadline of ${title}</summary>
      <p>Students see it on this page. It applies to all classes that are marked here; a deadline in <code>marks.toml</code> replaces it when you upload the file. Marks that exist change when you mark again.</p>
      <label class="field"><span>Due, in your time zone (${timeZone})</span> <input type="datetime-local" max="9999-12-31T23:59" name="due" required defaultValue=${timeOf(due)} /></label>
      <label class="field">Minutes of grace <input type="number" name="grace" min="0" required defaultValue=${grace} /></label>
      <label class="field">Per cent of the marks that late work loses for each day <input type="number" name="per_day" min="0" max="100" required defaultValue=${perDay} /></label>
      <label class="field">Per cent of the marks that late work loses at most <input type="number" name="most" min="0" max="100" required defaultValue=${most} /></label>
      <fieldset><legend>Extensions</legend>
        <p>The student's number or name on the learning platform, and the new time. Save to add another.</p>
        ${[...Object.entries(extensions), ["", ""]].map(([student, time]) => html`<p><input name="student" aria-label="Number or name" maxlength="200" autocomplete="off" defaultValue=${student} /> <input type="datetime-local" max="9999-12-31T23:59" name="until" aria-label="Extended until" defaultValue=${timeOf(time)} /></p>`)}
      </fieldset>
      <button>Save deadline</button> ${deadline && html`<button type="button" class="quiet" onClick=${() => change("DELETE")}>Remove deadline</button>`}
    </details>
    <p class="refusal" role="alert"></p>
  </form>`;
}

/** Show the deadline of the assignment that is chosen, and for lecturers the form that sets it. */
function drawDeadline() {
  const { value, selectedOptions } = form.elements.assignment;
  const deadline = deadlines[value];
  document.getElementById("deadline").textContent = deadline ? dueText(deadline) : "";
  const formPlace = document.getElementById("set-deadline");
  if (formPlace) render(html`<${DeadlineForm} assignment=${value} title=${selectedOptions[0].text} deadline=${deadline} />`, formPlace);
}

/** Ask the server for the deadlines, and show one. */
async function showDeadlines() {
  ({ deadlines } = await ask("GET", "/api/marks"));
  drawDeadline();
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
  drawDeadline();
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
    showDeadlines();
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
  form.elements.assignment.addEventListener("change", drawDeadline);
  showDeadlines();
  showFromAddress();
}
