// The list of today's puzzles, with a note on those that were answered in this browser.
import { stored } from "./preferences.js";
import "./page.js";

for (const link of document.querySelectorAll("[data-puzzle]")) {
  const [path, result] = (stored(`puzzle.${link.dataset.game}`) ?? "").split(" ");
  if (path === link.dataset.puzzle) link.querySelector(".summary").textContent = result === "solved" ? "Solved today" : "Tried today";
}
