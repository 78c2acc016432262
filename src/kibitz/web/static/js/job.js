// Work that takes long, such as a review or a final: begun, followed until it is done, and what came of it.
import { html } from "./html.js";
import { ask, base } from "./server.js";

const POLL = 700;

/** Poll a job until it is over; `tell(work)` is called with every answer, including the first and the last. */
export async function follow(begun, tell) {
  let work = begun;
  for (;;) {
    tell(work);
    if (work.state === "done" || work.state === "failed") return work;
    await new Promise((later) => setTimeout(later, POLL));
    work = await ask("GET", work.path);
  }
}

const stop = (work) => ask("DELETE", work.path).catch(() => {});

/** The progress of some work, with a button to cancel it; its result in a sentence once it is over. */
export function Progress({ work }) {
  if (!work) return null;
  const busy = work.state === "waiting" || work.state === "running";
  return html`<div class="job">
    <p role="status" class=${work.state === "failed" ? "refusal" : ""}>${work.title}: ${work.sentence}</p>
    ${busy && html`<p><progress max=${work.of || 1} value=${work.done} aria-label=${work.title}></progress>
      <button type="button" class="quiet" onClick=${() => stop(work)}>Cancel</button></p>`}
    ${work.file && !work.sheets.length && html`<p><${Fetch} work=${work} name="file">Download<//></p>`}
  </div>`;
}

/** What was verified, and whether it is right. */
export const Proofs = ({ proofs }) =>
  proofs.length > 0 && html`<ul class="findings">${proofs.map(({ ok, sentence }) => html`<li data-ok=${ok ? "" : null}><b>${ok ? "✓" : "✗"}</b> ${sentence}</li>`)}</ul>`;

const amount = (value) => String(Math.round(value * 100) / 100);

/** A link to a file of some work. */
const Fetch = ({ work, name, children }) => html`<a class="button" href=${`${base}${work.path}/${name}`} download>${children}</a> `;

/** One student's page of feedback. */
const Sheet = ({ sheet }) => html`${sheet.note && html`<p>${sheet.note}</p>`}<pre tabindex="0">${sheet.page}</pre>`;

/** Marks: a table with a page for each student, or only the page of student `only`; `again(name)` marks a student again. */
export function Sheets({ work, only, again }) {
  const { sheets, job } = work;
  if (!sheets.length) return null;
  const start = sheets[0].marks[0]?.function.split("_")[0];
  const short = sheets[0].marks.every((mark) => mark.function.startsWith(`${start}_`)) ? start.length + 1 : 0;
  if (only !== null && sheets[only]) return html`<p><a href=${`#${job}`}>All marks</a></p><h2>${sheets[only].name}: ${amount(sheets[only].mark)} of ${amount(sheets[only].out_of)}</h2><${Sheet} sheet=${sheets[only]} />`;
  const late = sheets.some((sheet) => sheet.penalty);
  return html`<h2>Marks</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Marks"><table>
      <thead><tr><th scope="col">Student</th><th scope="col" class="number">Mark (of ${amount(sheets[0].out_of)})</th>${late && html`<th scope="col" class="number">Late penalty</th>`}${sheets[0].marks.map((mark) => html`<th scope="col" class="number">${mark.function.slice(short)}</th>`)}${again && html`<td></td>`}</tr></thead>
      <tbody>${sheets.map((sheet, index) => html`<tr><th scope="row"><a href=${`#${job}/${index}`}>${sheet.name}</a></th><td class="number">${amount(sheet.mark)}</td>${late && html`<td class="number">${sheet.penalty ? `−${amount(sheet.penalty)}` : ""}</td>`}
        ${sheet.marks.map((mark) => html`<td class="number">${mark.right}/${mark.cases}</td>`)}
        ${again && html`<td><button type="button" class="quiet" aria-label=${`Mark again: ${sheet.name}`} onClick=${() => again(sheet.name)}>Mark again</button></td>`}</tr>`)}</tbody>
    </table></div>
    <p class="fetch">${work.file && html`<${Fetch} work=${work} name="file">${work.marking ? "Export everything as ZIP" : "All files, with a page for each student, as ZIP"}<//>`}
      ${work.tables.map((name) => html`<${Fetch} key=${name} work=${work} name=${`files/${encodeURIComponent(name)}`}>${name}<//>`)}</p>
    ${sheets.length === 1 && html`<h2>Feedback</h2><${Sheet} sheet=${sheets[0]} />`}`;
}
