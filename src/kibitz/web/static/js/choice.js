// The prompt, and the controls of an unfinished choice: buttons, amounts, hints and undo.
import { named } from "./card.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "./html.js";
import { preferences, smallScreen } from "./preferences.js";
import { nextOrder, sortable } from "./sorting.js";

const IGNORE_CLICKS = 300; // milliseconds, so that a double click on one question doesn't answer the next
const SLOW = 121000; // milliseconds after which the server lets the computer play for somebody who is present
const MAX_BUTTONS = 2; // more of them would cover the highlighted places

/** The question, and below it the feedback: a reason, a refusal or a hint. */
export function Prompt({ session }) {
  const { scene, mine, forced, undo, legal, over, outcome, paused } = session.now.value;
  const { text, kind } = session.feedback.value;
  const first = session.hello.value.first_step;
  if (over && outcome) return null;
  const question = paused || (mine ? scene.prompt : session.waitingFor());
  const onlyChoice = mine && (forced ? " There is only one choice, which is played for you." : legal.length === 1 && undo && " This is your only choice. Undo takes back your previous choice.");
  return html`<div class="prompt" data-mine=${mine ? "" : null}>
    <p class="asked" role="status">${question}${onlyChoice}</p>
    ${mine && session.newcomer.value && first && !session.hello.value.captions?.length && !session.hasChosen && !text && html`<p class="first-step"><b>A good first step:</b> ${first}</p>`}
    <p class="said" data-kind=${kind} role=${kind === "refused" ? "alert" : "status"}>${named(text)}</p>
  </div>`;
}

/** A ref for an element whose buttons ignore the pointer for a moment whenever `question` has changed. */
export function useClickDelay(question) {
  const element = useRef(null);
  useLayoutEffect(() => {
    const { dataset } = element.current ?? {};
    if (!dataset) return;
    dataset.settling = "";
    const timer = setTimeout(() => delete dataset.settling, IGNORE_CLICKS);
    return () => clearTimeout(timer);
  }, [question]);
  return element;
}

/** The buttons of a choice: words, an amount, and the action that is being put together. */
export function Choice({ session }) {
  const { parts, legal, mine, undo, hints, over, turn, epoch } = session.now.value;
  const { offered, open, complete } = session.picking.value;
  const chosen = session.chosen.value;
  const words = parts.filter((part, index) => part.kind === "button" && (offered.has(index) || chosen.includes(part.key)));
  const amounts = open.filter((choice) => choice.parts.length === chosen.length + 1 && parts[choice.parts.at(-1)].kind === "amount");
  const isOnly = legal.length === 1 && !words.length;
  const collected = session.together > 1 && (complete ? [complete] : []);
  const isSent = session.busy.value && session.atOnce;
  const ready = isSent ? [] : collected || (mine && (chosen.length > 0 || isOnly) && !amounts.length ? (isOnly ? legal : completions(parts, open, chosen)) : []);
  const hasChosen = mine && session.hasChosen;
  const isHinted = (choice) => choice.parts?.length === session.hint.value.length && choice.parts.every((index) => session.hint.value.includes(parts[index].key));
  const buttons = useClickDelay(`${epoch} ${turn} ${mine} ${words.map((part) => part.key)}`);
  if (session.seat < 0) return null;
  return html`<div class="choice" role="group" aria-label="Your choice" ref=${buttons}>
    ${mine && words.map((part) => html`<${WordButton} key=${part.key} part=${part} session=${session} />`)}
    ${ready.map(
      (choice) => html`<button type="button" key=${choice.action ?? "together"} class=${(hasChosen && choice === complete) || isOnly ? "primary put" : "put"}
        data-hint=${isHinted(choice) ? "" : null} disabled=${Boolean(session.busy.value)} onClick=${() => session.act(choice)}>${capitalised(`${choice.verb} ${choice.label}`.trimStart())}</button>`,
    )}
    ${hasChosen && !isSent && !ready.length && !amounts.length && open.length > 0 && html`<p class="then">${collected ? `Chosen: ${chosen.length} of ${session.together}.` : "Choose a highlighted card or pile."}</p>`}
    ${hasChosen && html`<button type="button" class="quiet" onClick=${() => session.deselect()}>Deselect</button>`}
    ${mine && chosen.length > 0 && amounts.length > 0 && html`<${Amount} choices=${amounts} session=${session} />`}
    ${!over && html`<${AwayPlayers} session=${session} />`}
    ${!over && html`<${UndoRequest} session=${session} />`}
    ${!over && !(hasChosen && (smallScreen.value || amounts.length)) && html`<${Sort} session=${session} />`}
    ${!over && html`<${UndoAndHint} session=${session} undo=${undo} hints=${mine && hints} />`}
  </div>`;
}

/** The choices that get a button: the complete choice, and those that lack no card, if they are few and there is room
 *  for their buttons. */
function completions(parts, open, chosen) {
  const missingParts = (choice) => choice.parts.map((index) => parts[index]).filter((part) => !chosen.includes(part.key));
  const choices = open.filter((choice) => missingParts(choice).every((part) => part.kind !== "card"));
  return choices.length <= MAX_BUTTONS && !smallScreen.value ? choices : choices.filter((choice) => !missingParts(choice).length);
}

const capitalised = (label) => named(label[0].toUpperCase() + label.slice(1));

const SUITS = { clubs: "♣", diamonds: "♦", spades: "♠", hearts: "♥" };

