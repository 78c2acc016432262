// The log of a table, as sentences, of which the latest are always visible; and the chat.
import { named } from "./card.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "./html.js";
import { ChatMessages, useDismissal } from "./menu.js";
import { smallScreen } from "./preferences.js";

/** The log.  On a narrow screen it shows only its last lines until it is opened. */
export function Log({ session }) {
  const [open, setOpen] = useState(false);
  const list = useRef(null);
  const lines = session.lines.value;
  useLayoutEffect(() => {
    hideCutLines(list.current, smallScreen.value && !open);
  }, [lines.length, open, smallScreen.value]);
  return html`<section class="log" data-open=${open ? "" : null} aria-label="Log">
    <header>
      <h2>Log</h2>
      ${lines.length > 0 && html`<button type="button" class="quiet" aria-expanded=${open ? "true" : "false"} onClick=${() => setOpen(!open)}>${open ? "Show less" : "Show all"}</button>`}
    </header>
    <div class="lines" role="log" aria-label="Log" tabindex="0" ref=${list}>
      <ol>${lines.map((line, index) => html`<li key=${index} data-note=${line.note || null}>${distinct(lines, index)}</li>`)}</ol>
    </div>
  </section>`;
}

/** Scroll to the latest line; while the log is `short`, hide the earlier lines that don't fit into it whole. */
function hideCutLines(list, short) {
  const lines = [...list.querySelectorAll("li")].reverse();
  for (const line of lines) line.hidden = false;
  list.scrollTop = 0;
  const top = list.getBoundingClientRect().top - 1;
  for (const line of short ? lines.slice(1) : []) line.hidden = line.getBoundingClientRect().top < top;
}

/** A line's text, with a space after it if it equals the line before: screen readers read only changed text. */
const distinct = (lines, index) => named(lines[index].text) + (lines[index - 1]?.text === lines[index].text && index % 2 ? "\u00a0" : "");

/** The chat of the people at the table, also while they wait for others.  On a small screen it is a button with the number of unread messages, until it is
 *  opened. */
export function Chat({ session }) {
  const { phrases = [], chairs: seats = [], seat } = session.hello.value;
  const people = seats.filter(({ kind }) => kind === "person" || kind === "open");
  const { chats, chatsReadAt, chatOpen, muted } = session;
  const element = useRef(null);
  const open = !smallScreen.value || chatOpen.value;
  const close = () => (chatOpen.value = false);
  useDismissal(element, () => element.current && smallScreen.peek(), close);
  useEffect(() => {
    if (open) session.readChats();
  }, [open, chats.value.length]);
  if (seat < 0 || people.length < 2) return null;
  const say = (event) => {
    event.preventDefault();
    const field = event.target.elements.words;
    if (field.value.trim()) session.ask("say", { text: field.value.trim() });
    field.value = "";
  };
  const mute = (other) => {
    const on = !muted.value.includes(other);
    session.ask("mute", { seat: other, on });
    muted.value = on ? [...muted.value, other] : muted.value.filter((each) => each !== other);
  };
  const unread = chats.value.filter((chat) => chat.at > chatsReadAt.value && chat.seat !== seat).length;
  if (!open) {
    return html`<section class="talk folded" aria-label="Chat">
      <button type="button" class="quiet" onClick=${() => (chatOpen.value = true)}>Chat <span role="status">${unread > 0 && html`<b>${unread}<span class="unseen"> unread</span></b>`}</span></button>
    </section>`;
  }
  return html`<section class="talk" aria-label="Chat" ref=${element}>
    <header><h2>Chat</h2>${smallScreen.value && html`<button type="button" class="quiet" onClick=${close} aria-label="Close the chat">✕</button>`}</header>
    <div class="lines" role="log" aria-label="Chat messages" tabindex="0">
      <${ChatMessages} chats=${chats.value} />
    </div>
    <div class="phrases">
      ${phrases.map((phrase, index) => html`<button type="button" class="quiet" onClick=${() => session.ask("say", { phrase: index })}>${phrase}</button>`)}
    </div>
    <form onSubmit=${say}>
      <input name="words" aria-label="Message" placeholder="Message" maxlength="200" autocomplete="off" />
      <button>Send</button>
    </form>
    ${people
      .filter((other) => other.seat !== seat && other.kind === "person")
      .map((other) => html`<button type="button" class="quiet" aria-pressed=${muted.value.includes(other.seat) ? "true" : "false"} onClick=${() => mute(other.seat)}>Mute ${other.name}</button>`)}
  </section>`;
}
