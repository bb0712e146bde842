// Words of one language that are used like a word of another.
import { debounceLatest, post } from "./api.js";
import { byId, element, formatFixed, languageName, option, renderExamples } from "./dom.js";

let app;
const update = debounceLatest({ name: "languages", region: byId("language-results"), work: translate, clear: () => render([], ""), wait: 250 });

export function init(page) {
  app = page;
  const options = () => app.about.languages.map(({ code }) => option(code, languageName(code)));
  byId("from-language").replaceChildren(...options());
  byId("to-language").replaceChildren(...options());
  byId("to-language").selectedIndex = Math.min(1, app.about.languages.length - 1);
  for (const id of ["foreign-word", "from-language", "to-language"]) byId(id).addEventListener("input", () => onChange());
  const [pivot] = app.about.languages;
  renderExamples("language-examples", (app.about.words_to_try ?? []).slice(0, 6), (word) =>
    app.openView("languages", { word, from: pivot.code, to: byId("to-language").value }));
}

export const getState = () => ({ word: byId("foreign-word").value, from: byId("from-language").value, to: byId("to-language").value });

export function open(params) {
  if (params.word !== undefined) byId("foreign-word").value = params.word;
  for (const [id, code] of [["from-language", params.from], ["to-language", params.to]]) {
    if ([...byId(id).options].some(({ value }) => value === code)) byId(id).value = code;
  }
  if (!byId("foreign-word").value) byId("foreign-word").focus();
  onChange();
}

function onChange() {
  app.saveState("languages");
  update();
}

async function translate(signal) {
  const word = byId("foreign-word").value.trim();
  try {
    const { words } = word ? await post("/translations", { word, language: byId("from-language").value, to: byId("to-language").value }, signal) : { words: [] };
    return () => render(words, "");
  } catch (error) {
    if (error.status !== 422) throw error; // 422: an unknown word
    return () => render([], error.message);
  }
}

function render(words, message) {
  byId("language-status").textContent = message;
  byId("translations").replaceChildren(...words.map(({ word, weight }) => element("li", {}, element("span", { dir: "auto" }, word),
    element("i", { style: { "--score": Math.max(0, Math.min(1, weight)) } }), element("span", {}, formatFixed(weight, 2)))));
}
