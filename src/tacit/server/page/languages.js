// Words of one language, seen from another.
import { ask, latest } from "./api.js";
import { at, button, fixed, languageName, make, option } from "./make.js";

let app;
const update = latest({ name: "languages", region: at("language-results"), work: translate, clear: () => tell([], ""), wait: 250 });

export function start(given) {
  app = given;
  const options = () => app.about.languages.map(({ code }) => option(code, languageName(code)));
  at("from-language").replaceChildren(...options());
  at("to-language").replaceChildren(...options());
  at("to-language").selectedIndex = Math.min(1, app.about.languages.length - 1);
  for (const id of ["foreign-word", "from-language", "to-language"]) at(id).addEventListener("input", () => changed());
  const [pivot] = app.about.languages;
  at("language-tries").replaceChildren(...(app.about.words_to_try ?? []).slice(0, 6).map((word) =>
    button(word, () => app.go("languages", { word, from: pivot.code, to: at("to-language").value }), { dir: "auto" })));
}

export const state = () => ({ word: at("foreign-word").value, from: at("from-language").value, to: at("to-language").value });

export function open(given) {
  if (given.word !== undefined) at("foreign-word").value = given.word;
  for (const [id, code] of [["from-language", given.from], ["to-language", given.to]]) {
    if ([...at(id).options].some(({ value }) => value === code)) at(id).value = code;
  }
  if (!at("foreign-word").value) at("foreign-word").focus();
  changed();
}

function changed() {
  app.keep("languages");
  update();
}

async function translate(signal) {
  const word = at("foreign-word").value.trim();
  try {
    const found = word ? await ask("/translations", { word, language: at("from-language").value, to: at("to-language").value }, signal) : { words: [] };
    return () => tell(found.words, "");
  } catch (error) {
    if (error.status !== 422) throw error; // an unknown word is no failure
    return () => tell([], error.message);
  }
}

function tell(words, reason) {
  at("language-status").textContent = reason;
  at("translations").replaceChildren(...words.map(({ word, weight }) => make("li", {}, make("span", { dir: "auto" }, word),
    make("i", { style: { "--score": Math.max(0, Math.min(1, weight)) } }), make("span", {}, fixed(weight, 2)))));
}
