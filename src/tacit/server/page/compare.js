// Two texts: how alike they are, why, and what each leaves unsaid.
import { ask, latest } from "./api.js";
import { draw } from "./heat.js";
import { at, fixed, make, many } from "./make.js";

// Offered where the model has a general vocabulary.
const GENERAL = [
  ["a dog and a hound", "a large dog barked at the postman", "the hound growled at a mail carrier"],
  ["what loans cost", "the central bank raised interest rates", "borrowing money now costs more"],
  ["a violinist", "she plays the violin in an orchestra", "a musician who performs on stringed instruments"],
  ["nothing in common", "a large dog barked at the postman", "the central bank raised interest rates"],
];
const A_GENERAL_VOCABULARY = 20_000;

const update = latest(compare, 200);
const unsaid = { a: latest((signal) => leaveUnsaid(signal, "a"), 250), b: latest((signal) => leaveUnsaid(signal, "b"), 250) };

export function start(about) {
  for (const side of ["a", "b"]) {
    at(`text-${side}`).addEventListener("input", () => { update(); unsaid[side](); });
    offerLanguages(side, about.languages.length > 1 ? about.languages.map(({ code }) => code) : []);
  }
  const pairs = about.words >= A_GENERAL_VOCABULARY && about.languages.length === 1 ? GENERAL : [];
  const { examples } = about;
  at("tries").replaceChildren(
    ...pairs.map(([name, a, b]) => make("button", { type: "button", title: `${a} / ${b}`, onclick: () => use(a, b) }, name)),
    ...(examples.length > 1 ? [make("button", { type: "button", onclick: () => use(...two(examples)) }, "two texts of the collection")] : []));
  if (at("text-a").value || at("text-b").value) { update(); unsaid.a(); unsaid.b(); } // typed before we were ready
  else if (pairs.length) use(...pairs[0].slice(1));
  else if (examples.length > 1) use(examples[0], examples[1]);
  else at("text-a").focus();
}

function offerLanguages(side, languages) {
  const select = at(`language-${side}`);
  select.hidden = !languages.length;
  select.replaceChildren(make("option", { value: "" }, "detected"), ...languages.map((code) => make("option", { value: code }, code)));
  select.addEventListener("change", () => { update(); unsaid[side](); });
}

function two(examples) {
  const first = Math.floor(Math.random() * examples.length);
  const other = (first + 1 + Math.floor(Math.random() * (examples.length - 1))) % examples.length;
  return [examples[first], examples[other]];
}

function use(a, b) {
  at("text-a").value = a;
  at("text-b").value = b;
  update();
  unsaid.a();
  unsaid.b();
}

const language = (side) => at(`language-${side}`).value || null;

async function compare(signal) {
  const [a, b] = [at("text-a").value, at("text-b").value];
  const both = a.trim() && b.trim();
  at("verdict").hidden = at("why").hidden = !both;
  if (!both) return;
  const found = await ask("/explain", { a, b, language_a: language("a"), language_b: language("b") }, signal);
  at("score").textContent = fixed(found.score, 2);
  at("score").dataset.score = found.score;
  at("verdict-word").textContent = inAWord(found);
  at("percentile").textContent = inWords(found.percentile);
  at("scale-mark").style.left = `${found.percentile}%`;
  tellUnknown(found);
  at("why").hidden = !found.table.length || !found.table[0].length;
  if (!at("why").hidden) draw(found);
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
  const text = at(`text-${side}`).value;
  const found = text.trim() ? await ask("/unsaid", { text, k: 8, language: language(side) }, signal) : { words: [] };
  const most = Math.max(1e-9, ...found.words.map(({ weight }) => weight));
  const words = found.words.map(({ word, weight }) => make("b", { style: { "--weight": (0.55 + 0.45 * Math.max(0, weight / most)).toFixed(2) } }, word));
  at(`unsaid-${side}`).replaceChildren(...(words.length ? [make("span", { className: "soft" }, "unsaid:"), ...words] : []));
}
