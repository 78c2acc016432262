// A table that is watched step by step, in a replay or while it is played; cards that have moved travel to their places.
import { named } from "./card.js";
import { html, useEffect, useLayoutEffect, useRef } from "./html.js";
import { Board } from "./board.js";
import { places, travel } from "./travel.js";

/** The table at a step: `position` is `{step, seat, label, scene}`; while it is undefined, the previous position stays.
 *  `winners` are the seats that are marked as winners; `placeholder` is shown before the first position. */
export function Stage({ position, names, family, winners, placeholder }) {
  const root = useRef(null);
  const previous = useRef(null);
  const shown = useRef(null);
  const drawn = position ?? shown.current;
  if (root.current && drawn !== shown.current) previous.current = places(root.current);
  shown.current = drawn;
  useLayoutEffect(() => {
    if (previous.current) travel(root.current, previous.current);
    previous.current = null;
  }, [drawn]);
  if (!drawn) return html`<div class="felt"><p role="status">${placeholder}</p></div>`;
  const who = names.map((name, seat) => ({
    name,
    you: false,
    waited: drawn.seat === seat,
    marks: [drawn.seat === seat && drawn.label, winners.includes(seat) && "wins"].filter(Boolean),
  }));
  return html`<div class="felt" ref=${root}>
    <${Board} scene=${drawn.scene} family=${family} me=${-1} who=${who} controlOf=${() => null} />
  </div>`;
}

/** The log up to a step, which is scrolled to its end: `lines` are `{text, number}`, and those of step `now` are
 *  highlighted. */
export function GameLog({ lines, now, children }) {
  const list = useRef(null);
  useEffect(() => {
    list.current.scrollTop = list.current.scrollHeight;
  });
  return html`<section aria-label="Game log"><h2>Game log</h2>
    <div class="story" role="log" aria-label="Game log" tabindex="0" ref=${list}><ol>
      ${lines.map(({ text, number }) => html`<li key=${`${number}${text}`} aria-current=${number === now ? "step" : null}>${named(text)}</li>`)}
      ${children}
    </ol></div>
  </section>`;
}
