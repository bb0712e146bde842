// Create elements, and format numbers, words and languages.

// Creates an element with properties and children. Strings become text nodes, never HTML.
export function element(name, properties = {}, ...children) {
  const { style = {}, data = {}, aria = {}, ...rest } = properties;
  const created = Object.assign(document.createElement(name), rest);
  for (const [key, value] of Object.entries(style)) created.style.setProperty(key, value);
  for (const [key, value] of Object.entries(data)) created.dataset[key] = value;
  for (const [key, value] of Object.entries(aria)) created.setAttribute(key === "role" ? key : `aria-${key}`, value);
  created.append(...children);
  return created;
}

export const byId = (id) => document.getElementById(id);

export const button = (text, onclick, properties = {}) => element("button", { type: "button", onclick, ...properties }, text);

export const option = (value, text, selected = false) => element("option", { value, selected }, text);

export const formatFixed = (value, places) => {
  const text = value.toFixed(places).replace("-", "−");
  return Number(value.toFixed(places)) === 0 ? text.replace("−", "") : text;
};

export const formatNumber = (number) => number.toLocaleString("en");

export const formatCount = (number, singular, plural = `${singular}s`) => `${formatNumber(number)} ${number === 1 ? singular : plural}`;

const browserNames = new Intl.DisplayNames(["en"], { type: "language", fallback: "code" });
let serviceNames = {};

export function setLanguageNames(names) { serviceNames = names; }

// The English name of a language, first by the service: the browser knows fewer codes, and merges some of them.
export function languageName(code) {
  try { return serviceNames[code] ?? browserNames.of(code); } catch { return code; }
}

// The first characters of a text, counted as the service counts them, and how many there are in all.
export function truncate(text, limit) {
  const characters = Array.from(text), isTruncated = characters.length > limit;
  return { text: isTruncated ? characters.slice(0, limit).join("") : text, total: characters.length, isTruncated };
}

export const truncateWord = (word) => truncate(word, 40).isTruncated ? `${truncate(word, 40).text}…` : word;

// Buttons with examples of texts or words; `open` shows the one that is pressed.
export function renderExamples(id, examples, open) {
  byId(id).replaceChildren(...examples.map((text) => button(truncate(text, 90).text, () => open(text), { dir: "auto" })));
}

// The choice of a language, with the languages of the model; hidden if there is only one.
export function renderLanguageChoice(id, languages, onChange) {
  byId(`${id}-field`).hidden = languages.length < 2;
  byId(id).replaceChildren(option("", "detected"), ...languages.map(({ code }) => option(code, languageName(code))));
  byId(id).addEventListener("change", () => onChange());
}

// The strength of the color of a contribution, on the same scale for all texts. Square roots, because most are small.
export const FULL_COLOR_AT = 0.25;
export const colorStrength = (value) => Math.min(1, Math.sqrt(Math.abs(value) / FULL_COLOR_AT));
