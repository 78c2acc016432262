// The page of a puzzle: the table as the seat to move sees it, the user's choice, and what that choice costs.
import { html, render, pageData, signal, useEffect, useLayoutEffect, useState } from "./html.js";
import { ask, base } from "./server.js";
import { Board, OwnHands } from "./board.js";
import { named } from "./card.js";
import { Choice, Prompt } from "./choice.js";
import { listenToDrags } from "./drag.js";
import { listen } from "./keys.js";
import { Log } from "./log.js";
import { store, preferences } from "./preferences.js";
import { GamePanel, RulesPanel } from "./menu.js";
import { Session } from "./session.js";

/** A session that ends with its first choice, which the server judges. */
class Puzzle extends Session {
  answer = signal(null);

  constructor(puzzle) {
    super(puzzle.hello.table, puzzle);
    this.path = `/api/puzzles/${puzzle.hello.game}/${puzzle.number}`;
    this.lines.value = puzzle.lines;
    this.tell("Which choice is best?");
  }

  connect() {
    this.connection.value = { state: "open", sentence: "" };
  }

  async act({ action }) {
    if (this.busy.value) return;
    this.busy.value = "answer";
    try {
      this.answer.value = await ask("GET", `${this.path}?action=${action}`);
      const { right, action: best } = this.answer.value;
      store(`puzzle.${this.hello.value.game}`, `${this.path} ${right ? "solved" : "tried"}`);
      this.showBest(best);
    } catch (refusal) {
      this.tell(refusal.message, "refused");
    }
    this.busy.value = "";
  }

  /** Show the best choice on the table, where nothing more can be chosen. */
  showBest(action) {
    const { legal, parts } = this.now.value;
    const best = legal.find((choice) => choice.action === action);
    this.hint.value = best.parts.map((index) => parts[index].key);
    this.chosen.value = [];
    this.state.value = { ...this.now.value, legal: [], mine: false, over: true };
  }

  /** Refuse all other requests, because a puzzle has no table on the server. */
  ask(type) {
    this.tell(type === "why_not" ? "That isn't one of the choices here." : "A puzzle has neither hints nor undo.", "why");
  }

  askHint() {
    this.ask("hint");
  }
}

const costText = ({ cost }) => `lowers your chance of winning by about ${Math.round(100 * cost)} percentage points`;

/** Whether the choice was best, and what the best and the other choice lead to. */
function Answer({ session }) {
  const { right, best, other } = session.answer.value;
  const { title } = session.hello.value;
  return html`<section class="over notice" aria-label="The answer">
    <div role="status"><h2>${right ? "Correct" : "Not the best choice"}</h2>
      <p><b>Best: ${named(best.label)}.</b> ${named(best.why)}</p>
      <p>${right ? "The next best, " : ""}${named(other.label)}${right ? "," : ""} ${costText(other)}. ${named(other.why)}</p></div>
    <p class="next"><a class="button primary" href=${base + "/puzzles"}>More puzzles</a> <a class="button" href=${base + "/"}>Play ${title}</a></p>
  </section>`;
}

function Page({ session }) {
  const [reading, setReading] = useState(false);
  useLayoutEffect(() => listen(session, () => document.querySelector(".playing"), { help: () => setReading(true) }), []);
  useEffect(() => listenToDrags(session), []);
  const { hello, now, seat: me, controlOf, answer } = session;
  const { scene } = now.value;
  const { game, title, family, names, options } = hello.value;
  const who = names.map((name, seat) => ({ name, you: seat === me, waited: seat === me, marks: [] }));
  return html`
    <header class="top">
      <a class="home" href=${base + "/puzzles"} aria-label="All puzzles">♠</a>
      <${GamePanel} title=${`Puzzle: ${title}`}><ul>${options.map((each) => html`<li>${each}</li>`)}</ul><//>
      <button type="button" class="quiet rules" onClick=${() => setReading(!reading)} aria-label="Rules"><span class="long">Rules</span><span class="brief">?</span></button>
    </header>
    <div class="playing" data-over=${answer.value ? "" : null}>
      <div class="felt" role="group" aria-label="Table" tabindex="0" onClick=${session.clickBeside}><${Board} scene=${scene} family=${family} me=${me} who=${who} controlOf=${controlOf} /></div>
      <div class="foot" data-family=${family}>
        ${answer.value ? html`<${Answer} session=${session} />` : html`<${Prompt} session=${session} /><${Choice} session=${session} />`}
        <${OwnHands} scene=${scene} family=${family} me=${me} controlOf=${controlOf} order=${preferences.order.value} />
      </div>
      ${reading && html`<${RulesPanel} game=${game} title=${title} close=${() => setReading(false)} />`}
      <aside><${Log} session=${session} /></aside>
    </div>`;
}

const session = new Puzzle(pageData());
render(html`<${Page} session=${session} />`, document.getElementById("table"));
