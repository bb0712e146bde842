// An element with properties and children; text stays text, whatever it holds.
export function make(name, properties = {}, ...children) {
  const { style = {}, data = {}, aria = {}, ...rest } = properties;
  const element = Object.assign(document.createElement(name), rest);
  for (const [key, value] of Object.entries(style)) element.style.setProperty(key, value);
  for (const [key, value] of Object.entries(data)) element.dataset[key] = value;
  for (const [key, value] of Object.entries(aria)) element.setAttribute(key === "role" ? key : `aria-${key}`, value);
  element.append(...children);
  return element;
}

export const at = (id) => document.getElementById(id);

export const button = (text, onclick, properties = {}) => make("button", { type: "button", onclick, ...properties }, text);

export const option = (value, text, selected = false) => make("option", { value, selected }, text);

export const fixed = (value, places) => {
  const text = value.toFixed(places).replace("-", "−");
  return Number(value.toFixed(places)) === 0 ? text.replace("−", "") : text;
};

export const many = (number) => number.toLocaleString("en");

export const counted = (number, one, several = `${one}s`) => `${many(number)} ${number === 1 ? one : several}`;

// The name of a language; a code that nobody knows stays as it is.
const names = new Intl.DisplayNames(["en"], { type: "language", fallback: "code" });

export function languageName(code) {
  try { return names.of(code); } catch { return code; }
}

// The first so many characters, as the service counts them, and whether that is less than all.
export function cut(text, most) {
  const letters = Array.from(text);
  return letters.length <= most ? { text, all: letters.length, short: false } : { text: letters.slice(0, most).join(""), all: letters.length, short: true };
}

// A word as it fits a line: some are addresses, or letters without end.
export const brief = (word) => cut(word, 40).short ? `${cut(word, 40).text}…` : word;

// How strong the colour is of what adds so much to a score: the same everywhere, so that colours of different texts
// compare. Square roots, for most words add little.
export const FULL = 0.25;
export const strengthOf = (value) => Math.min(1, Math.sqrt(Math.abs(value) / FULL));
