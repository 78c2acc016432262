// The Markdown of the rule pages as elements: headings, paragraphs, lists, tables, code, emphasis.
import { html } from "./html.js";

const INLINE = /(`[^`]+`|\*\*[^*]+\*\*|\*[^*]+\*|\[[^\]]+\]\([^)]*\))/;

/** A line with emphasis, code and links.  A link is shown as text, because its target isn't on the page. */
function inline(text) {
  return text.split(INLINE).map((piece) => {
    if (/^`.+`$/.test(piece)) return html`<code>${piece.slice(1, -1)}</code>`;
    if (/^\*\*.+\*\*$/.test(piece)) return html`<strong>${piece.slice(2, -2)}</strong>`;
    if (/^\*.+\*$/.test(piece)) return html`<em>${piece.slice(1, -1)}</em>`;
    return piece.replace(/^\[([^\]]+)\]\([^)]*\)$/, "$1");
  });
}

const cells = (line) => line.replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());

function table(lines) {
  const [head, , ...rows] = lines.map(cells);
  return html`<div class="scroll" tabindex="0"><table>
    <thead><tr>${head.map((cell) => html`<th scope="col">${inline(cell)}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${inline(cell)}</td>`)}</tr>`)}</tbody>
  </table></div>`;
}

function list(lines) {
  const items = [];
  for (const line of lines) {
    const start = /^\s*(?:[-*]|\d+\.)\s+(.*)/.exec(line);
    if (start) items.push(start[1]);
    else items[items.length - 1] += ` ${line.trim()}`;
  }
  const kind = /^\s*\d/.test(lines[0]) ? "ol" : "ul";
  return html`<${kind}>${items.map((item) => html`<li>${inline(item)}</li>`)}<//>`;
}

/** One block: the text between two empty lines. */
function block(text) {
  const lines = text.split("\n");
  const heading = /^(#+)\s+(.*)/.exec(lines[0]);
  if (heading) {
    const kind = `h${Math.min(heading[1].length + 1, 6)}`;
    return html`<${kind}>${inline(heading[2])}<//>${lines.length > 1 && block(lines.slice(1).join("\n"))}`;
  }
  if (lines[0].startsWith("|")) return table(lines);
  if (/^\s*([-*]|\d+\.)\s/.test(lines[0])) return list(lines);
  return html`<p>${inline(lines.join(" "))}</p>`;
}

/** A whole page without its title, which is shown elsewhere. */
export function Markdown({ text }) {
  const pieces = text.trim().replace(/^# .*\n+/, "").split(/(```[^\n]*\n[^]*?```)/);
  return html`<div class="rules">
    ${pieces.map((piece) =>
      piece.startsWith("```")
        ? html`<pre tabindex="0">${piece.replace(/^```[^\n]*\n|```$/g, "")}</pre>`
        : piece.split(/\n\s*\n/).filter((each) => each.trim()).map(block),
    )}
  </div>`;
}
