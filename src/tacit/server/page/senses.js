// The senses of a word, and the one it has in a text.
import { debounceLatest, post } from "./api.js";
import { byId, element, formatCount, formatFixed, renderExamples } from "./dom.js";

let app;
const update = debounceLatest({ name: "senses", region: byId("sense-results"), work: findSenses, clear: () => render(null, ""), wait: 250 });

export function init(page) {
  app = page;
  for (const id of ["sense-word", "sense-text"]) byId(id).addEventListener("input", () => onChange());
  renderExamples("sense-examples", (app.about.words_to_try ?? []).slice(0, 6), (word) => app.openView("senses", { word }));
}

export const getState = () => ({ word: byId("sense-word").value, text: byId("sense-text").value });

export function open(params) {
  if (params.word !== undefined) [byId("sense-word").value, byId("sense-text").value] = [params.word, params.text ?? ""];
  if (!byId("sense-word").value) byId("sense-word").focus();
  onChange();
}

function onChange() {
  app.saveState("senses");
  update();
}

async function findSenses(signal) {
  const word = byId("sense-word").value.trim(), text = byId("sense-text").value.trim();
  let result = null, message = "";
  try {
    if (word) result = await post("/senses", { word, text: text || null }, signal);
  } catch (error) {
    if (error.status !== 422) throw error; // 422: a word without senses, or a text without the word
    message = error.message;
    result = text && word ? await post("/senses", { word }, signal).catch(() => null) : null;
  }
  return () => render(result, message);
}

function render(result, message) {
  byId("senses").replaceChildren(...(result?.senses ?? []).map((sense) => renderSense(sense, result.here)));
  byId("sense-status").textContent = [result ? formatCount(result.senses.length, "sense") : "", message, result?.here ? evidenceText(result.here) : ""].filter(Boolean).join(". ");
}

function evidenceText({ evidence }) {
  const words = evidence.slice(0, 4).map(({ word }) => word).join(", ");
  return words ? `Deciding words: ${words}` : "";
}

function renderSense(sense, here) {
  const isCurrent = here?.sense === sense.number;
  const candidate = here?.candidates.find(({ sense: number }) => number === sense.number);
  const share = candidate ? `${formatFixed(100 * candidate.share, 0)} % in this text` : `${formatFixed(100 * sense.weight, 0)} % of uses`;
  return element("li", { className: isCurrent ? "current" : "", aria: isCurrent ? { current: "true" } : {} },
    element("h2", { dir: "auto" }, sense.words.slice(0, 6).join(", ") || `sense ${sense.number + 1}`, element("span", {}, share)),
    element("p", { className: "muted", dir: "auto" }, sense.topics.map((topic) => topic.slice(0, 6).join(" ")).join(" · ")),
    ...sense.examples.slice(0, 2).map((text) => element("q", { dir: "auto" }, text)));
}
