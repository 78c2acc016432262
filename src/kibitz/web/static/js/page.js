// Scripts of all pages except tables: the buttons that change a page's look, and times in the user's own format.
import { cycle } from "./preferences.js";

for (const button of document.querySelectorAll("[data-turn]")) {
  button.addEventListener("click", () => cycle(button.dataset.turn));
  button.disabled = false;
}

for (const time of document.querySelectorAll("time[data-at]")) {
  const at = new Date(Number(time.dataset.at) * 1000);
  time.dateTime = at.toISOString();
  time.textContent = at.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
}
