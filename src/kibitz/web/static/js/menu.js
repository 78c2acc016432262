// The dialogs and panels of a table: rules, settings and keys; and the notices while people still have to join.
import { html, useEffect, useRef, useState } from "./html.js";
import { ask, base } from "./server.js";
import { listed } from "./listing.js";
import { store, stored, knownKey, preferences, cycle, smallScreen } from "./preferences.js";
import { Markdown } from "./markdown.js";

const LABELS = {
  theme: ["Theme", { auto: "same as system", light: "light", dark: "dark" }],
  cards: ["Cards", { art: "pictures (text on small cards)", text: "text" }],
  deck: ["Suit colours", { four: "four", two: "two" }],
  back: ["Card backs", { blue: "blue", red: "red" }],
  felt: ["Felt", { green: "green", blue: "blue" }],
  size: ["Card size", { usual: "normal", large: "large" }],
  motion: ["Animations", { usual: "on", none: "off" }],
  sound: ["Sounds", { off: "off", on: "on" }],
  confirm: ["Confirm every choice", { no: "off", yes: "on" }],
};

const KEYS = [
  ["← → ↑ ↓", "move among cards, places and buttons"],
  ["Enter", "choose a card; confirm the choice; continue after a hand or round"],
  ["Space", "choose a card, or deselect it"],
  ["1 … 9, 0", "choose the nth option; 0 is the tenth"],
  ["kh, 0d, as", "choose a card by rank and suit (0 or t is the ten)"],
  ["Esc", "deselect everything"],
  ["u", "undo"],
  ["h", "hint, with its reason"],
  ["l", "read out the last log line"],
  ["s", "describe the table"],
  ["n", "next tip in ‘Learn by playing’"],
  ["?", "these keys"],
];

/** While `isOpen()`, call `close` on Esc, or on a press outside of an element. */
export function useDismissal(element, isOpen, close) {
  useEffect(() => {
    const dismiss = (event) => {
      const escape = event.key === "Escape";
      if (!isOpen() || (!escape && (event.type === "keydown" || element.current.contains(event.target)))) return;
      if (escape) event.stopPropagation(); // otherwise the chosen cards would be deselected as well
      close();
    };
    for (const type of ["pointerdown", "keydown"]) addEventListener(type, dismiss, true);
    return () => {
      for (const type of ["pointerdown", "keydown"]) removeEventListener(type, dismiss, true);
    };
  }, []);
}

/** A button with the title of the game, which opens a panel with `children`, such as its options. */
export function GamePanel({ title, children }) {
  const element = useRef(null);
  useDismissal(element, () => element.current.open, () => (element.current.open = false));
  return html`<details class="options" ref=${element}><summary><h1>${title}</h1></summary>${children}</details>`;
}

/** A dialog that is open as long as it is drawn; `close` is called when the user leaves it. */
export function Dialog({ title, close, children }) {
  const element = useRef(null);
  useEffect(() => {
    element.current.showModal();
  }, []);
  const outside = (event) => event.target === element.current && close();
  return html`<dialog ref=${element} onClose=${close} onClick=${outside} aria-label=${title}>
    <header><h2>${title}</h2><button type="button" class="quiet" onClick=${close} aria-label="Close">✕</button></header>
    ${children}
  </dialog>`;
}

/** The text of a game's rules, once loaded. */
function RulesText({ game }) {
  const [text, setText] = useState("");
  const [message, setMessage] = useState("");
  useEffect(() => {
    ask("GET", `/api/games/${encodeURIComponent(game)}/rules`).then(({ rules }) => setText(rules), (refusal) => setMessage(refusal.message));
  }, []);
  return html`<p class="refusal" role="alert">${message}</p><${Markdown} text=${text} />`;
}

/** The rules of a game as a dialog, for pages without a table. */
export const Rules = ({ game, title, close }) => html`<${Dialog} title=${`The rules of ${title}`} close=${close}><${RulesText} game=${game} /><//>`;

