// The senses of a word, and the one it has in a text.
import { ask, latest } from "./api.js";
import { at, button, counted, fixed, make } from "./make.js";

let app;
const update = latest({ name: "senses", region: at("sense-results"), work: look, clear: () => tell(null, ""), wait: 250 });

export function start(given) {
  app = given;
  for (const id of ["sense-word", "sense-text"]) at(id).addEventListener("input", () => changed());
  at("sense-tries").replaceChildren(...(app.about.words_to_try ?? []).slice(0, 6).map((word) => button(word, () => app.go("senses", { word }), { dir: "auto" })));
}

export const state = () => ({ word: at("sense-word").value, text: at("sense-text").value });

export function open(given) {
  if (given.word !== undefined) [at("sense-word").value, at("sense-text").value] = [given.word, given.text ?? ""];
  if (!at("sense-word").value) at("sense-word").focus();
  changed();
}

function changed() {
  app.keep("senses");
  update();
}

async function look(signal) {
  const word = at("sense-word").value.trim(), text = at("sense-text").value.trim();
  let found = null, reason = "";
  try {
    if (word) found = await ask("/senses", { word, text: text || null }, signal);
  } catch (error) {
    if (error.status !== 422) throw error; // a word without senses, or a text without the word, is no failure
    reason = error.message;
    found = text && word ? await ask("/senses", { word }, signal).catch(() => null) : null;
  }
  return () => tell(found, reason);
}

function tell(found, reason) {
  at("senses").replaceChildren(...(found?.senses ?? []).map((sense) => item(sense, found.here)));
  at("sense-status").textContent = [found ? counted(found.senses.length, "sense") : "", reason, found?.here ? evidence(found.here) : ""].filter(Boolean).join(". ");
}

function evidence(here) {
  const words = here.evidence.slice(0, 4).map(({ word }) => word).join(", ");
  return words ? `What decides here: ${words}` : "";
}

function item(sense, here) {
  const chosen = here?.sense === sense.number;
  const candidate = here?.candidates.find((one) => one.sense === sense.number);
  const share = candidate ? `${fixed(100 * candidate.share, 0)} % here` : `${fixed(100 * sense.weight, 0)} % of its uses`;
  return make("li", { className: chosen ? "here" : "", aria: chosen ? { current: "true" } : {} },
    make("h2", { dir: "auto" }, sense.words.slice(0, 6).join(", ") || `sense ${sense.number + 1}`, make("span", {}, share)),
    make("p", { className: "soft", dir: "auto" }, sense.topics.map((topic) => topic.slice(0, 6).join(" ")).join(" · ")),
    ...sense.examples.slice(0, 2).map((text) => make("q", { dir: "auto" }, text)));
}
