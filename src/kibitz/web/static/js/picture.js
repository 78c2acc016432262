// A picture of an element of the page, for sharing: a copy with all styles, inside an SVG that is drawn on a canvas.

const SVG = "http://www.w3.org/2000/svg";
const SCALE = 2; // pixels of the picture for each pixel of the page
const TITLE_HEIGHT = 44;
const LINE_HEIGHT = 20;
const MARGIN = 14;

/** The whole page's styles, as text. */
const styles = () => [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).map((rule) => rule.cssText).join("\n");

/** A copy of an element inside empty copies of its ancestors, whose styles it inherits; they take no space. */
function copyInPlace(element) {
  let copy = element.cloneNode(true);
  for (let around = element.parentElement; around; around = around.parentElement) {
    const shell = around.cloneNode(false);
    shell.style.display = "contents";
    shell.appendChild(copy);
    copy = shell;
  }
  return copy;
}

/** A text as lines that aren't wider than `width` in the context's font. */
function wrapped(context, text, width) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trimStart();
    if (context.measureText(longer).width <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** An element as a PNG file, below a title and a caption.  Cards have text faces: a picture inside an SVG loads no other files. */
export async function pictureOf(element, title, caption) {
  const { width, height } = element.getBoundingClientRect();
  const svg = document.createElementNS(SVG, "svg");
  // The root has the page's attributes, and its size is the window's, so that the same rules apply as on the page.
  Object.assign(svg.dataset, document.documentElement.dataset, { cards: "text" });
  svg.setAttribute("width", innerWidth);
  svg.setAttribute("height", Math.max(innerHeight, height));
  const inside = svg.appendChild(document.createElementNS(SVG, "foreignObject"));
  inside.setAttribute("width", width);
  inside.setAttribute("height", height);
  inside.appendChild(document.createElement("style")).textContent = styles();
  inside.appendChild(copyInPlace(element));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d");
  const style = getComputedStyle(element);
  const small = `14px ${style.fontFamily}`;
  context.font = small;
  const lines = wrapped(context, caption, width - 2 * MARGIN);
  const top = TITLE_HEIGHT + lines.length * LINE_HEIGHT;
  [canvas.width, canvas.height] = [width * SCALE, (top + height) * SCALE];
  context.scale(SCALE, SCALE);
  context.fillStyle = style.getPropertyValue("--tray");
  context.fillRect(0, 0, width, top);
  context.fillStyle = style.color;
  context.font = `600 18px ${style.fontFamily}`;
  context.textBaseline = "middle";
  context.fillText(title, MARGIN, TITLE_HEIGHT / 2, width - 2 * MARGIN);
  context.font = small;
  lines.forEach((line, number) => context.fillText(line, MARGIN, TITLE_HEIGHT + (number + 0.3) * LINE_HEIGHT));
  context.drawImage(image, 0, top);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}
