// What every page but a table's has: the buttons that change how it looks.
import { turn } from "./look.js";

for (const button of document.querySelectorAll("[data-turn]")) {
  button.addEventListener("click", () => turn(button.dataset.turn));
}