/** The rules in a panel beside or above the table, which they never cover; `options` describe the game at this table. */
export function RulesPanel({ game, title, options = [], close }) {
  const button = useRef(null);
  useEffect(() => {
    const focusedBefore = document.activeElement;
    button.current.focus();
    return () => focusedBefore?.focus?.();
  }, []);
  const leave = (event) => event.key === "Escape" && (event.stopPropagation(), close());
  return html`<section class="rules-panel" aria-label=${`The rules of ${title}`} tabindex="0" onKeyDown=${leave}>
    <header><h2>The rules of ${title}</h2><button type="button" class="quiet" ref=${button} onClick=${close} aria-label="Close the rules">✕</button></header>
    ${options.length > 0 && html`<h3>At this table</h3><ul>${options.map((each) => html`<li>${each}</li>`)}</ul>`}
    <${RulesText} game=${game} />
  </section>`;
}

/** The game in a few sentences, shown until the user makes a choice or closes it; this browser remembers that.  On a
 *  small screen it is one line until it is opened.  `rules` opens all rules. */
export function RulesInShort({ session, rules }) {
  const { brief, started, title, seat, captions } = session.hello.value;
  const name = knownKey(session.hello.value);
  const [known, setKnown] = useState(stored(name) !== null);
  const close = () => (store(name, "yes"), setKnown(true));
  const chose = session.busy.value !== "";
  useEffect(() => chose && close(), [chose]);
  if (known || !brief || captions?.length || !started || seat < 0 || session.now.value.over) return null;
  return html`<details class="notice brief-rules" aria-label="In short" open=${!smallScreen.peek()}>
    <summary>${title} in short</summary>
    <p>${brief}</p>
    <p class="next"><button type="button" class="primary" onClick=${close}>Got it</button> <button type="button" class="quiet" onClick=${rules}>All rules</button></p>
  </details>`;
}

/** The setting for browser notifications of the user's turn, which needs the browser's permission. */
function TurnNotifications() {
  const [message, setMessage] = useState("");
  const on = preferences.notify.value === "on";
  const ask = async () => {
    const allowed = on || (self.Notification && (await Notification.requestPermission()) === "granted");
    setMessage(allowed ? "" : "This browser doesn't allow notifications from this page.");
    if (allowed) cycle("notify");
  };
  return html`<li><span>Notify me of my turn when I am on another page <small class="refusal" role="alert">${message}</small></span>
    <button type="button" onClick=${ask} aria-label=${`Notify me of my turn: ${on ? "on" : "off"}`}>${on ? "on" : "off"}</button></li>`;
}

/** The settings of the table, and its keys. */
export function Settings({ session, close }) {
  const { pace } = session.now.value;
  return html`<${Dialog} title="Settings" close=${close}>
    <ul class="settings">
      ${Object.entries(LABELS).map(([name, [title, values]]) => html`<li><span>${title}</span>
        <button type="button" onClick=${() => cycle(name)} aria-label=${`${title}: ${values[preferences[name].value]}`}>${values[preferences[name].value]}</button></li>`)}
      <${TurnNotifications} />
      <li><span>Speed of computer players</span>
        <button type="button" onClick=${() => session.ask("pace", { pace: pace === "faster" ? "usual" : "faster" })}>${pace === "faster" ? "fastest" : "normal"}</button></li>
      ${session.seat >= 0 && !session.now.value.over && html`<li><span>Let the computer play for you until you come back</span>
        <button type="button" onClick=${() => (session.ask("leave"), close())}>Leave the table</button></li>`}
    </ul>
    <h3>Keys</h3>
    <dl class="keys">${KEYS.map(([key, meaning]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${meaning}</dd></div>`)}</dl>
  <//>`;
}

