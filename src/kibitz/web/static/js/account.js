// Forms that ask the server for one thing, and then show the page again.
import { ask } from "./server.js";
import "./page.js";

for (const form of document.querySelectorAll("form[data-ask]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const [method, path] = form.dataset.ask.split(" ");
    const said = form.querySelector("[role=alert]");
    said.textContent = "";
    try {
      const fields = Object.fromEntries(new FormData(form));
      const told = await ask(method, path, method === "DELETE" ? undefined : fields);
      if ("token" in form.dataset) form.querySelector(".token").textContent = told.token;
      else location.reload();
    } catch (refusal) {
      said.textContent = refusal.message;
    }
  });
}
