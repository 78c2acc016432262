// Asking the server: paths under its base, JSON both ways, the sentence of a refusal as an Error.

export const base = document.documentElement.dataset.base ?? "";

const csrf = () => document.querySelector('meta[name="csrf"]')?.content ?? "";

/** The answer to one request; `body` is sent as JSON, or as a form if it is FormData.  Throws an Error whose message is
 *  the sentence to show. */
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

/** Gives a form what it does when it is sent, and only then the buttons that send it: a form that no script watches yet
 *  would be sent by the browser itself. */
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
