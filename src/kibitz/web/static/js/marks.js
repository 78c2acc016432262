// Marks: files are handed in, marked in the sandbox, and the pages of feedback shown.
import { html, render } from "./html.js";
import { ask, listen } from "./server.js";
import { follow, Progress, Sheets } from "./job.js";
import "./page.js";

const form = document.querySelector("[data-upload=marks]");
const place = document.getElementById("marks");

async function mark() {
  const said = form.querySelector("[role=alert]");
  const button = form.querySelector("button.primary");
  said.textContent = "";
  button.disabled = true;
  try {
    await follow(await ask("POST", "/api/marks", new FormData(form)), (told) => render(html`<${Progress} told=${told} /><${Sheets} told=${told} />`, place));
  } catch (refusal) {
    said.textContent = refusal.message;
  }
  button.disabled = false;
}

if (form) listen(form, mark);
