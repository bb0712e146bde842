// Two texts: how alike they are, why, and what each leaves unsaid.
import { ask, latest } from "./api.js";
import { draw } from "./heat.js";
import { at, brief, button, cut, fixed, languageName, make, many, option } from "./make.js";

// Offered where the model has a general vocabulary.
const GENERAL = [
  ["a dog and a hound", "a large dog barked at the postman", "the hound growled at a mail carrier"],
  ["what loans cost", "the central bank raised interest rates", "borrowing money now costs more"],
  ["a violinist", "she plays the violin in an orchestra", "a musician who performs on stringed instruments"],
  ["nothing in common", "a large dog barked at the postman", "the central bank raised interest rates"],
];
const A_GENERAL_VOCABULARY = 20_000;
const SIDES = ["a", "b"];

let app, answered = null; // the question that the answer on the page belongs to
const update = latest({ name: "compare", region: at("comparison"), work: compare, clear: hide, wait: 200 });
const unsaid = Object.fromEntries(SIDES.map((side) => [side, latest({
  name: `unsaid-${side}`, region: at(`unsaid-${side}`), wait: 250,
  work: (signal) => leaveUnsaid(signal, side), clear: () => at(`unsaid-${side}`).replaceChildren(),
})]));

export function start(given) {
  app = given;
  const { about } = app, codes = about.languages.length > 1 ? about.languages.map(({ code }) => code) : [];
  for (const side of SIDES) {
    at(`text-${side}`).addEventListener("input", () => changed([side]));
    const select = at(`language-${side}`);
    at(`language-of-${side}`).hidden = !codes.length;
    select.replaceChildren(option("", "detected"), ...codes.map((code) => option(code, languageName(code))));
    select.addEventListener("change", () => changed([side]));
  }
  at("tries").replaceChildren(
    ...pairs().map(([name, a, b]) => button(name, () => use({ a, b }), { title: `${a} / ${b}` })),
    ...(about.examples.length > 1 ? [button("two texts of the collection", () => { const [a, b] = two(about.examples); use({ a, b }); })] : []));
}

export const state = () => Object.fromEntries(SIDES.flatMap((side) => [[side, at(`text-${side}`).value], [`language_${side}`, at(`language-${side}`).value]]));

const question = () => JSON.stringify(state());

export function open(given) {
  if (given.a !== undefined || given.b !== undefined) return fill(given);
  if (SIDES.some((side) => at(`text-${side}`).value)) return changed(SIDES); // typed before we were ready
  const [first] = pairs(), { examples } = app.about;
  if (first) fill({ a: first[1], b: first[2] });
  else if (examples.length > 1) fill({ a: examples[0], b: examples[1] });
  else at("text-a").focus();
  return undefined;
}

const pairs = () => (app.about.words >= A_GENERAL_VOCABULARY && app.about.languages.length === 1 ? GENERAL : wordPairs());

// Where neither texts nor a general vocabulary are there, words that the model knows.
function wordPairs() {
  const words = app.about.examples.length > 1 ? [] : app.about.words_to_try ?? [];
  return words.length > 1 ? [[`${words[0]} and ${words[1]}`, words[0], words[1]]] : [];
}

function two(examples) {
  const first = Math.floor(Math.random() * examples.length);
  const other = (first + 1 + Math.floor(Math.random() * (examples.length - 1))) % examples.length;
  return [examples[first], examples[other]];
}

const use = (given) => app.go("compare", given);

function fill(given) {
  for (const side of SIDES) {
    at(`text-${side}`).value = given[side] ?? "";
    at(`language-${side}`).value = given[`language_${side}`] ?? "";
  }
  if (question() !== answered) changed(SIDES);
}

function changed(sides) {
  app.keep("compare");
  update();
  for (const side of sides) unsaid[side]();
}

// What is asked about: the text, or as much of it as can be split into words; the note says which.
const asked = (side) => cut(at(`text-${side}`).value, app.about.limits.explained);
const language = (side) => at(`language-${side}`).value || null;

function hide() {
  answered = null;
  at("verdict").hidden = at("why").hidden = true;
  at("score").textContent = "";
  delete at("score").dataset.score;
  for (const side of SIDES) tellDetected(side, null);
}

function tellShortened() {
  for (const side of SIDES) {
    const { all, short } = asked(side), note = at(`short-${side}`);
    note.hidden = !short;
    note.textContent = short ? `Only its first ${many(app.about.limits.explained)} of ${many(all)} characters are compared.` : "";
  }
}

async function compare(signal) {
  tellShortened();
  const [a, b] = SIDES.map((side) => asked(side).text), mine = question();
  if (!a.trim() || !b.trim()) return hide;
  const found = await ask("/explain", { a, b, language_a: language("a"), language_b: language("b") }, signal);
  return () => { answered = mine; tell(found); };
}

function tell(found) {
  at("verdict").hidden = false;
  at("score").textContent = fixed(found.score, 2);
  at("score").dataset.score = found.score;
  at("verdict-word").textContent = inAWord(found);
  at("percentile").textContent = inWords(found.percentile);
  at("scale-mark").style.left = `${found.percentile}%`;
  tellUnknown(found);
  for (const side of SIDES) tellDetected(side, found[`language_${side}`]);
  at("why").hidden = !found.table.length || !found.table[0].length;
  if (!at("why").hidden) draw(found);
}

function tellDetected(side, code) {
  at(`language-${side}`).options[0].textContent = code && !language(side) ? `detected: ${languageName(code)}` : "detected";
}

function inAWord({ percentile, score }) {
  if (score >= 0.995) return "the same";
  const grades = [[99.85, "close"], [98, "related"], [90, "loosely related"]];
  return grades.find(([least]) => percentile >= least)?.[1] ?? "hardly related";
}

export function inWords(percentile) {
  if (percentile >= 99.95) return "More alike than all but a few of thousands of random pairs.";
  const share = 100 - percentile;
  const chance = share <= 20 ? ` By chance, one pair in ${many(Number((100 / share).toPrecision(2)))} is this alike.` : "";
  return `More alike than ${fixed(percentile, 1)} % of random pairs.${chance}`;
}

function tellUnknown(found) {
  const sides = [["the one text", found.known_a], ["the other", found.known_b]].filter(([, known]) => !known).map(([name]) => name);
  at("unknown").hidden = !sides.length;
  at("unknown").textContent = `The model knows no word of ${sides.join(" and ")}: only the spelling counts.`;
}

async function leaveUnsaid(signal, side) {
  const { text } = asked(side);
  const { words } = text.trim() ? await ask("/unsaid", { text, k: 8, language: language(side) }, signal) : { words: [] };
  const most = Math.max(1e-9, ...words.map(({ weight }) => weight));
  const told = words.map(({ word, weight }) => make("b", { dir: "auto", style: { "--weight": (0.86 + 0.14 * Math.max(0, weight / most)).toFixed(2) } }, brief(word)));
  return () => at(`unsaid-${side}`).replaceChildren(...(told.length ? [make("span", { className: "soft" }, "unsaid:"), ...told] : []));
}
