// One text that was found: its score, why it is there, what came with it, and what can be done with it.
import { brief, button, fixed, make, strengthOf } from "./make.js";

const LONG = 420; // characters of a text that stand there without being asked for

// `actions` has `compare(text)`, `similar(id)` and `map(id)`, null where that cannot be done; `query` is what was asked.
export function hitItem(found, actions) {
  return make("li", {},
    make("div", { className: "grade", title: `It scores higher than ${fixed(found.percentile, 1)} % of random pairs` },
      make("b", {}, fixed(found.score, 2)), make("i", { style: { "--score": Math.max(0, Math.min(1, found.score)) } }),
      make("span", {}, `top ${fixed(Math.max(0.1, 100 - found.percentile), 1)} %`)),
    make("div", { className: "found" }, ...textOf(found.text, found.words ?? []), ...because(found.words), ...columnsOf(found.columns), actionsOf(found, actions)));
}

// A long text is shortened, after a word, and opened on demand.
export function textOf(text, words = [], className = "text") {
  const whole = marked(text, words);
  if (text.length <= LONG) return [make("p", { className, dir: "auto" }, ...whole)];
  const end = text.lastIndexOf(" ", LONG), short = marked(`${text.slice(0, end > LONG / 2 ? end : LONG)} …`, words);
  const line = make("p", { className, dir: "auto" }, ...short);
  const toggle = button("Show all", () => {
    const opened = toggle.getAttribute("aria-expanded") === "false";
    toggle.setAttribute("aria-expanded", String(opened));
    toggle.textContent = opened ? "Show less" : "Show all";
    line.replaceChildren(...(opened ? whole : short));
  }, { className: "link", aria: { expanded: "false" } });
  return [line, toggle];
}

// The words of a text that made the match are marked, the more they add the stronger.
function marked(text, words) {
  const shares = new Map();
  for (const { text: word, share } of words) shares.set(word.toLowerCase(), Math.max(shares.get(word.toLowerCase()) ?? 0, share));
  return text.split(/([\p{L}\p{N}\p{M}]+)/u).map((piece) => {
    const share = shares.get(piece.toLowerCase());
    return share > 0 ? make("mark", { style: { "--strength": strengthOf(share).toFixed(2) } }, piece) : piece;
  });
}

function because(words) {
  if (!words) return [];
  const pieces = words.slice(0, 5).flatMap(({ query, text, share }, place) => [
    place ? ", " : "because of ", make("b", { dir: "auto" }, query.toLowerCase() === text.toLowerCase() ? brief(text) : `${brief(query)} ~ ${brief(text)}`), ` ${fixed(share, 2)}`]);
  return [make("p", { className: "because" }, ...(pieces.length ? pieces : ["because of its spelling"]))];
}

export function columnsOf(columns) {
  const said = Object.entries(columns ?? {}).filter(([, value]) => value !== "" && value !== null && value?.length !== 0);
  if (!said.length) return [];
  return [make("dl", { className: "columns" }, ...said.map(([name, value]) => make("div", {}, make("dt", { dir: "auto" }, name), make("dd", { dir: "auto" }, valueOf(value)))))];
}

// Only what a browser opens as a page is a link: a script would be one, too.
function valueOf(value) {
  if (Array.isArray(value) && value.every((one) => typeof one !== "object")) return value.join("; ");
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  if (!/^https?:\/\/[^\s]+$/i.test(text) || !URL.canParse(text)) return text;
  return make("a", { href: text, target: "_blank", rel: "noopener noreferrer" }, text);
}

function actionsOf(found, { compare, similar, map, query }) {
  const name = found.text.slice(0, 60);
  const act = (text, work) => button(text, work, { aria: { label: `${text}: ${name}` } });
  return make("div", { className: "actions" },
    make("code", { title: "Its id" }, found.id),
    copyButton(found.text, name),
    ...(query && compare ? [act("Compare with the query", () => compare(found.text))] : []),
    ...(similar ? [act("More like this", () => similar(found.id))] : []),
    ...(map ? [act("On the map", () => map(found.id))] : []));
}

export function copyButton(text, name) {
  const copy = button("Copy", async () => {
    const done = await navigator.clipboard.writeText(text).then(() => "Copied", () => "Not allowed here");
    copy.textContent = done;
    setTimeout(() => { copy.textContent = "Copy"; }, 1500);
  }, { aria: { label: `Copy: ${name}` } });
  return copy;
}
