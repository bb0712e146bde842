// Words of one language, seen from another.
import { ask, latest } from "./api.js";
import { at, fixed, make } from "./make.js";

const update = latest(translate, 250);

export function start(about) {
  const options = () => about.languages.map(({ code }) => make("option", { value: code }, code));
  at("from-language").replaceChildren(...options());
  at("to-language").replaceChildren(...options());
  at("to-language").selectedIndex = Math.min(1, about.languages.length - 1);
  for (const id of ["foreign-word", "from-language", "to-language"]) at(id).addEventListener("input", () => update());
  at("foreign-word").focus();
}

async function translate(signal) {
  const word = at("foreign-word").value.trim();
  let words = [], reason = "";
  try {
    if (word) ({ words } = await ask("/translations", { word, language: at("from-language").value, to: at("to-language").value }, signal));
  } catch (error) {
    if (error.status !== 422) throw error; // an unknown word is no failure
    reason = error.message;
  }
  at("language-status").textContent = reason;
  at("translations").replaceChildren(...words.map(({ word: found, weight }) => make("li", {}, found,
    make("i", { style: { "--score": Math.max(0, Math.min(1, weight)) } }), make("span", {}, fixed(weight, 2)))));
}
