// Marks: files are submitted, marked in the sandbox, and the pages of feedback shown.
//
// The address ends in the work (#id), so that what came of it is there after a reload, and in a student's number
// (#id/3), which shows that one page.
import { html, render } from "./html.js";
import { ask, listen } from "./server.js";
import { follow, Progress, Sheets } from "./job.js";
import "./page.js";

const form = document.querySelector("[data-upload=marks]");
const place = document.getElementById("marks");
let told = null; // the latest answer on the work

const wanted = () => location.hash.slice(1).split("/");

function show(news) {
  told = news;
  const [, number] = wanted();
  render(html`<${Progress} told=${told} /><${Sheets} told=${told} only=${number === undefined ? null : Number(number)} />`, place);
}

/** Show what the address names. */
async function look() {
  const [job] = wanted();
  if (!job) return;
  if (told?.job === job) return show(told);
  try {
    await follow(await ask("GET", `/api/jobs/${encodeURIComponent(job)}`), show);
  } catch {
    render(html`<p class="refusal">These marks are gone: they are kept only until the server restarts. Mark the files again.</p>`, place);
  }
}

async function mark() {
  const said = form.querySelector("[role=alert]");
  const button = form.querySelector("button.primary");
  said.textContent = "";
  button.disabled = true;
  try {
    const begun = await ask("POST", "/api/marks", new FormData(form));
    history.pushState(null, "", `#${begun.job}`);
    await follow(begun, show);
  } catch (refusal) {
    said.textContent = refusal.message;
  }
  button.disabled = false;
}

addEventListener("hashchange", look);
if (form) {
  listen(form, mark);
  look();
}
