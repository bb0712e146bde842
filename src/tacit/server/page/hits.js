// One hit: how well it matches, the matching words, its columns and what can be done with it.
import { button, colorStrength, element, formatFixed, truncateWord } from "./dom.js";

const MAX_CHARS = 420; // of a text, before "Show all" is pressed

// `actions` has `compare(text)`, `similar(id)`, `map(id)` or null without a map, and the text of the query.
export function renderHit(hit, actions) {
  return element("li", {}, renderScore(hit),
    element("div", { className: "hit" }, ...renderText(hit.text, hit.words ?? []), ...renderReason(hit), ...renderColumns(hit.columns), renderActions(hit, actions)));
}

// The match strength in words, where the service rates it, and the score.
function renderScore({ match, score }) {
  const level = match ? [element("b", { className: match.replaceAll(" ", "-") }, match)] : [];
  return element("div", { className: "grade" }, ...level,
    element("i", { style: { "--score": Math.max(0, Math.min(1, score)) } }), element("span", {}, formatFixed(score, 2)));
}

// A long text is truncated after a word, and expanded by a button.
export function renderText(text, words = [], className = "text") {
  const all = markWords(text, words);
  if (text.length <= MAX_CHARS) return [element("p", { className, dir: "auto" }, ...all)];
  const end = text.lastIndexOf(" ", MAX_CHARS), start = markWords(`${text.slice(0, end > MAX_CHARS / 2 ? end : MAX_CHARS)} …`, words);
  const paragraph = element("p", { className, dir: "auto" }, ...start);
  const toggle = button("Show all", () => {
    const expand = toggle.getAttribute("aria-expanded") === "false";
    toggle.setAttribute("aria-expanded", String(expand));
    toggle.textContent = expand ? "Show less" : "Show all";
    paragraph.replaceChildren(...(expand ? all : start));
  }, { className: "link", aria: { expanded: "false" } });
  return [paragraph, toggle];
}

// Marks the matching words of a text, in stronger color for higher contributions.
function markWords(text, words) {
  const shares = new Map();
  for (const { text: word, share } of words) shares.set(word.toLowerCase(), Math.max(shares.get(word.toLowerCase()) ?? 0, share));
  return text.split(/([\p{L}\p{N}\p{M}]+)/u).map((piece) => {
    const share = shares.get(piece.toLowerCase());
    return share > 0 ? element("mark", { style: { "--strength": colorStrength(share).toFixed(2) } }, piece) : piece;
  });
}

// The words that match, and the part of outside vectors, where the collection has some.
function renderReason({ words, outside }) {
  if (!words) return [];
  const pairs = words.slice(0, 5).flatMap(({ query, text, share }, i) => [
    i ? ", " : "Matching words: ",
    element("b", { dir: "auto" }, query.toLowerCase() === text.toLowerCase() ? truncateWord(text) : `${truncateWord(query)} ~ ${truncateWord(text)}`),
    ` ${formatFixed(share, 2)}`]);
  if (outside !== undefined) pairs.push(`${pairs.length ? "; o" : "O"}utside vectors ${outside < 0 ? "" : "+"}${formatFixed(outside, 2)}`);
  return [element("p", { className: "reason" }, ...(pairs.length ? pairs : ["Matched by spelling"]))];
}

export function renderColumns(columns) {
  const filled = Object.entries(columns ?? {}).filter(([, value]) => value !== "" && value !== null && value?.length !== 0);
  if (!filled.length) return [];
  return [element("dl", { className: "columns" }, ...filled.map(([name, value]) =>
    element("div", {}, element("dt", { dir: "auto" }, name), element("dd", { dir: "auto" }, renderValue(value)))))];
}

// Only http and https URLs become links: a javascript: URL would run.
function renderValue(value) {
  if (Array.isArray(value) && value.every((item) => typeof item !== "object")) return value.join("; ");
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  if (!/^https?:\/\/[^\s]+$/i.test(text) || !URL.canParse(text)) return text;
  return element("a", { href: text, target: "_blank", rel: "noopener noreferrer" }, text);
}

function renderActions(hit, { compare, similar, map, query }) {
  const name = hit.text.slice(0, 60);
  const action = (text, onclick) => button(text, onclick, { aria: { label: `${text}: ${name}` } });
  return element("div", { className: "actions" },
    element("code", { title: "ID" }, hit.id),
    element("details", {}, element("summary", { aria: { label: `Actions: ${name}` } }, "Actions"),
      copyButton(hit.text, name),
      ...(query ? [action("Compare with the query", () => compare(hit.text))] : []),
      action("More like this", () => similar(hit.id)),
      ...(map ? [action("Show on the map", () => map(hit.id))] : [])));
}

export function copyButton(text, name) {
  const copy = button("Copy", async () => {
    copy.textContent = await navigator.clipboard.writeText(text).then(() => "Copied", () => "Copying was blocked");
    setTimeout(() => { copy.textContent = "Copy"; }, 1500);
  }, { aria: { label: `Copy: ${name}` } });
  return copy;
}
