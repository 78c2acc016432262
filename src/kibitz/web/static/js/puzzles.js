// The list of today's puzzles: which of them this browser has answered.
import { stored } from "./preferences.js";
import "./page.js";

for (const link of document.querySelectorAll("[data-puzzle]")) {
  const [path, how] = (stored(`puzzle.${link.dataset.game}`) ?? "").split(" ");
  if (path === link.dataset.puzzle) link.querySelector(".summary").textContent = how === "solved" ? "Solved today" : "Tried today";
}