/** The dialog in which the host removes the person of a seat from a game. */
export function RemovePlayer({ session, seat, close }) {
  const { table, game, names } = session.hello.value;
  const [computers, setComputers] = useState([]);
  const [message, setMessage] = useState("");
  const fail = (refusal) => setMessage(refusal.message);
  useEffect(() => {
    ask("GET", "/api/games").then(({ families }) => setComputers(families.flatMap(({ games }) => games).find(({ name }) => name === game.split(":")[0]).computers), fail);
  }, []);
  const remove = (event) => {
    event.preventDefault();
    ask("POST", `/api/tables/${table}/remove`, { seat, level: event.target.elements.level.value }).then(close, fail);
  };
  return html`<${Dialog} title=${`Remove ${names[seat]}?`} close=${close}>
    <form onSubmit=${remove}>
      <p>The computer plays on for them, and the game is unrated.</p>
      <p><label>Level <select name="level">${computers.filter(({ level }) => level).map(({ level }) => html`<option>${level}</option>`)}</select></label></p>
      <p class="next"><button class="primary">Remove</button> <button type="button" onClick=${close}>Cancel</button></p>
      <p class="refusal" role="alert">${message}</p>
    </form>
  <//>`;
}

/** How many people are still missing, and the links to the open seats. */
export function Invitations({ session }) {
  const { invitations = [], chairs: seats, mine, table, started, seat: me, settings, game, names } = session.hello.value;
  const [message, setMessage] = useState("");
  const openToAnyone = mine && !started && settings.joining === "listed" && !settings.bank && seats.every(({ kind, seat }) => (seat === me ? kind === "person" : kind === "open"));
  const connected = session.connection.value.state === "open";
  useEffect(() => {
    if (openToAnyone && connected) joinOthers(game, names[me]);
  }, [openToAnyone, connected]);
  if (started || (me < 0 && !mine)) return null;
  const address = (path) => new URL(path, location.href).href;
  const copy = (path) => navigator.clipboard.writeText(address(path)).then(() => setMessage("The link is copied: send it to your friend."), () => setMessage("Select the link and copy it."));
  const change = (operation, body) => ask("POST", `/api/tables/${table}/${operation}`, body).then(() => setMessage(""), (refusal) => setMessage(refusal.message));
  const open = seats.filter(({ kind }) => kind === "open");
  const others = seats.filter(({ kind, seat }) => kind === "person" && seat !== me);
  const isListed = settings.joining === "listed";
  const links = isListed ? [{ path: location.pathname, words: "Link to this table" }] : invitations.map(({ seat, path }) => ({ path, words: invitations.length > 1 ? `Link for seat ${seat + 1}` : "Link to join" }));
  const offer = `${others.length ? "Not everybody is here yet" : "Nobody else is here yet"}: play against the computer, or keep waiting.`;
  return html`<section class="notice">
    <h2>Waiting for ${open.length === 1 ? "one more person" : `${open.length} more people`}</h2>
    ${open.filter(({ line }) => line).map(({ name, line }) => html`<p>${name} ${line}.</p>`)}
    ${isListed && html`<p>Anyone can sit down here: the table is listed on the start page.</p>`}
    ${isListed && html`<p>${offer}</p><p><button type="button" class="primary" onClick=${() => change("fill", {})}>Play against the computer</button> <a class="button" href=${base + "/"}>Cancel</a></p>`}
    ${mine && !isListed && html`<p>Send ${open.length === 1 ? "this link to a friend, who" : "each link to one friend, who"} joins by opening it. Nobody needs an account. The table is not listed.</p>`}
    ${links.map(
      ({ path, words }) => html`<p class="link"><label>${words} <input readonly value=${address(path)} onFocus=${(event) => event.target.select()} /></label>
        <button type="button" class=${isListed ? "" : "primary"} onClick=${() => copy(path)}>Copy link</button></p><${QrCode} key=${path} text=${address(path)} />`,
    )}
    ${mine && html`<p class="host">${others.map(({ seat, name }) => html`<button type="button" onClick=${() => change("remove", { seat })}>Remove ${name}</button>`)}
      ${!isListed && html`<button type="button" onClick=${() => change("fill", {})}>Fill the seats with computer players</button>`}</p>`}
    <p role="status">${message}</p>
  </section>`;
}

