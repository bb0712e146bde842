// The senses of a word, and the one it has in a text.
import { ask, latest } from "./api.js";
import { at, fixed, make } from "./make.js";

const update = latest(look, 250);

export function start() {
  for (const id of ["sense-word", "sense-text"]) at(id).addEventListener("input", () => update());
  at("sense-word").focus();
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
  at("senses").replaceChildren(...(found?.senses ?? []).map((sense) => item(sense, found.here)));
  const count = found ? `${found.senses.length} ${found.senses.length === 1 ? "sense" : "senses"}` : "";
  at("sense-status").textContent = [count, reason, found?.here ? evidence(found.here) : ""].filter(Boolean).join(". ");
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
    make("h2", {}, sense.words.slice(0, 6).join(", ") || `sense ${sense.number + 1}`, make("span", {}, share)),
    make("p", { className: "soft" }, sense.topics.map((topic) => topic.slice(0, 6).join(" ")).join(" · ")),
    ...sense.examples.slice(0, 2).map((text) => make("q", {}, text)));
}
