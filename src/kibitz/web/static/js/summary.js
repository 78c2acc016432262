// What a hand or round came to: the hands that were shown, counted item by item, and who has what.
import { classes, html, useEffect, useRef } from "./html.js";
import { Spot } from "./card.js";
import { useSettling } from "./choice.js";
import { Zones } from "./board.js";

const READING = 20000; // so long the server stops clocks once a hand or round has ended
const nothing = () => null;

/** A summary; its items appear one after the other. */
export function Summary({ summary, children }) {
  const { title, table, rows } = summary;
  let items = 0;
  return html`<section class="summary" aria-label=${title} tabindex="0">
    <div id="summary">
      <h2>${title}</h2>
      ${table.length > 0 && html`<${Zones} zones=${table} at=${nothing} />`}
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

/** The button that goes on after a summary.  Where a clock runs, or the reader only looks on, it is soon pressed. */
export function Next({ sitting }) {
  const button = useRef(null);
  useEffect(() => {
    button.current.focus({ preventScroll: true });
    const hurried = sitting.seat < 0 || sitting.hello.value.settings.bank;
    const timer = hurried && setTimeout(() => sitting.goOn(), READING);
    return () => clearTimeout(timer);
  }, [sitting.summary.value]);
  return html`<div class="choice" ref=${useSettling(sitting.summary.value)}><button type="button" class="primary next" ref=${button} aria-describedby="summary" onClick=${() => sitting.goOn()}>Next</button></div>`;
}