const WordButton = ({ part, session }) => html`<button
  type="button"
  class="word"
  data-word=${part.key}
  aria-pressed=${session.chosen.value.includes(part.key) ? "true" : "false"}
  data-hint=${session.hint.value.includes(part.key) && !session.chosen.value.includes(part.key) ? "" : null}
  disabled=${Boolean(session.busy.value)}
  onClick=${() => session.take(part.key)}
>${SUITS[part.label] && html`<span class="suit" data-suit=${part.label} aria-hidden="true">${SUITS[part.label]}</span>`}${capitalised(part.label)}${part.note && html` <small>${part.note}</small>`}</button>`;

/** The button that sorts the hand, alternately by suit and by rank. */
function Sort({ session }) {
  const { scene } = session.now.value;
  const hand = scene.zones.find((zone) => zone.seat === session.seat && zone.form === "hand" && zone.spots.length);
  if (!hand || !sortable(hand.spots)) return null;
  const next = nextOrder(preferences.order.value, hand.spots, session.hello.value.family);
  return html`<button type="button" class="quiet sort" aria-label=${`Sort by ${next}`} onClick=${() => (preferences.order.value = next)}>Sort<span class="long"> by ${next}</span></button>`;
}

const UndoAndHint = ({ session, undo, hints }) => html`
  ${undo && html`<button type="button" class="quiet" aria-keyshortcuts="u" onClick=${() => session.ask("undo")}>Undo</button>`}
  ${hints && html`<button type="button" class="quiet" aria-keyshortcuts="h" onClick=${() => session.askHint()}>Hint</button>`}
`;

/** What the user can do while somebody is away, or keeps the others waiting. */
function AwayPlayers({ session }) {
  const { waiting = [], present = [], caretakers = [], out = [], events } = session.now.value;
  const { chairs: seats, names, mine: host } = session.hello.value;
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    setSlow(false);
    const timer = setTimeout(() => setSlow(true), SLOW);
    return () => clearTimeout(timer);
  }, [events, waiting.join()]);
  const isReplaceable = ({ kind, seat }) => kind === "person" && seat !== session.seat && !caretakers[seat] && !out[seat];
  const isAway = (seat) => present[seat] === false && (host || waiting.includes(seat));
  const away = seats.filter(isReplaceable).map(({ seat }) => seat).filter((seat) => isAway(seat) || (isSlow && waiting.includes(seat)));
  return html`
    ${caretakers[session.seat] && html`<button type="button" class="primary" onClick=${() => session.ask("retake")}>Take my seat back</button>`}
    ${away.map((seat) => {
      const label = `Let the computer play for ${names[seat]}`;
      return html`<button type="button" class="quiet away" aria-label=${label} title=${label} onClick=${() => session.ask("caretaker", { seat })}>${smallScreen.value ? "Computer" : "Let the computer play"} for <span>${names[seat]}</span></button>`;
    })}
  `;
}

/** Asks the other people at the table to allow an undo, and shows such a request to them. */
function UndoRequest({ session }) {
  const { undo, ask_undo: mayAsk, undo_asked: requester = -1, undo_allowed: allowed = [] } = session.now.value;
  const { names } = session.hello.value;
  const { seat: me } = session;
  const answer = (allow) => session.ask("answer_undo", { allow });
  if (requester === me) return html`<p class="then">You have asked to undo your last choice.</p>`;
  if (requester >= 0 && allowed.includes(me)) return null;
  if (requester >= 0) return html`<p class="then" role="alert">${names[requester]} asks to undo their last choice and everything after it.</p>
    <button type="button" onClick=${() => answer(true)}>Allow</button><button type="button" onClick=${() => answer(false)}>Decline</button>`;
  return mayAsk && !undo && html`<button type="button" class="quiet" onClick=${() => session.ask("ask_undo")}>Ask to undo</button>`;
}

/** A form for an amount: any integer between the limits.  `choices` are the legal choices with a listed amount. */
function Amount({ choices, session }) {
  const { amounts, parts } = session.now.value;
  const listed = choices.map((choice) => ({ ...parts[choice.parts.at(-1)], choice }));
  const least = amounts?.least ?? Math.min(...listed.map((part) => part.least || number(part)));
  const most = amounts?.most ?? Math.max(...listed.map((part) => part.most || number(part)));
  const [value, setValue] = useState(least);
  useEffect(() => setValue(least), [least, most]);
  const set = (event) => setValue(Number(event.target.value));
  const suggested = [...new Set([least, ...listed.map(number), most])].sort((a, b) => a - b).slice(0, 6);
  const amount = Math.round(Math.min(most, Math.max(least, value)));
  const label = capitalised(choices[0].label.replace(/\s+\(.*\)$/, "").replace(String(number(listed[0])), String(amount)));
  const isHinted = (each) => session.hint.value.includes(`amount:${each}`);
  const noteOn = (each) => listed.find((part) => number(part) === each)?.choice.label.match(/\((.*)\)$/)?.[1].replace("the ", "");
  const bet = (event) => {
    event.preventDefault();
    session.bet(amount);
  };
  return html`<form class="amount" onSubmit=${bet}>
    <label><span class="long">Amount </span><input type="number" aria-label="Amount" min=${least} max=${most} value=${value} onInput=${set} inputmode="numeric" /></label>
    <input type="range" aria-label="Amount, as a slider" min=${least} max=${most} value=${value} onInput=${set} />
    <span class="listed">${suggested.map((each) => html`<button type="button" key=${each} data-hint=${isHinted(each) && each !== amount ? "" : null} onClick=${() => setValue(each)}>${each}${noteOn(each) && html` <small>${noteOn(each)}</small>`}</button>`)}</span>
    <button class="primary" data-hint=${isHinted(amount) ? "" : null} disabled=${Boolean(session.busy.value)}>${label}</button>
  </form>`;
}

const number = (part) => Number(part.key.split(":")[1]);
