// The review of a finished game: the winning chance of each choice, better choices, and a graph of the chances.
import { html, signal } from "./html.js";
import { ask } from "./server.js";
import { follow, Progress } from "./job.js";

const WIDTH = 640;
const HEIGHT = 176;
const TOP = 22; // room for the upper half of a label
const LEFT = 70;

export const work = signal(null); // the job, with its progress and the review
const error = signal("");
const chosenSeat = signal(null); // the seat whose chances the graph shows; at first a person's

const percent = (chance) => `${Math.round(100 * chance)} %`;
const number = (count, noun) => `${count || "No"} ${noun}${count === 1 ? "" : "s"}`;

/** Start a review; a second request shows the existing review. */
export async function startReview(id) {
  error.value = "";
  try {
    await follow(await ask("POST", `/api/played/${id}/review`), (news) => (work.value = news));
  } catch (refusal) {
    error.value = refusal.message;
  }
}

/** The judgement of the choice at a step, in words. */
export function Verdict({ step, names }) {
  const verdict = work.value?.review?.verdicts.find((each) => each.step === step);
  if (!verdict) return null;
  const choice = html`<b>${names[verdict.seat]}</b> now chooses ${verdict.chosen}`;
  if (!verdict.mistake) return html`<p class="verdict" role="status">${choice}: no mistake (winning chance ${percent(verdict.winning_chance)}).</p>`;
  return html`<p class="verdict" role="status" data-mistake>${verdict.turning && "Turning point: "}${choice}: ${verdict.cost_text}. Better: ${verdict.best}. ${verdict.why}</p>`;
}

/** A graph of a seat's chances during the game; a click on a mistake goes to its step. */
function Graph({ verdicts, seat, last, step, go }) {
  const own = verdicts.filter((each) => each.seat === seat);
  const x = (at) => LEFT + ((WIDTH - LEFT - 8) * at) / Math.max(last, 1);
  const y = (chance) => TOP + (HEIGHT - TOP - 30) * (1 - Math.max(0, Math.min(1, chance)));
  const points = own.map((each) => `${x(each.step).toFixed(1)},${y(each.winning_chance).toFixed(1)}`).join(" ");
  const label = own.length ? `Chances from ${percent(own[0].winning_chance)} to ${percent(own.at(-1).winning_chance)}; the table below has every decision` : "No decision";
  return html`<svg class="chances" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${label}>
    ${[0, 0.5, 1].map((chance) => html`<g key=${chance}><line class="rule" x1=${LEFT} x2=${WIDTH - 8} y1=${y(chance)} y2=${y(chance)} /><text x="4" y=${y(chance) + 4}>${percent(chance)}</text></g>`)}
    <polyline points=${points} />
    <line class="now" x1=${x(step)} x2=${x(step)} y1=${TOP} y2=${HEIGHT - 30} />
    ${own.length < 40 && own.filter((each) => !each.mistake).map((each) => html`<circle class="fair" key=${each.step} cx=${x(each.step)} cy=${y(each.winning_chance)} r="3.5" />`)}
    ${own.filter((each) => each.mistake).map((each) => html`<circle key=${each.step} cx=${x(each.step)} cy=${y(each.winning_chance)} r=${each.turning ? 6 : 4} onClick=${() => go(each.step)} />`)}
    <text x=${LEFT} y=${HEIGHT - 6}>start</text><text x=${WIDTH - 8} y=${HEIGHT - 6} text-anchor="end">step ${last}</text>
  </svg>`;
}

/** The mistakes, people's before those of computer players: first the turning points, from the greatest loss to the
 *  smallest, then the others by step. */
