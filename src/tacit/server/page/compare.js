// Compare two texts: their score, the contributions of their words, and related words that each does not use.
import { debounceLatest, post } from "./api.js";
import { byId, button, element, formatFixed, formatNumber, languageName, renderLanguageChoice, truncate, truncateWord } from "./dom.js";
import { drawHeatMap } from "./heat_map.js";

// Offered for models with a general vocabulary.
const SAMPLE_PAIRS = [
  ["a dog and a hound", "a large dog barked at the postman", "the hound growled at a mail carrier"],
  ["what loans cost", "the central bank raised interest rates", "borrowing money now costs more"],
  ["a violinist", "she plays the violin in an orchestra", "a musician who performs on stringed instruments"],
  ["nothing in common", "a large dog barked at the postman", "the central bank raised interest rates"],
];
const MIN_GENERAL_VOCABULARY = 20_000;
const SIDES = ["a", "b"];

let app, answeredState = null; // the state that the result on the page belongs to
const update = debounceLatest({ name: "compare", region: byId("comparison"), work: compare, clear: clearResult, wait: 200 });
const updateUnsaid = Object.fromEntries(SIDES.map((side) => [side, debounceLatest({
  name: `unsaid-${side}`, region: byId(`unsaid-${side}`), wait: 250,
  work: (signal) => loadUnsaid(signal, side), clear: () => byId(`unsaid-${side}`).replaceChildren(),
})]));

export function init(page) {
  app = page;
  const { about } = app;
  for (const side of SIDES) {
    byId(`text-${side}`).addEventListener("input", () => onChange([side]));
    renderLanguageChoice(`language-${side}`, about.languages, () => onChange([side]));
  }
  byId("examples").replaceChildren(
    ...samplePairs().map(([name, a, b]) => button(name, () => openPair({ a, b }), { title: `${a} / ${b}` })),
    ...(about.examples.length > 1 ? [button("two random texts", () => { const [a, b] = randomPair(about.examples); openPair({ a, b }); })] : []));
}

export const getState = () => Object.fromEntries(SIDES.flatMap((side) => [[side, byId(`text-${side}`).value], [`language_${side}`, byId(`language-${side}`).value]]));

const serializeState = () => JSON.stringify(getState());

export function open(params) {
  if (params.a !== undefined || params.b !== undefined) return setFields(params);
  if (SIDES.some((side) => byId(`text-${side}`).value)) return onChange(SIDES); // typed while the page was loading
  const [sample] = samplePairs(), { examples } = app.about;
  if (sample) setFields({ a: sample[1], b: sample[2] });
  else if (examples.length > 1) setFields({ a: examples[0], b: examples[1] });
  else byId("text-a").focus();
  return undefined;
}

const samplePairs = () => (app.about.words >= MIN_GENERAL_VOCABULARY && app.about.languages.length === 1 ? SAMPLE_PAIRS : wordPairs());

// Two words of the model, if there are neither texts nor a general vocabulary.
function wordPairs() {
  const words = app.about.examples.length > 1 ? [] : app.about.words_to_try ?? [];
  return words.length > 1 ? [[`${words[0]} and ${words[1]}`, words[0], words[1]]] : [];
}

function randomPair(texts) {
  const first = Math.floor(Math.random() * texts.length);
  const second = (first + 1 + Math.floor(Math.random() * (texts.length - 1))) % texts.length;
  return [texts[first], texts[second]];
}

const openPair = (params) => app.openView("compare", params);

function setFields(params) {
  for (const side of SIDES) {
    byId(`text-${side}`).value = params[side] ?? "";
    byId(`language-${side}`).value = params[`language_${side}`] ?? "";
  }
  if (serializeState() !== answeredState) onChange(SIDES);
}

function onChange(sides) {
  app.saveState("compare");
  update();
  for (const side of sides) updateUnsaid[side]();
}

// The text, truncated to the length that can be split into words.
const textToCompare = (side) => truncate(byId(`text-${side}`).value, app.about.limits.explained);
const selectedLanguage = (side) => byId(`language-${side}`).value || null;

function clearResult() {
  answeredState = null;
  byId("verdict").hidden = byId("explanation").hidden = true;
  byId("score").textContent = "";
  delete byId("score").dataset.score;
  for (const side of SIDES) showDetectedLanguage(side, null);
}

function showTruncation() {
  for (const side of SIDES) {
    const { total, isTruncated } = textToCompare(side), note = byId(`truncated-${side}`);
    note.hidden = !isTruncated;
    note.textContent = isTruncated ? `Only the first ${formatNumber(app.about.limits.explained)} of ${formatNumber(total)} characters are compared.` : "";
  }
}

async function compare(signal) {
  showTruncation();
  const [a, b] = SIDES.map((side) => textToCompare(side).text), state = serializeState();
  if (!a.trim() || !b.trim()) return clearResult;
  const result = await post("/explain", { a, b, language_a: selectedLanguage("a"), language_b: selectedLanguage("b") }, signal);
  return () => { answeredState = state; render(result); };
}

function render(result) {
  byId("verdict").hidden = false;
  byId("score").textContent = formatFixed(result.score, 2);
  byId("score").dataset.score = result.score;
  showUnknown(result);
  for (const side of SIDES) showDetectedLanguage(side, result[`language_${side}`]);
  byId("explanation").hidden = !result.table.length || !result.table[0].length;
  if (!byId("explanation").hidden) drawHeatMap(result);
}

function showDetectedLanguage(side, code) {
  byId(`language-${side}`).options[0].textContent = code && !selectedLanguage(side) ? `detected: ${languageName(code)}` : "detected";
}

function showUnknown(result) {
  const unknown = [["text A", result.known_a], ["text B", result.known_b]].filter(([, isKnown]) => !isKnown).map(([name]) => name);
  byId("unknown").hidden = !unknown.length;
  byId("unknown").textContent = `The model knows no word of ${unknown.join(" and ")}: only the spelling is compared.`;
}

async function loadUnsaid(signal, side) {
  const { text } = textToCompare(side);
  const { words } = text.trim() ? await post("/unsaid", { text, k: 8, language: selectedLanguage(side) }, signal) : { words: [] };
  const maxWeight = Math.max(1e-9, ...words.map(({ weight }) => weight));
  const items = words.map(({ word, weight }) => element("b", { dir: "auto", style: { "--weight": (0.86 + 0.14 * Math.max(0, weight / maxWeight)).toFixed(2) } }, truncateWord(word)));
  return () => byId(`unsaid-${side}`).replaceChildren(...(items.length ? [element("span", { className: "muted" }, "Related words not used:"), ...items] : []));
}
