// A star that marks a finished game as one of the user's favourites.
import { html, useState } from "./html.js";
import { ask } from "./server.js";

export function Favourite({ id, title, marked, text = "" }) {
  const [on, setOn] = useState(marked);
  const [refusal, setRefusal] = useState("");
  const toggle = () =>
    ask(on ? "DELETE" : "PUT", `/api/played/${encodeURIComponent(id)}/favourite`).then(
      () => (setOn(!on), setRefusal("")),
      (error) => setRefusal(error.message),
    );
  return html`<button type="button" class="quiet" aria-pressed=${on} aria-label=${`Favourite: ${title}`} title=${on ? "Remove from your favourites" : "Add to your favourites"} onClick=${toggle}><span class="star">${on ? "★" : "☆"}</span>${text}</button>
    <span class="refusal" role="alert">${refusal}</span>`;
}