function Mistakes({ verdicts, names, kinds }) {
  const isPerson = ({ seat }) => kinds[seat] === "person";
  const mistakes = verdicts.filter((verdict) => verdict.mistake);
  mistakes.sort((a, b) => isPerson(b) - isPerson(a) || b.turning - a.turning || (a.turning ? b.loss - a.loss : a.step - b.step));
  return mistakes.length > 0 && html`<ul>${mistakes.map((verdict) => html`<li key=${verdict.step}>${verdict.turning && html`<b>Turning point:</b> `}<a href=${`#${verdict.step}`}>step ${verdict.step}</a>,
    ${" "}${names[verdict.seat]} chose ${verdict.chosen}: ${verdict.cost_text}. Better: ${verdict.best}. ${verdict.why}</li>`)}</ul>`;
}

/** The whole review: a button to start it; then its progress; then how each person did, the mistakes, the graph, and
 *  tables by player and by decision. */
export function Review({ id, names, kinds, last, step, go }) {
  const news = work.value;
  const review = news?.review;
  if (!news) return html`<section><h2>Review</h2><p>Judges every choice by what the player could know at the time, and shows what would have been better.</p>
    <p><button type="button" onClick=${() => startReview(id)}>Review every decision</button></p><p class="refusal" role="alert">${error.value}</p></section>`;
  if (!review) return html`<section><h2>Review</h2><${Progress} work=${news} units="decisions" /><p class="refusal" role="alert">${error.value}</p></section>`;
  const people = review.seat_summaries.filter(({ seat, decisions }) => kinds[seat] === "person" && decisions);
  const seat = chosenSeat.value ?? people[0]?.seat ?? 0;
  return html`<section class="review"><h2>Review</h2>
    ${people.map(({ seat, name, mistakes, decisions }) => html`<p key=${seat}><b>${name}: ${number(mistakes, "mistake")} in ${number(decisions, "decision")}.</b></p>`)}
    <p role="status">${news.state === "done" && people.length > 0 && "All players: "}${news.sentence} <small>Evaluated with: ${review.judge}.</small></p>
    <${Mistakes} verdicts=${review.verdicts} names=${names} kinds=${kinds} />
    <label>Show the winning chance of <select value=${seat} onChange=${(event) => (chosenSeat.value = Number(event.target.value))}>
      ${names.map((name, each) => html`<option value=${each} selected=${each === seat}>${name}</option>`)}</select></label>
    <${Graph} verdicts=${review.verdicts} seat=${seat} last=${last} step=${step} go=${go} />
    <div class="scroll" tabindex="0" role="region" aria-label="What mistakes cost"><table>
      <thead><tr><th scope="col">Player</th><th scope="col" class="number">Mistakes</th><th scope="col" class="number">Winning chance lost</th><th scope="col" class="number">Luck</th></tr></thead>
      <tbody>${review.seat_summaries.map(({ seat, name, mistakes, decisions, loss, luck }) => html`<tr key=${seat}><th scope="row">${name}</th><td class="number">${mistakes} of ${decisions}</td><td class="number">${percent(loss)}</td><td class="number">${percent(luck)}</td></tr>`)}</tbody>
    </table></div>
    <p class="aside">Luck: the result (100 % for a win) minus the chance of winning at the first decision, plus the winning chance that was lost to mistakes. Above 0 is good luck. ${review.chance_note}</p>
    <details class="more"><summary>Every decision</summary><div class="scroll" tabindex="0" role="region" aria-label="Every decision"><table>
      <thead><tr><th scope="col">Step</th><th scope="col">Player</th><th scope="col">Choice</th><th scope="col" class="number">Winning chance</th><th scope="col" class="number">Lost</th></tr></thead>
      <tbody>${review.verdicts.map((verdict) => html`<tr key=${verdict.step}><td><a href=${`#${verdict.step}`}>${verdict.step}</a></td><td>${names[verdict.seat]}</td><td>${verdict.chosen}${verdict.mistake && html`<br /><b>Better:</b> ${verdict.best}`}</td><td class="number">${percent(verdict.winning_chance)}</td>
        <td class="number">${verdict.mistake ? `${percent(verdict.loss)} ± ${percent(verdict.loss_error)}` : ""}</td></tr>`)}</tbody>
    </table></div></details>
  </section>`;
}
