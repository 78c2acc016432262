// Scripts of all pages: the buttons that change a page's look, and times in the user's own format.
import { deadlineText, fieldValue, timeZone } from "./deadline.js";
import { cycle } from "./preferences.js";

let shownPath = location.pathname;

/** Change the address of this page; going back or forward then loads the page of the other address. */
export function moveTo(path) {
  history.pushState(null, "", path);
  shownPath = location.pathname;
}

addEventListener("popstate", () => location.pathname === shownPath || location.reload());

for (const button of document.querySelectorAll("[data-turn]")) {
  button.addEventListener("click", () => cycle(button.dataset.turn));
  button.disabled = false;
}

/** Show all times of the page in the user's own format. */
export function showTimes() {
  for (const time of document.querySelectorAll("time[data-at], time[data-due]")) {
    const at = new Date(time.dataset.due ?? Number(time.dataset.at) * 1000);
    time.dateTime = at.toISOString();
    time.textContent = "left" in time.dataset ? deadlineText(at) : at.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  }
}

showTimes();
for (const input of document.querySelectorAll("input[data-at]")) input.value = fieldValue(new Date(Number(input.dataset.at) * 1000));
for (const span of document.querySelectorAll("[data-zone]")) span.textContent = timeZone;