export const TIME_IS_UP = "When a player's time is up, the computer plays for them until they take their seat back.";

/** Go to another table where somebody waits for the same game. */
async function joinOthers(game, name) {
  const { path } = await ask("POST", "/api/tables/quick", { game, name }).catch(() => ({}));
  if (path && path !== location.pathname) location.replace(path);
}

/** A link as a QR code for a phone, loaded on demand. */
function QrCode({ text }) {
  const [drawn, setDrawn] = useState(null);
  const open = ({ target }) => target.open && import("./qr.js").then(({ qrPath }) => setDrawn(qrPath(text) ?? { width: 0 }));
  return html`<details class="more qr" onToggle=${open}><summary>QR code</summary>
    ${drawn && (drawn.width ? html`<svg viewBox=${`0 0 ${drawn.width} ${drawn.width}`} role="img" aria-label="QR code of the link"><rect width="100%" height="100%" fill="#fff" /><path d=${drawn.path} shape-rendering="crispEdges" /></svg>` : html`<p>The link is too long for a QR code.</p>`)}
  </details>`;
}

/** The messages of the chat, as a list. */
export const ChatMessages = ({ chats }) => html`<ol>${chats.map((chat, index) => html`<li key=${index}><b>${chat.name}${chat.seat < 0 && " (spectator)"}:</b> ${chat.text}</li>`)}</ol>`;

/** The form for taking a seat: the seat of an invitation (`code`), or an open seat at a listed table.  `refused` says why
 *  the invitation isn't valid. */
export function TakeSeat({ session, code, refused }) {
  const { table, seat, title, chairs: seats, settings, started, removed } = session.hello.value;
  const [message, setMessage] = useState("");
  const free = !started && settings.joining === "listed" && !removed;
  if (seat >= 0) return null;
  if (code && refused) return html`<p class="notice" role="alert">${refused}</p>`;
  const then = started ? ", and the computer plays on for you." : ": ask for a new invitation.";
  if (removed && !code) return html`<p class="notice"><span role="alert">The table's host has removed you${then}</span> <a class="button" href=${base + "/"}>All games</a></p>`;
  if (!code && !free) return null;
  const present = seats.filter(({ kind }) => kind === "person").map(({ name }) => name);
  const sit = async (event) => {
    event.preventDefault();
    const name = event.target.elements.name.value.trim();
    store("called", name);
    try {
      await ask("POST", `/api/tables/${table}/seat`, { invite: code ?? "", name });
      location.replace(`${base}/tables/${table}`);
    } catch (refusal) {
      setMessage(refusal.message);
    }
  };
  return html`<form class="notice invited" onSubmit=${sit}>
    <h2>${code ? `You are invited to play ${title}` : "Anyone can sit down here"}</h2>
    <p>${present.length ? `${listed(present)} ${present.length === 1 ? "is" : "are"} at the table.` : "Nobody else is at the table yet."} No account is needed.</p>
    ${session.chats.value.length > 0 && html`<div class="lines"><${ChatMessages} chats=${session.chats.value} /></div><p class="aside">Sit down to write.</p>`}
    ${settings.bank > 0 && html`<p>Clock: ${settings.bank / 60} minutes each${settings.topup > 0 && `, plus ${settings.topup} seconds per move`}. ${TIME_IS_UP}</p>`}
    <label>Your name <input name="name" required pattern=".*\\S.*" title="Not only spaces" maxlength="80" autocomplete="nickname" defaultValue=${stored("called") ?? ""} /></label>
    <button class="primary">Sit down</button>
    <p role="alert">${message}</p>
  </form>`;
}
