// The summary of a hand or round: the hands that were shown, their scores item by item, and the total scores.
import { classes, html, useEffect, useRef } from "./html.js";
import { Spot } from "./card.js";
import { useClickDelay } from "./choice.js";
import { Zones } from "./board.js";

const READING = 20000; // milliseconds for which the server pauses clocks after a hand or round
const noControl = () => null;

/** A summary, whose items appear one after the other. */
export function Summary({ summary, children }) {
  const { title, table, rows } = summary;
  let items = 0;
  return html`<section class="summary" aria-label=${title} tabindex="0">
    <div id="summary">
      <h2>${title}</h2>
      ${table.length > 0 && html`<${Zones} zones=${table} controlOf=${noControl} />`}
      <ol>${rows.map((row) => html`<li class=${classes({ bare: !row.spots.length })}>
        <h3>${row.title}</h3>
        ${row.spots.length > 0 && html`<div class="cards">${row.spots.map((spot) => html`<${Spot} key=${spot.key} spot=${spot} />`)}</div>`}
        ${row.note && html`<p>${row.note}</p>`}
        ${row.items.length > 0 && html`<ul>${row.items.map((item) => html`<li style=${{ "--nth": items++ }}><span>${item.name}</span> <span>${item.cards}</span> <b>${item.points}</b></li>`)}</ul>`}
        <p class="result" style=${{ "--nth": items }}><span>${row.result}</span> <b>${row.total}</b></p>
      </li>`)}</ol>
    </div>
    ${children}
  </section>`;
}

/** The button that continues after a summary.  If clocks run, or the user is a spectator, play goes on without it after
 *  `READING`. */
export function Next({ session }) {
  const button = useRef(null);
  useEffect(() => {
    button.current.focus({ preventScroll: true });
    const closesItself = session.seat < 0 || session.hello.value.settings.bank;
    const timer = closesItself && setTimeout(() => session.closeSummary(), READING);
    return () => clearTimeout(timer);
  }, [session.summary.value]);
  return html`<div class="choice" ref=${useClickDelay(session.summary.value)}><button type="button" class="primary next" ref=${button} aria-describedby="summary" onClick=${() => session.closeSummary()}>Next</button></div>`;
}
