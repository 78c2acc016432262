// Requests to the server: paths below its base path, JSON in both directions, and refusals as Errors with a sentence.

export const base = document.documentElement.dataset.base ?? "";

const csrf = () => document.querySelector('meta[name="csrf"]')?.content ?? "";

/** Send a request and return the answer's JSON; `body` is sent as JSON, or as a form if it is FormData.  If the server
 *  refuses or can't be reached, throws an Error whose message is the sentence to show. */
export async function ask(method, path, body = undefined) {
  const form = body instanceof FormData;
  const headers = { Accept: "application/json", "X-Kibitz-CSRF": csrf() };
  if (body !== undefined && !form) headers["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(base + path, { method, headers, body: form || body === undefined ? body : JSON.stringify(body) });
  } catch {
    throw new Error("Can't reach the server. Check that Kibitz is running and that you are online.");
  }
  const content = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(content.error?.sentence ?? `The server answered ${answer.status}. Try again in a moment.`);
  return content;
}

/** Call `handle(form)` when a form is submitted, and enable its buttons.  They are disabled until then, because the browser
 *  itself would submit a form that no script handles yet. */
export function listen(form, handle) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    handle(form);
  });
  for (const button of form.querySelectorAll("button:not([type=button])")) button.disabled = false;
}

/** The address of a table's live channel. */
export function liveAddress(table, epoch, since) {
  const url = new URL(`${base}/tables/${encodeURIComponent(table)}/live`, location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  if (epoch !== null) url.search = new URLSearchParams({ epoch, since });
  return url;
}
