// Jobs: long work on the server, such as a review or a final. Their progress and results.
import { html } from "./html.js";
import { ask, base } from "./server.js";

const POLL = 700;

/** Poll a job until it is over, and return its last state; `show(work)` is called with every state, also the first and
 *  the last. */
export async function follow(job, show) {
  let work = job;
  for (;;) {
    show(work);
    if (work.state === "done" || work.state === "failed") return work;
    await new Promise((resolve) => setTimeout(resolve, POLL));
    work = await ask("GET", work.path);
  }
}

const stop = (work) => ask("DELETE", work.path).catch(() => {});

/** The progress of a job, how many of its `units` are done, and a button to cancel it; once it is over, its result in a
 *  sentence. */
export function Progress({ work, units = "" }) {
  if (!work) return null;
  const isBusy = work.state === "waiting" || work.state === "running";
  return html`<div class="job">
    <p role="status" class=${work.state === "failed" ? "refusal" : ""}>${work.title}: ${work.sentence}</p>
    ${isBusy && html`<p><progress max=${work.of || 1} value=${work.done} aria-label=${work.title}></progress> ${work.of > 0 && html`<small>${work.done} of ${work.of} ${units}</small>`}
      <button type="button" class="quiet" onClick=${() => stop(work)}>Cancel</button></p>`}
    ${work.file && !work.sheets.length && html`<p><${Download} work=${work} name="file">Download<//></p>`}
  </div>`;
}

/** The statements that were verified, and whether each is true. */
export const Proofs = ({ proofs }) =>
  proofs.length > 0 && html`<ul class="findings">${proofs.map(({ ok, sentence }) => html`<li data-ok=${ok ? "" : null}><b>${ok ? "✓" : "✗"}</b> ${sentence}</li>`)}</ul>`;

const amount = (value) => String(Math.round(value * 100) / 100);

/** A link that downloads a file of a job. */
const Download = ({ work, name, children }) => html`<a class="button" href=${`${base}${work.path}/${name}`} download>${children}</a> `;

/** One student's page of feedback. */
const Sheet = ({ sheet }) => html`${sheet.note && html`<p>${sheet.note}</p>`}<pre tabindex="0">${sheet.page}</pre>`;

/** Marks: a table with a page for each student, or only the page of student `only`; `again(name)` marks a student again. */
export function Sheets({ work, only, again }) {
  const { sheets, job } = work;
  if (!sheets.length) return null;
  const prefix = sheets[0].marks[0]?.function.split("_")[0];
  const skipped = sheets[0].marks.every((mark) => mark.function.startsWith(`${prefix}_`)) ? prefix.length + 1 : 0; // the prefix that all names share
  if (only !== null && sheets[only]) return html`<p><a href=${`#${job}`}>All marks</a></p><h2>${sheets[only].name}: ${amount(sheets[only].mark)} of ${amount(sheets[only].out_of)}</h2><${Sheet} sheet=${sheets[only]} />`;
  const anyLate = sheets.some((sheet) => sheet.penalty);
  return html`<h2>Marks</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Marks"><table>
      <thead><tr><th scope="col">Student</th><th scope="col" class="number">Mark (of ${amount(sheets[0].out_of)})</th>${anyLate && html`<th scope="col" class="number">Late penalty</th>`}${sheets[0].marks.map((mark) => html`<th scope="col" class="number">${mark.function.slice(skipped)}</th>`)}${again && html`<td></td>`}</tr></thead>
      <tbody>${sheets.map((sheet, index) => html`<tr><th scope="row"><a href=${`#${job}/${index}`}>${sheet.name}</a></th><td class="number">${amount(sheet.mark)}</td>${anyLate && html`<td class="number">${sheet.penalty ? `−${amount(sheet.penalty)}` : ""}</td>`}
        ${sheet.marks.map((mark) => html`<td class="number">${mark.right}/${mark.cases}</td>`)}
        ${again && html`<td><button type="button" class="quiet" aria-label=${`Mark again: ${sheet.name}`} onClick=${() => again(sheet.name)}>Mark again</button></td>`}</tr>`)}</tbody>
    </table></div>
    <p class="fetch">${work.file && html`<${Download} work=${work} name="file">${work.marking ? "Export everything as ZIP" : "All files, with a page for each student, as ZIP"}<//>`}
      ${work.tables.map((name) => html`<${Download} key=${name} work=${work} name=${`files/${encodeURIComponent(name)}`}>${name}<//>`)}</p>
    ${sheets.length === 1 && html`<h2>Feedback</h2><${Sheet} sheet=${sheets[0]} />`}`;
}
